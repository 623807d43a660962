// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random trees of scopes and groups whose coroutines fail, are cancelled, time out and clean up, in a
/// random order. Whatever happens, nobody outlives his scope, everything that was to be done at an end
/// is done once, and no limit is exceeded. A failing seed fails again.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopeChaosTest {
  private static final int MOST_LEVELS = 4;

  private static final class Planned extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Tally {
    int begun;
    int ended;
    int finalizersAdded;
    int finalizersRun;
    int opened;
    int left;
  }

  private final Tally tally = new Tally();
  private final CapturedLog logged = new CapturedLog(); // failures that a cancellation would hide
  private Random random = new Random(0);

  @AfterEach
  void close() {
    logged.close();
  }

  static LongStream seeds() {
    Long asked = Long.getLong("couv.test.seed");
    return asked == null ? LongStream.range(0, 40) : LongStream.of(asked);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nobodyOutlivesHisScope(long seed) throws Exception {
    random = new Random(seed);
    Loop.run(
        JumpingTime.options().withShuffle(seed),
        () -> {
          for (int i = 0; i < 5; i++) {
            Coroutine<?> root = Coroutine.spawn(this::plant);
            if (random.nextInt(3) == 0) {
              Time.sleep(Duration.ofMillis(random.nextInt(30)));
              root.cancel();
            }
            try {
              root.await();
            } catch (CancellationException expected) {
              // Either way all below it has ended, which the tally tells.
            }
            assertEquals(tally.begun, tally.ended, "coroutines");
            assertEquals(tally.opened, tally.left, "scopes");
            assertEquals(tally.finalizersAdded, tally.finalizersRun, "finalizers");
            assertEquals(0, Loop.current().stats().timers());
          }
        });
    assertTrue(tally.opened > 0);
  }

  private void plant() throws Exception {
    try {
      grow(0);
    } catch (Planned expected) {
      // It would end the program.
    }
  }

  /// Opens a scope or a group, and lets more of it grow inside.
  private void grow(int level) throws Exception {
    tally.begun++;
    try {
      if (level == MOST_LEVELS || random.nextInt(4) == 0) {
        live();
      } else if (random.nextBoolean()) {
        scope(level);
      } else {
        group(level);
      }
    } finally {
      tally.ended++;
    }
  }

  private void scope(int level) throws Exception {
    int begunBefore = tally.opened++;
    ScopePolicy policy =
        random.nextBoolean() ? ScopePolicy.CANCEL_ON_FAILURE : ScopePolicy.SUPERVISE;
    Scope scope = Scope.open(policy);
    try (scope) {
      if (random.nextInt(3) == 0) {
        scope.onFailure(failure -> Time.sleep(Duration.ofMillis(random.nextInt(5))));
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        tally.finalizersAdded++;
        scope.onEnd(this::finish);
        tally.finalizersAdded++;
        scope.own(this::finish);
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        scope.spawn(() -> grow(level + 1));
      }
      if (random.nextInt(4) == 0) {
        scope.cancelAfter(Duration.ofMillis(random.nextInt(20)));
      }
      live();
    } finally {
      tally.left++;
      assertTrue(scope.isClosed());
      assertTrue(scope.isFinished());
      assertTrue(begunBefore < tally.opened);
    }
  }

  private void group(int level) throws Exception {
    tally.opened++;
    int limit = 1 + random.nextInt(3);
    int[] running = {0};
    try (TaskGroup<Integer> group = TaskGroup.<Integer>open().limit(limit).queue(limit - 1)) {
      for (int i = random.nextInt(6); i > 0; i--) {
        group.spawn(
            () -> {
              running[0]++;
              try {
                assertTrue(running[0] <= limit, "the limit of the group");
                grow(level + 1);
                return 1;
              } finally {
                running[0]--;
              }
            });
      }
      switch (random.nextInt(5)) {
        case 0 -> group.all();
        case 1 -> group.cancel();
        case 2 -> group.forEach(outcome -> {});
        case 3 -> live();
        default -> {}
      }
    } finally {
      tally.left++;
      assertEquals(0, running[0]);
    }
  }

  private void finish() {
    Time.sleep(Duration.ofMillis(random.nextInt(3)));
    tally.finalizersRun++;
    if (random.nextInt(10) == 0) {
      throw new Planned();
    }
  }

  private void live() throws Exception {
    try {
      Time.sleep(Duration.ofMillis(random.nextInt(25)));
      switch (random.nextInt(6)) {
        case 0 -> throw new Planned();
        case 1 -> Coroutine.pause();
        case 2 -> Coroutine.current().cancel();
        default -> {}
      }
      Time.sleep(Duration.ofMillis(1));
    } finally {
      if (random.nextInt(3) == 0) {
        Coroutine.protect(() -> Time.sleep(Duration.ofMillis(random.nextInt(10))));
      }
    }
  }
}
