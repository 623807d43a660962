// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What other threads may do with a loop: here the test's thread, with a loop that runs on another.
class OtherThreadsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());
  private RunningLoop running;

  @BeforeEach
  void start() throws Exception {
    running = new RunningLoop();
  }

  @AfterEach
  void stop() throws Exception {
    running.close();
  }

  @Test
  void submitTellsTheResult() throws Exception {
    CompletableFuture<String> submitted =
        running.loop.submit(
            () -> {
              Time.sleep(Duration.ofMillis(1));
              return "result";
            });

    assertEquals("result", submitted.get(60, TimeUnit.SECONDS));
  }

  @Test
  void submitTellsTheFailureAndNobodyElseHearsOfIt() throws Exception {
    IOException failure = new IOException("its own");
    try (CapturedLog logged = new CapturedLog()) {
      CompletableFuture<?> submitted =
          running.loop.submit(
              () -> {
                throw failure;
              });

      ExecutionException told =
          assertThrows(ExecutionException.class, () -> submitted.get(60, TimeUnit.SECONDS));

      assertSame(failure, told.getCause());
      running.turn();
      running.turn();
      assertEquals(List.of(), logged.messages());
    }
  }

  @Test
  void cancellingTheFutureCancelsTheCoroutine() throws Exception {
    CountDownLatch sleeping = new CountDownLatch(1);
    CountDownLatch unwound = new CountDownLatch(1);
    CompletableFuture<?> submitted =
        running.loop.submit(
            () -> {
              try {
                sleeping.countDown();
                Time.sleep(HOUR);
              } finally {
                unwound.countDown();
              }
              return null;
            });
    assertTrue(sleeping.await(60, TimeUnit.SECONDS));

    assertTrue(submitted.cancel(true));

    assertTrue(unwound.await(60, TimeUnit.SECONDS));
  }

  @Test
  void cancellingTheCoroutineCancelsTheFuture() throws Exception {
    CompletableFuture<?> submitted =
        running.loop.submit(
            () -> {
              Coroutine.current().cancel("by itself");
              Coroutine.pause();
              return null;
            });

    assertThrows(CancellationException.class, () -> submitted.get(60, TimeUnit.SECONDS));
  }

  @Test
  void completingTheFutureByHandLeavesTheCoroutineGoing() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    CompletableFuture<String> submitted =
        running.loop.submit(
            () -> {
              Loop.offload(
                  () -> {
                    go.await();
                    return null;
                  });
              ended.countDown();
              return "too late";
            });

    submitted.complete("by hand");
    go.countDown();

    assertTrue(ended.await(60, TimeUnit.SECONDS));
    assertEquals("by hand", submitted.get());
  }

  @Test
  void postRunsTheTaskInACoroutineOfTheLoop() throws Exception {
    CompletableFuture<Object> seen = new CompletableFuture<>();

    running.loop.post(
        () -> {
          Coroutine.pause();
          seen.complete(Loop.current());
        });

    assertSame(running.loop, seen.get(60, TimeUnit.SECONDS));
  }

  @Test
  void postsOfOneThreadRunInOrder() throws Exception {
    for (int i = 0; i < 1000; i++) {
      int number = i;
      running.loop.post(() -> log.add(number));
    }
    running.turn();

    assertEquals(1000, log.size());
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, log.get(i));
    }
  }

  @Test
  void spawnGivesACoroutineOfTheLoop() throws Exception {
    CompletableFuture<Object> seen = new CompletableFuture<>();

    Coroutine<?> spawned = running.loop.spawn(() -> seen.complete(Coroutine.current()));

    assertSame(spawned, seen.get(60, TimeUnit.SECONDS));
    running.turn();
    assertEquals(Status.DONE, spawned.status());
  }

  @Test
  void manyThreadsSubmitAtOnceAndNothingIsLost() throws Exception {
    int threads = 4;
    int each = 2000;
    Set<Object> ran = ConcurrentHashMap.newKeySet();
    List<Thread> submitters = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(threads * each);
    for (int t = 0; t < threads; t++) {
      int thread = t;
      submitters.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      int number = i;
                      running.loop.post(
                          () -> {
                            ran.add(thread * each + number);
                            done.countDown();
                          });
                    }
                  }));
    }

    assertTrue(done.await(60, TimeUnit.SECONDS), () -> done.getCount() + " are missing");
    assertEquals(threads * each, ran.size());
    for (Thread submitter : submitters) {
      submitter.join();
    }
  }

  @Test
  void dumpAnswersFromAnotherThread() throws Exception {
    running.loop.spawn(() -> Time.sleep(HOUR)).named("sleeper");
    running.turn();

    String dump = running.loop.dump();

    assertTrue(dump.contains("sleeper SUSPENDED, awaiting Time.sleep"), dump);
  }

  @Test
  void dumpOfALoopThatIsBusyTellsWhereItsThreadIs() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    running.loop.spawn(
        () -> {
          busy.countDown();
          while (go.getCount() > 0) {
            Thread.onSpinWait();
          }
        });
    assertTrue(busy.await(60, TimeUnit.SECONDS));

    String dump = running.loop.dump();
    go.countDown();

    assertTrue(dump.contains("has not answered"), dump);
    assertTrue(dump.contains("dev.couv.coro"), dump);
  }

  // ---- what they may not do

  @Test
  void everythingElseIsRefusedAndChangesNothing() throws Exception {
    Coroutine<?> sleeper = running.loop.spawn(() -> Time.sleep(HOUR)).named("sleeper");
    running.turn();

    for (Action use :
        List.<Action>of(
            sleeper::resume,
            sleeper::await,
            sleeper::cancel,
            () -> sleeper.onEnd((_, _) -> log.add("ended")),
            () -> sleeper.scope().cancel(),
            () -> sleeper.scope().spawn(() -> log.add("spawned")),
            () -> sleeper.scope().join(),
            running.loop::stats,
            running.loop::close,
            () -> running.loop.run(Mode.READY))) {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> use.run(), "refused");
      assertTrue(refused.getMessage().length() > 10, refused.getMessage());
    }

    running.turn();
    assertEquals(Status.SUSPENDED, sleeper.status());
    assertEquals(List.of(), log);
  }

  /// The handle belongs to one loop, the caller to another.
  @Test
  void aCoroutineOfAnotherLoopIsRefusedToo() throws Exception {
    Coroutine<?> theirs = running.loop.spawn(() -> Time.sleep(HOUR)).named("theirs");
    running.turn();

    Loop.run(
        () -> {
          for (Action use :
              List.<Action>of(
                  theirs::resume,
                  theirs::await,
                  theirs::cancel,
                  () -> theirs.scope().spawn(() -> log.add("spawned")))) {
            IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> use.run());
            assertTrue(refused.getMessage().contains("another loop"), refused.getMessage());
          }
          Coroutine.pause();
        });

    running.turn();
    assertEquals(Status.SUSPENDED, theirs.status());
    assertEquals(List.of(), log);
  }

  // ---- two loops

  @Test
  void twoLoopsTalkThroughFutures() throws Exception {
    String answer =
        Loop.run(
            () -> {
              CompletableFuture<String> asked =
                  running.loop.submit(
                      () -> {
                        Time.sleep(Duration.ofMillis(1));
                        return "from the other loop";
                      });
              return Loop.offload(asked::get);
            });

    assertEquals("from the other loop", answer);
  }

  @Test
  void twoLoopsRunAtTheSameTime() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Body<Boolean> meet =
        () -> {
          both.countDown();
          while (both.getCount() > 0) {
            Coroutine.pause();
          }
          return true;
        };

    CompletableFuture<Boolean> there = running.loop.submit(meet);

    assertTrue(Loop.run(meet));
    assertTrue(there.get(60, TimeUnit.SECONDS));
  }

  @Test
  void afterTheCloseOtherThreadsAreRefused() throws Exception {
    running.close();

    assertThrows(ClosedException.class, () -> running.loop.post(() -> log.add("ran")));
    assertFalse(running.loop.isRunning());
    assertEquals(List.of(), log);
  }

  /// Some come just before the end and some after it: each is told, one way or the other.
  @Test
  void everyFutureEndsHoweverTheSubmitMeetsTheClose() throws Exception {
    for (int round = 0; round < 50; round++) {
      List<CompletableFuture<?>> futures = new ArrayList<>();
      RunningLoop closing = new RunningLoop();
      Thread submitter =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) {
                        CompletableFuture<?> next = closing.loop.submit(() -> "ran");
                        futures.add(next);
                        if (futures.size() % 16 == 0) {
                          next.get(60, TimeUnit.SECONDS);
                        }
                      }
                    } catch (ClosedException | CancellationException closed) {
                      // Now it is.
                    } catch (InterruptedException | ExecutionException | TimeoutException e) {
                      log.add(e);
                    }
                  });
      closing.turn();
      closing.close();
      submitter.join();
      for (CompletableFuture<?> future : futures) {
        try {
          assertEquals("ran", future.get(60, TimeUnit.SECONDS));
        } catch (CancellationException told) {
          // So it came too late.
        }
      }
      assertEquals(List.of(), log);
    }
  }
}
