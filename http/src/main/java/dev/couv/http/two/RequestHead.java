// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import dev.couv.http.Headers;
import dev.couv.http.HttpLimits;
import dev.couv.http.serve.Refused;
import dev.couv.http.serve.RequestWords;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The head of a request as handlers know it: what HTTP/2 says in fields of its own is said as in HTTP/1.1, with a `host`
/// and one `cookie`.
///
/// Netty has looked at what is in it: no capitals, no fields of a connection, the fields of HTTP/2 first, each of them that
/// has to be there.
///
/// @param length of the body; -1 if nothing is said
/// @param expected whether the client waits for a word before it sends the body
record RequestHead(String method, String target, Headers headers, long length, boolean expected) {
  private static final Set<String> PSEUDO = Set.of(":method", ":scheme", ":authority", ":path");

  /// Takes it apart.
  ///
  /// @throws Malformed if it is none
  /// @throws Refused if it is one that is answered by a failure
  static RequestHead of(Http2Headers fields, HttpLimits limits) throws Malformed, Refused {
    String method = single(fields, ":method");
    String target = single(fields, ":path");
    String authority = single(fields, ":authority");
    single(fields, ":scheme");
    if (method == null || !isMethod(method)) {
      throw new Malformed("no method");
    }
    if (method.equals("CONNECT")) {
      throw new Refused(501, "no tunnels here");
    }
    Headers headers = headers(fields, authority, limits);
    if (target == null || target.isEmpty()) {
      throw new Malformed("no path");
    }
    checkTarget(method, target, limits);
    return new RequestHead(
        method, target, headers, length(headers), RequestWords.isAwaiting(headers));
  }

  /// What came behind a body.
  static Headers trailers(Http2Headers fields, HttpLimits limits) throws Malformed {
    Headers.Builder trailers = Headers.builder();
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      String name = field.getKey().toString();
      if (name.startsWith(":")
          || name.equals("content-length")
          || name.equals("host")
          || trailers.size() == limits.headers()) {
        throw new Malformed("no trailer, or too many: " + name);
      }
      add(trailers, name, field.getValue().toString());
    }
    return trailers.build();
  }

  private static @Nullable String single(Http2Headers fields, String name) throws Malformed {
    var values = fields.getAll(name);
    if (values.size() > 1) {
      throw new Malformed(name + " twice");
    }
    return values.isEmpty() ? null : values.getFirst().toString();
  }

  private static Headers headers(Http2Headers fields, @Nullable String authority, HttpLimits limits)
      throws Malformed, Refused {
    Headers.Builder builder = Headers.builder();
    String host = authority;
    StringBuilder cookies = new StringBuilder();
    if (authority != null) {
      add(builder, "host", authority);
    }
    long size = 0;
    int count = 0;
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      String name = field.getKey().toString();
      if (name.startsWith(":")) {
        if (!PSEUDO.contains(name)) {
          throw new Malformed("no pseudo-header of a request: " + name);
        }
        continue;
      }
      String value = field.getValue().toString();
      size += name.length() + value.length();
      if (++count > limits.headers() || size > limits.head()) {
        throw new Refused(431, "too many headers");
      }
      switch (name) {
        case "host" -> {
          if (host == null) {
            host = value;
            add(builder, name, value);
          } else if (!host.equalsIgnoreCase(value)) {
            throw new Malformed("two hosts");
          }
        }
        // Clients send each of them by itself, for the sake of compression.
        case "cookie" -> cookies.append(cookies.isEmpty() ? "" : "; ").append(value);
        default -> add(builder, name, value);
      }
    }
    if (!cookies.isEmpty()) {
      add(builder, "cookie", cookies.toString());
    }
    if (host == null || host.isEmpty()) {
      throw new Refused(400, "no host");
    }
    if (!RequestWords.isHost(host)) {
      throw new Refused(400, "a host that can be none");
    }
    return builder.build();
  }

  private static void add(Headers.Builder builder, String name, String value) throws Malformed {
    if (!value.isEmpty()
        && (isBlank(value.charAt(0)) || isBlank(value.charAt(value.length() - 1)))) {
      throw new Malformed("white space around a value");
    }
    try {
      builder.add(name, value);
    } catch (IllegalArgumentException torn) {
      throw new Malformed("no header: " + name);
    }
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isMethod(String method) {
    for (int i = 0; i < method.length(); i++) {
      if (!RequestWords.isOfMethod(method.charAt(i))) {
        return false;
      }
    }
    return !method.isEmpty();
  }

  private static void checkTarget(String method, String target, HttpLimits limits) throws Refused {
    if (target.length() > limits.line()) {
      throw new Refused(414, "a path of more than " + limits.line() + " bytes");
    }
    boolean all = target.equals("*") && method.equals("OPTIONS");
    if (target.charAt(0) != '/' && !all) {
      throw new Refused(400, "no path");
    }
    for (int i = 0; i < target.length(); i++) {
      if (!RequestWords.isOfTarget(target.charAt(i))) {
        throw new Refused(400, "a character that no path has");
      }
    }
  }

  private static long length(Headers headers) throws Malformed {
    var lengths = headers.all("content-length");
    if (lengths.isEmpty()) {
      return -1;
    }
    String length = lengths.getFirst();
    boolean digits = length.chars().allMatch(c -> c >= '0' && c <= '9');
    if (lengths.size() > 1 || length.isEmpty() || length.length() > 18 || !digits) {
      throw new Malformed("no length");
    }
    return Long.parseLong(length);
  }
}
