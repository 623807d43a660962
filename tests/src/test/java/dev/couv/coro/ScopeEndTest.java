// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.strand.Strand;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A scope ends with its last coroutine: not before, and not never.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopeEndTest {
  private final List<Object> log = new ArrayList<>();

  @Test
  void oneThatYieldsUnderProtectionIsEndedWithTheScope() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    Loop.run(
        () -> {
          Coroutine<?> yielding;
          try (Scope scope = Scope.open()) {
            yielding = scope.spawn(() -> Coroutine.protect(() -> log.add(Coroutine.yield(1))));
            Coroutine.pause();
            Strand strand = yielding.strand();
            Loop.current().spawn(() -> rescueUnless(closed, strand));
          }
          closed.set(true);

          assertEquals(Status.CANCELLED, yielding.status());
        });

    assertEquals(List.of(), log);
  }

  /// Ends what would keep the scope from closing for ever, and says so.
  private void rescueUnless(AtomicBoolean closed, Strand strand) {
    for (int turns = 0; !closed.get() && turns < 10_000; turns++) {
      Coroutine.pause();
    }
    if (!closed.get()) {
      log.add("had to be rescued");
      strand.unprotect();
    }
  }

  @Test
  void nobodyLeavesItEarlierHoweverOftenResumed() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> closing =
              Coroutine.spawn(
                  () -> {
                    try (Scope scope = Scope.open()) {
                      scope.spawn(
                          () -> {
                            Time.sleep(Duration.ofMinutes(1));
                            log.add("child ended");
                          });
                    } finally {
                      log.add("scope left");
                    }
                  });
          Time.sleep(Duration.ofSeconds(1));

          assertNull(closing.resume());
          assertNull(closing.resume());
          assertNull(closing.resume());

          assertEquals(Status.SUSPENDED, closing.status());
          assertThrows(Resumed.class, closing::await);
        });

    assertEquals(List.of("child ended", "scope left"), log);
  }

  /// The one that waits for the scope does not block, but nothing else could wake it.
  @Test
  @Tag("loop-scheduled-engine")
  void shuttingDownGivesUpOneThatBlocksInsideAScope() {
    RuntimeException failure = new RuntimeException("the end");
    Semaphore never = new Semaphore(0);
    CountDownLatch over = new CountDownLatch(1);
    AtomicBoolean rescued = new AtomicBoolean();
    Thread.ofPlatform().daemon().start(() -> rescued.set(releaseUnless(over, never)));

    assertSame(
        failure,
        assertThrows(
            RuntimeException.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine<?> around = Coroutine.spawn(() -> waitForBlocked(never));
                      Coroutine.pause();
                      Coroutine.pause();
                      assertEquals(Status.SUSPENDED, around.status());
                      throw failure;
                    })));

    assertFalse(rescued.get(), "the loop waits for ever");
    over.countDown();
    never.release(); // now it can end after all
  }

  private static void waitForBlocked(Semaphore never) throws Exception {
    try (Scope scope = Scope.open()) {
      scope.spawn(() -> never.acquireUninterruptibly());
    }
  }

  private static boolean releaseUnless(CountDownLatch over, Semaphore never) {
    try {
      if (over.await(60, TimeUnit.SECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    never.release();
    return true;
  }
}
