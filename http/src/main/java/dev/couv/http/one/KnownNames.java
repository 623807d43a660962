// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/// The names of headers that most requests have, so that none of them is made anew for each request.
final class KnownNames {
  static final String HOST = "host";
  static final String CONNECTION = "connection";
  static final String CONTENT_LENGTH = "content-length";
  static final String TRANSFER_ENCODING = "transfer-encoding";
  static final String EXPECT = "expect";
  static final String DATE = "date";
  static final String SERVER = "server";

  private static final String[] NAMES = {
    HOST,
    CONNECTION,
    CONTENT_LENGTH,
    TRANSFER_ENCODING,
    EXPECT,
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "authorization",
    "cache-control",
    "content-encoding",
    "content-type",
    "cookie",
    DATE,
    "dnt",
    "forwarded",
    "from",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "last-event-id",
    "origin",
    "pragma",
    "priority",
    "range",
    "referer",
    "sec-ch-ua",
    "sec-ch-ua-mobile",
    "sec-ch-ua-platform",
    "sec-fetch-dest",
    "sec-fetch-mode",
    "sec-fetch-site",
    "sec-fetch-user",
    "sec-websocket-extensions",
    "sec-websocket-key",
    "sec-websocket-protocol",
    "sec-websocket-version",
    "te",
    "trailer",
    "traceparent",
    "tracestate",
    "upgrade",
    "upgrade-insecure-requests",
    "user-agent",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
    "x-request-id",
    "x-requested-with",
  };

  /// By [#place], in the first free one behind it.
  private static final @Nullable AsciiString[] TABLE = new AsciiString[256];

  static {
    for (String name : NAMES) {
      AsciiString known = AsciiString.cached(name); // whose text is the constant itself
      int at = place(known.array(), 0, known.length());
      while (TABLE[at] != null) {
        at = (at + 1) & 255;
      }
      TABLE[at] = known;
    }
  }

  private KnownNames() {}

  /// The name as it is known, in small letters; null if it is not.
  static @Nullable AsciiString find(byte[] bytes, int start, int length) {
    if (length == 0) {
      return null;
    }
    int at = place(bytes, start, length);
    for (AsciiString known; (known = TABLE[at]) != null; at = (at + 1) & 255) {
      if (known.length() == length && isSame(known.array(), bytes, start, length)) {
        return known;
      }
    }
    return null;
  }

  /// Letters that differ in case only have the same place.
  private static int place(byte[] bytes, int start, int length) {
    int first = bytes[start] | 0x20;
    int last = bytes[start + length - 1] | 0x20;
    int middle = bytes[start + length / 2] | 0x20;
    return (length * 7 + first * 31 + last * 13 + middle * 5) & 255;
  }

  /// Only of letters and dashes: a sign whose bit 0x20 is off would not be told from another one otherwise.
  private static boolean isSame(byte[] known, byte[] bytes, int start, int length) {
    for (int i = 0; i < length; i++) {
      byte b = bytes[start + i];
      if (b >= 'A' && b <= 'Z') {
        b = (byte) (b + 32);
      }
      if (b != known[i]) {
        return false;
      }
    }
    return true;
  }
}
