// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.util.List;
import java.util.Locale;

/// What a client says it can decode (RFC 9110, 12.5.3), as far as gzip is concerned.
///
/// @param gzip how much it wants gzip, in thousandths; zero for not at all
/// @param identity how much it wants what is not encoded, in thousandths; negative if it does not say
record AcceptEncoding(int gzip, int identity) {
  private static final int UNSAID = -1;

  /// Of all headers of that name.
  static AcceptEncoding of(List<String> headers) {
    int gzip = UNSAID;
    int identity = UNSAID;
    int others = UNSAID;
    for (String header : headers) {
      for (String word : header.split(",", -1)) {
        int semicolon = word.indexOf(';');
        String coding = semicolon < 0 ? word : word.substring(0, semicolon);
        int weight = semicolon < 0 ? 1000 : weight(word.substring(semicolon + 1));
        switch (coding.strip().toLowerCase(Locale.ROOT)) {
          case "gzip", "x-gzip" -> gzip = weight;
          case "identity" -> identity = weight;
          case "*" -> others = weight;
          default -> {}
        }
      }
    }
    return new AcceptEncoding(
        Math.max(gzip == UNSAID ? others : gzip, 0),
        identity == UNSAID && others == 0 ? 0 : identity);
  }

  /// Whether it would rather have gzip.
  boolean wantsGzip() {
    return gzip > 0 && gzip >= identity;
  }

  /// Whether it takes nothing that is not encoded.
  boolean refusesIdentity() {
    return identity == 0;
  }

  /// In thousandths; zero if it is malformed.
  private static int weight(String parameter) {
    String text = parameter.strip();
    boolean formed =
        text.length() >= 3
            && text.length() <= 7
            && (text.startsWith("q=") || text.startsWith("Q="))
            && (text.charAt(2) == '0' || text.charAt(2) == '1')
            && (text.length() == 3 || text.charAt(3) == '.');
    if (!formed) {
      return 0;
    }
    String digits = text.length() > 4 ? text.substring(4) : "";
    if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return 0;
    }
    return Math.min(1000, Integer.parseInt(text.charAt(2) + (digits + "000").substring(0, 3)));
  }
}
