// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Waits that are longer than the clock can count.
class HostileTimesTest {
  /// The machine's clock, moved on by hand.
  private final AtomicLong skipped = new AtomicLong();

  private final LoopOptions options =
      LoopOptions.DEFAULT.withTime(() -> System.nanoTime() + skipped.get());

  /// The other deadline has passed when the endless wait begins, so that their difference would
  /// overflow and the endless one be the next.
  @Test
  @Tag("loop-scheduled-engine")
  void anEndlessWaitOfTheJdkHidesNoEarlierDeadline() throws Exception {
    CountDownLatch woken = new CountDownLatch(1);
    AtomicBoolean rescued = new AtomicBoolean();
    Loop.run(
        options,
        () -> {
          Loop loop = Loop.current();
          Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(Duration.ofMillis(20)));
          Coroutine<?> endless =
              Coroutine.spawn(
                  () -> {
                    skipped.addAndGet(Duration.ofMillis(40).toNanos());
                    Thread.sleep(Long.MAX_VALUE);
                  });
          Thread.ofPlatform()
              .daemon()
              .start(() -> rescued.set(!isDown(woken) && cancelAll(loop, sleeper, endless)));

          sleeper.await();

          woken.countDown();
          assertEquals(Status.SUSPENDED, endless.status());
          endless.cancel();
        });

    assertFalse(rescued.get(), "the sleeper was never woken");
  }

  private static boolean isDown(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Ends what would hang for ever.
  private static boolean cancelAll(Loop loop, Coroutine<?>... hanging) {
    loop.post(
        () -> {
          for (Coroutine<?> coroutine : hanging) {
            coroutine.cancel("the test hangs");
          }
        });
    return true;
  }
}
