// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.time.Time;
import java.time.Duration;

/// Some coroutines sleep and wake, and then many more at once.
final class SleepersProgram {
  static final int MANY = 60_000;

  private static int woken;

  private SleepersProgram() {}

  public static void main(String[] args) throws Exception {
    Loop.run(() -> sleepers(20_000, 100));
    woken = 0;
    Loop.run(() -> sleepers(MANY, 2_000));
    IO.println("woken " + woken);
  }

  private static void sleepers(int count, int millis) {
    Duration time = Duration.ofMillis(millis);
    for (int i = 0; i < count; i++) {
      Coroutine.spawn(
          () -> {
            Time.sleep(time);
            woken++;
          });
    }
  }
}
