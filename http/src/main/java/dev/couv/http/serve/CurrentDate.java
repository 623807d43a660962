// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import dev.couv.time.Time;
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

  /// As it is now, by the loop's clock: in the same second the same object. In a coroutine.
  public String text() {
    long now = Time.now().getEpochSecond();
    if (now != second) {
      second = now;
      text = DATE.format(Instant.ofEpochSecond(now));
    }
    return text;
  }
}
