// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The header `Date`, put together once in a second.
public final class CurrentDate {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private long second;
  private String text = "";

  /// As it is now: in the same second the same object.
  public String text() {
    long now = System.currentTimeMillis() / 1000;
    if (now != second) {
      second = now;
      text = DATE.format(Instant.ofEpochSecond(now));
    }
    return text;
  }
}
