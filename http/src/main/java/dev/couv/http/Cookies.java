// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Takes the header `Cookie` apart (RFC 6265, 4.2), as generously as browsers fill it: what is no pair is passed over.
final class Cookies {
  /// More than any browser keeps for a host.
  private static final int MOST = 1000;

  private Cookies() {}

  /// Of several of one name the first, which is the one of the longest path.
  static Map<String, String> of(List<String> headers) throws HttpFailure {
    Map<String, String> cookies = new LinkedHashMap<>();
    int count = 0;
    for (String header : headers) {
      for (int from = 0; from < header.length(); ) {
        if (++count > MOST) {
          throw new HttpFailure(400, "more than " + MOST + " cookies");
        }
        int semicolon = header.indexOf(';', from);
        int end = semicolon < 0 ? header.length() : semicolon;
        add(cookies, header.substring(from, end));
        from = end + 1;
      }
    }
    return Collections.unmodifiableMap(cookies);
  }

  private static void add(Map<String, String> cookies, String pair) {
    int equals = pair.indexOf('=');
    String name = equals < 0 ? "" : pair.substring(0, equals).strip();
    if (HeaderChars.isToken(name)) {
      cookies.putIfAbsent(name, unquoted(pair.substring(equals + 1).strip()));
    }
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
