// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Coroutines are cheap enough to have one for everything. They sleep in virtual time; the leak check
/// sees to it that nothing is left of them.
@Tag("storm")
class ManyCoroutinesTest {
  private int ended;

  @Test
  void aHundredThousandStartSleepAndEnd() throws Exception {
    startSleepAndEnd(100_000);
  }

  @Test
  @Tag("loop-scheduled-engine")
  void aMillionStartSleepAndEndOnTheDefaultHeap() throws Exception {
    startSleepAndEnd(1_000_000);
  }

  private void startSleepAndEnd(int coroutines) throws Exception {
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          for (int i = 0; i < coroutines; i++) {
            Coroutine.spawn(this::sleep);
          }
          Coroutine.pause(); // everyone has begun when this ends

          assertEquals(coroutines + 1, Loop.current().stats().coroutines());
          assertEquals(coroutines, Loop.current().stats().timers());
        });

    assertEquals(coroutines, ended);
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  private void sleep() {
    Time.sleep(Duration.ofHours(1));
    ended++;
  }
}
