// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.http.HttpLimits;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long a body is waited for.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class BodyPaceTest {
  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, 30",
    "256, 0, 20, 10",
    "256, 2560, 20, 20",
    "256, 2560, 50, 0",
    "1, 10000000000, 0, 30",
    "1, 10000000000, 3600, 30",
    "256, 2400000000000, 0, 30",
    "1, 9223372036854775807, 3600, 30",
    "0, 5, 3600, 30"
  })
  void isAsLongAsItsBytesAreWorth(int rate, long taken, long waited, long seconds) {
    BodyPace pace = new BodyPace(HttpLimits.DEFAULT.withBodyRate(rate), 0);
    pace.waited(Duration.ofSeconds(waited).toNanos());

    assertEquals(Duration.ofSeconds(seconds), pace.patience(taken));
  }
}
