// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Dates as they are in heads: `Sun, 06 Nov 1994 08:49:37 GMT`. Two older forms are read, and never written (RFC 9110, 5.6.7).
final class HttpDate {
  private static final DateTimeFormatter FORMAT = of("EEE, dd MMM yyyy HH:mm:ss 'GMT'");

  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. A year of two digits is one from 1970 on.
  private static final List<DateTimeFormatter> READ =
      List.of(
          FORMAT,
          of(
              new DateTimeFormatterBuilder()
                  .appendPattern("EEEE, dd-MMM-")
                  .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
                  .appendPattern(" HH:mm:ss 'GMT'")),
          of("EEE MMM ppd HH:mm:ss yyyy"));

  private HttpDate() {}

  private static DateTimeFormatter of(String pattern) {
    return of(new DateTimeFormatterBuilder().appendPattern(pattern));
  }

  private static DateTimeFormatter of(DateTimeFormatterBuilder form) {
    return form.toFormatter(Locale.ENGLISH).withZone(ZoneOffset.UTC);
  }

  static String format(Instant instant) {
    return FORMAT.format(instant);
  }

  /// Null if there is none, or it is no date, which is as good.
  static @Nullable Instant parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    for (DateTimeFormatter form : READ) {
      try {
        return Instant.from(form.parse(text));
      } catch (DateTimeException e) {
        // perhaps another one
      }
    }
    return null;
  }
}
