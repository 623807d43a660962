// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.TaskGroup;
import dev.couv.pool.LoopPool;
import dev.couv.sync.Chan;
import dev.couv.sync.Mutex;
import dev.couv.sync.Promise;
import dev.couv.sync.Topic;
import dev.couv.time.Time;
import dev.couv.tty.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Defects of the systems Couv learned from, where no other test shows that it does not have them. The
/// list is in `docs/internals/behaviours.md`.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class KnownDefectsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// CoUtil 1: each state closed the standard descriptors that all of them shared.
  @Test
  void aLoopThatEndsLeavesTheStandardDescriptorsToTheOthers() throws Exception {
    List<Path> before = standardDescriptors();
    for (int i = 0; i < 3; i++) {
      Thread other =
          Thread.ofPlatform().start(() -> assertRuns(() -> Terminal.stdout().tryWrite(nothing())));
      assertTrue(other.join(Duration.ofSeconds(60)), "it hangs");
      assertRuns(() -> Terminal.stderr().tryWrite(nothing()));
    }

    assertEquals(before, standardDescriptors());
  }

  private static java.nio.ByteBuffer nothing() {
    return java.nio.ByteBuffer.allocate(0);
  }

  private static void assertRuns(dev.couv.coro.Action body) {
    try {
      Loop.run(body);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static List<Path> standardDescriptors() throws IOException {
    List<Path> targets = new ArrayList<>();
    for (int fd = 0; fd <= 2; fd++) {
      targets.add(Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)));
    }
    return targets;
  }

  /// CoUtil 5: a waiter that was ended from outside took the event with it.
  @InLoop
  @Test
  void anEventForOneIsNotLostOnAWaiterThatWasCancelled() throws Exception {
    Coroutine<Object> first = Coroutine.spawn(() -> Topic.await("key"));
    Coroutine<Object> second = Coroutine.spawn(() -> Topic.await("key"));
    Coroutine.pause();

    first.cancel();
    assertTrue(Topic.emitOne("key", "value"));

    assertEquals("value", second.await());
    assertFalse(Topic.emitOne("key", "again"));
  }

  /// CoUtil 6: a match for a task of a closed pool without threads aborted the process.
  @Test
  void aTaskThatWaitsWhenItsPoolIsMadeSmallAndClosedStillEnds() throws Exception {
    try (Chan<Integer> chan = Chan.named("wakes a task")) {
      LoopPool pool = LoopPool.open(1);
      CountDownLatch waiting = new CountDownLatch(1);
      Promise<Integer> result =
          pool.submit(
              () -> {
                waiting.countDown();
                return chan.receive();
              });
      assertTrue(waiting.await(60, TimeUnit.SECONDS));
      pool.resize(0);
      Thread closing = Thread.ofPlatform().start(pool::close);

      chan.send(1);

      assertEquals(1, result.await());
      assertTrue(closing.join(Duration.ofSeconds(60)), "it hangs");
    }
  }

  /// TrueAsync 4: a failure that `all` had thrown was reported again by the end of the group.
  @InLoop
  @Test
  void whatAllHasThrownTheEndOfTheGroupDoesNotThrowAgain() throws Exception {
    IOException failure = new IOException("once");
    try (TaskGroup<String> group = TaskGroup.open()) {
      group.spawn(
          () -> {
            throw failure;
          });
      assertSame(failure, assertThrows(IOException.class, group::all));
    }
  }

  /// TrueAsync 7: a channel was closed when the last coroutine of its scope had ended.
  @InLoop
  @Test
  void aChannelOutlivesTheCoroutinesThatUsedIt() throws Exception {
    Chan<Integer> chan = Chan.create(2);
    try (Scope scope = Scope.open()) {
      scope.spawn(() -> chan.send(1));
      scope.join();
      scope.spawn(() -> chan.send(2));
    }

    assertFalse(chan.isClosed());
    assertEquals(1, chan.receive());
    assertEquals(2, chan.receive());
  }

  /// TrueAsync 8: every retry of a contended wait began its time anew.
  @Test
  void aTimeLimitIsADeadlineHoweverOftenOthersAreServedFirst() throws Exception {
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          Mutex mutex = new Mutex();
          try (Scope scope = Scope.open()) {
            for (int i = 0; i < 10; i++) {
              scope.spawn(
                  () -> {
                    try (var _ = mutex.hold()) {
                      Time.sleep(Duration.ofMillis(300));
                    }
                  });
            }
            Coroutine.pause();
            long start = Time.nanos();

            assertThrows(
                TimeoutException.class,
                () ->
                    Time.timeout(
                        SECOND,
                        () -> {
                          mutex.lock();
                          return null;
                        }));

            assertEquals(SECOND.toNanos(), Time.nanos() - start);
          }
        });
  }

  /// TrueAsync 14: the number of waiting tasks was counted too late, and could be less than none.
  @Test
  void noCountOfAPoolIsEverNegative() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Object> wrong = new ArrayList<>();
    try (LoopPool pool = LoopPool.open(2)) {
      Thread watching =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over.get() && wrong.isEmpty()) {
                      var stats = pool.stats();
                      if (stats.pending() < 0 || stats.running() < 0 || stats.suspended() < 0) {
                        wrong.add(stats);
                      }
                    }
                  });
      for (int i = 0; i < 2000; i++) {
        pool.submit(() -> {});
      }
      pool.submit(() -> {}).await();
      over.set(true);
      assertTrue(watching.join(Duration.ofSeconds(60)), "it hangs");
    }

    assertEquals(List.of(), wrong);
  }
}
