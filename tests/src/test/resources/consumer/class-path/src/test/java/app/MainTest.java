// SPDX-License-Identifier: Apache-2.0
package app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Loop;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A coroutine, with virtual time and the leak check.
@InLoop
class MainTest {
  @Test
  void sleepsAnHour(TestClock clock) {
    Time.sleep(Duration.ofHours(1));

    assertEquals("loop-scheduled", Loop.current().stats().engine());
  }
}
