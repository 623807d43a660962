// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Dates as they are in heads: `Sun, 06 Nov 1994 08:49:37 GMT`.
final class HttpDate {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private HttpDate() {}

  static String format(Instant instant) {
    return FORMAT.format(instant);
  }

  /// Null if there is none, or it is no date, which is as good.
  static @Nullable Instant parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return Instant.from(FORMAT.parse(text));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
