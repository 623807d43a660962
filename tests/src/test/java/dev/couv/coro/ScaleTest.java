// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Many coroutines that have to do with each other. How many can sleep is [ManyCoroutinesTest]'s.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScaleTest {
  private static final int MANY = 10_000;

  private int ended;

  @Test
  void aCancelledScopeOfManyEnds() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            for (int i = 0; i < MANY; i++) {
              scope.spawn(
                  () -> {
                    try {
                      Time.sleep(Duration.ofHours(1));
                    } finally {
                      ended++;
                    }
                  });
            }
            Coroutine.pause();
            scope.cancel();
          }
          assertEquals(0, Loop.current().stats().timers());
        });

    assertEquals(MANY, ended);
  }

  /// Each awaits the one before: the first to end wakes a chain.
  @Test
  void aLongChainOfAwaits() throws Exception {
    int result =
        Loop.run(
            JumpingTime.options(),
            () -> {
              Coroutine<Integer> last =
                  Coroutine.spawn(
                      () -> {
                        Time.sleep(Duration.ofHours(1));
                        return 0;
                      });
              for (int i = 0; i < MANY; i++) {
                Coroutine<Integer> before = last;
                last = Coroutine.spawn(() -> before.await() + 1);
              }
              return last.await();
            });

    assertEquals(MANY, result);
  }

  /// Resuming nests as deep as the stack of a call would.
  @Test
  void deeplyNestedResumes() throws Exception {
    int depth = 2_000;
    assertEquals(depth, Loop.run(() -> nest(depth)));
  }

  private static int nest(int depth) throws Exception {
    if (depth == 0) {
      return 0;
    }
    Coroutine<Integer> inner = Coroutine.create(() -> nest(depth - 1));
    return 1 + (int) inner.resume();
  }
}
