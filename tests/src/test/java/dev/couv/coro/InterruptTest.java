// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Interrupts and stray unparks: they are for plain Java code, and neither end nor disturb an await.
class InterruptTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  void anInterruptedCoroutineStillAwaitsAndKeepsTheFlag() throws Exception {
    Thread.currentThread().interrupt();
    long before = System.nanoTime();

    Time.sleep(SHORT);

    assertTrue(System.nanoTime() - before >= SHORT.toNanos());
    assertTrue(Thread.interrupted());
    Time.sleep(Duration.ofMillis(1));
    assertFalse(Thread.interrupted());
  }

  @InLoop
  @Test
  void anInterruptedCoroutineStillPausesYieldsAndResumes() throws Exception {
    Thread.currentThread().interrupt();
    Coroutine<?> other = Coroutine.spawn(() -> log.add("other"));
    Coroutine.pause();
    assertEquals(List.of("other"), log);
    other.await();
    Coroutine<?> generator = Coroutine.create(() -> Coroutine.yield(1));
    assertEquals(1, generator.resume());
    assertEquals(2, generator.resume(2));
    assertTrue(Thread.interrupted());
  }

  @InLoop
  @Test
  void interruptingASuspendedCoroutinesThreadDoesNotWakeIt() throws Exception {
    List<Thread> threads = new ArrayList<>();
    Coroutine<?> halted =
        Coroutine.spawn(
            () -> {
              threads.add(Thread.currentThread());
              log.add(Coroutine.halt());
              log.add(Thread.interrupted());
            });
    Coroutine.pause();

    threads.getFirst().interrupt();
    for (int i = 0; i < 5; i++) {
      Coroutine.pause();
    }
    assertEquals(Status.SUSPENDED, halted.status());
    assertEquals(List.of(), log);

    halted.resume("v");
    assertEquals(List.of("v", true), log);
  }

  /// The stray wake-up has queued the continuation already: resuming it must neither lose it nor
  /// run it twice.
  @InLoop
  @Test
  void aStrayUnparkJustBeforeTheResumeLosesNothing() throws Exception {
    List<Thread> threads = new ArrayList<>();
    Coroutine<?> echo =
        Coroutine.create(
            () -> {
              threads.add(Thread.currentThread());
              Object got = Coroutine.yield("begun");
              while (true) {
                got = Coroutine.yield("echo " + got);
              }
            });
    echo.resume();

    for (int i = 0; i < 100; i++) {
      LockSupport.unpark(threads.getFirst());
      assertEquals("echo " + i, echo.resume(i));
    }
  }

  @InLoop
  @Test
  void strayUnparksFromAnotherThreadLoseNothing() throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    Coroutine<?> echo =
        Coroutine.create(
            () -> {
              thread.complete(Thread.currentThread());
              Object got = Coroutine.yield("begun");
              while (true) {
                got = Coroutine.yield("echo " + got);
              }
            });
    echo.resume();
    Thread main = Thread.currentThread();
    CompletableFuture<Void> stop = new CompletableFuture<>();
    Thread stray =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!stop.isDone()) {
                    LockSupport.unpark(thread.join());
                    LockSupport.unpark(main);
                    thread.join().interrupt();
                  }
                });

    for (int i = 0; i < 1000; i++) {
      assertEquals("echo " + i, echo.resume(i));
      if (i % 10 == 0) {
        Coroutine.pause();
      }
      if (i % 100 == 0) {
        Time.sleep(Duration.ofMillis(1));
      }
    }

    stop.complete(null);
    Loop.offload(
        () -> {
          stray.join();
          return null;
        });
  }

  @Test
  void interruptingTheLoopsThreadEndsNothing() throws Exception {
    Thread loopThread = Thread.currentThread();
    Loop.run(
        () -> {
          // Again and again: the JDK clears one that comes while the thread carries a coroutine.
          Loop.offload(
              () -> {
                for (int i = 0; i < 50; i++) {
                  loopThread.interrupt();
                  LockSupport.parkNanos(200_000);
                }
                return null;
              });
          Time.sleep(SHORT);
          log.add("slept");
          loopThread.interrupt();
          Coroutine.pause();
          assertFalse(Thread.currentThread().isInterrupted());
        });

    assertEquals(List.of("slept"), log);
    assertTrue(Thread.interrupted(), "it is still there for whoever runs the loop");
  }

  /// An interrupt that stays set must not turn every wait of the loop into a spin.
  @Test
  void anInterruptedLoopThreadDoesNotSpin() throws Exception {
    Thread.currentThread().interrupt();
    long turns =
        Loop.run(
            () -> {
              long before = Loop.current().stats().iterations();
              Time.sleep(Duration.ofMillis(50));
              return Loop.current().stats().iterations() - before;
            });

    assertTrue(Thread.interrupted());
    assertTrue(turns < 20, turns + " turns");
  }

  @InLoop
  @Test
  void anInterruptedCoroutineDoesNotSpin() throws Exception {
    Thread.currentThread().interrupt();
    long before = Loop.current().stats().iterations();
    Time.sleep(Duration.ofMillis(50));
    assertTrue(Thread.interrupted());
    long turns = Loop.current().stats().iterations() - before;
    assertTrue(turns < 20, turns + " turns");
  }

  @Test
  void anInterruptedThreadRunsWholePrograms() throws Exception {
    Thread.currentThread().interrupt();

    assertEquals(
        "result",
        Loop.run(
            () -> {
              assertFalse(Thread.currentThread().isInterrupted());
              return Loop.offload(() -> "result");
            }));

    assertTrue(Thread.interrupted());
  }

  @Test
  void aBlockedLoopThreadIsNotFreedByAnInterruptOfItsCoroutine() throws Exception {
    try (RunningLoop running = new RunningLoop()) {
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      CompletableFuture<Object> slept =
          running.loop.submit(
              () -> {
                thread.complete(Thread.currentThread());
                Time.sleep(SHORT);
                return Thread.interrupted();
              });

      thread.get(60, TimeUnit.SECONDS).interrupt();

      assertEquals(true, slept.get(60, TimeUnit.SECONDS));
    }
  }
}
