// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// JDK calls that block park the coroutine and not the loop. On the other engine they block the loop,
/// as its documentation says.
@Tag("loop-scheduled-engine")
class JdkBlockingTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  /// A call that blocks until another coroutine does something about it.
  record Blocking(String name, Action block, Action release) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Blocking> calls() {
    return Stream.of(
        lock(),
        condition(),
        monitor(),
        objectWait(),
        semaphore(),
        latch(),
        queue(),
        rendezvous(),
        future(),
        park(),
        join());
  }

  private static Blocking lock() {
    ReentrantLock lock = new ReentrantLock();
    CompletableFuture<Void> release = new CompletableFuture<>();
    return new Blocking(
        "ReentrantLock.lock",
        () -> {
          Coroutine.spawn(
              () -> {
                lock.lock();
                try {
                  while (!release.isDone()) {
                    Time.sleep(Duration.ofMillis(1));
                  }
                } finally {
                  lock.unlock();
                }
              });
          Coroutine.pause(); // now it is taken
          lock.lock();
          lock.unlock();
        },
        () -> release.complete(null));
  }

  private static Blocking condition() {
    ReentrantLock lock = new ReentrantLock();
    Condition condition = lock.newCondition();
    return new Blocking(
        "Condition.await",
        () -> {
          lock.lock();
          try {
            condition.await();
          } finally {
            lock.unlock();
          }
        },
        () -> {
          lock.lock();
          try {
            condition.signal();
          } finally {
            lock.unlock();
          }
        });
  }

  private static Blocking monitor() {
    Object monitor = new Object();
    CompletableFuture<Void> release = new CompletableFuture<>();
    return new Blocking(
        "synchronized",
        () -> {
          Coroutine.spawn(
              () -> {
                synchronized (monitor) {
                  while (!release.isDone()) {
                    Time.sleep(Duration.ofMillis(1));
                  }
                }
              });
          Coroutine.pause(); // now it is taken
          synchronized (monitor) {
            assertTrue(release.isDone());
          }
        },
        () -> release.complete(null));
  }

  private static Blocking objectWait() {
    Object monitor = new Object();
    return new Blocking(
        "Object.wait",
        () -> {
          synchronized (monitor) {
            monitor.wait();
          }
        },
        () -> {
          synchronized (monitor) {
            monitor.notifyAll();
          }
        });
  }

  private static Blocking semaphore() {
    Semaphore semaphore = new Semaphore(0);
    return new Blocking("Semaphore.acquire", semaphore::acquire, semaphore::release);
  }

  private static Blocking latch() {
    CountDownLatch latch = new CountDownLatch(1);
    return new Blocking("CountDownLatch.await", latch::await, latch::countDown);
  }

  private static Blocking queue() {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    return new Blocking("BlockingQueue.take", queue::take, () -> queue.put(1));
  }

  private static Blocking rendezvous() {
    BlockingQueue<Integer> queue = new SynchronousQueue<>();
    return new Blocking("SynchronousQueue.put", () -> queue.put(1), queue::take);
  }

  private static Blocking future() {
    CompletableFuture<Integer> future = new CompletableFuture<>();
    return new Blocking("CompletableFuture.get", future::get, () -> future.complete(1));
  }

  private static Blocking park() {
    CompletableFuture<Thread> parked = new CompletableFuture<>();
    return new Blocking(
        "LockSupport.park",
        () -> {
          parked.complete(Thread.currentThread());
          LockSupport.park();
        },
        () -> LockSupport.unpark(parked.getNow(null)));
  }

  private static Blocking join() {
    CountDownLatch latch = new CountDownLatch(1);
    return new Blocking(
        "Thread.join",
        () ->
            Thread.startVirtualThread(
                    () -> {
                      try {
                        latch.await();
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      }
                    })
                .join(),
        latch::countDown);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void othersMakeProgressMeanwhile(Blocking call) throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> blocked =
              Coroutine.spawn(
                  () -> {
                    call.block().run();
                    log.add("released");
                    Time.sleep(Duration.ofMillis(1)); // it can still await
                    log.add("slept");
                  });
          for (int i = 0; i < 5; i++) {
            Time.sleep(Duration.ofMillis(1));
            log.add(i);
          }
          assertEquals(Status.SUSPENDED, blocked.status());
          call.release().run();
          blocked.await();
        });

    assertEquals(List.of(0, 1, 2, 3, 4, "released", "slept"), log);
  }

  @InLoop
  @Test
  void aSleepOfTheJdkUsesTheLoopsTimers() throws Exception {
    List<Coroutine<?>> sleepers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sleepers.add(Coroutine.spawn(() -> Thread.sleep(3_600_000)));
    }
    Coroutine.pause();

    assertEquals(100, Loop.current().stats().timers());
    for (Coroutine<?> sleeper : sleepers) {
      sleeper.cancel();
      assertThrows(CancellationException.class, sleeper::await);
    }
    assertEquals(0, Loop.current().stats().timers());
  }

  @InLoop
  @Test
  void aSleepOfTheJdkEndsAndNotEarly() throws Exception {
    List<Coroutine<?>> sleepers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sleepers.add(
          Coroutine.spawn(
              () -> {
                long before = System.nanoTime();
                Thread.sleep(20);
                assertTrue(System.nanoTime() - before >= 20_000_000);
                log.add("slept");
              }));
    }
    for (Coroutine<?> sleeper : sleepers) {
      sleeper.await();
    }
    assertEquals(100, log.size());
    assertEquals(0, Loop.current().stats().timers());
  }

  @InLoop
  @Test
  void aTimedWaitThatEndsEarlyLeavesNoTimer() throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    Coroutine<Integer> polling = Coroutine.spawn(() -> queue.poll(1, TimeUnit.HOURS));
    Coroutine.pause();
    assertEquals(1, Loop.current().stats().timers());

    queue.put(7);

    assertEquals(7, polling.await());
    assertEquals(0, Loop.current().stats().timers());
  }

  @Test
  void aSocketOfTheJdkParksOnlyItsCoroutine() throws Exception {
    Loop.run(
        () -> {
          try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Coroutine<Integer> accepting =
                Coroutine.spawn(
                    () -> {
                      try (Socket accepted = server.accept()) {
                        return accepted.getInputStream().read();
                      }
                    });
            for (int i = 0; i < 3; i++) {
              Time.sleep(Duration.ofMillis(1));
              log.add(i);
            }
            try (Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
              Time.sleep(Duration.ofMillis(1));
              client.getOutputStream().write(42);
              assertEquals(42, accepting.await());
            }
          }
        });

    assertEquals(List.of(0, 1, 2), log);
  }

  @Test
  void aThreadThatYieldsComesBackLikeAnyOther() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> yielding =
              Coroutine.spawn(
                  () -> {
                    for (int i = 0; i < 3; i++) {
                      log.add("a" + i);
                      Thread.yield();
                    }
                  });
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 3; i++) {
                  log.add("b" + i);
                  Coroutine.pause();
                }
              });
          yielding.await();
        });

    assertEquals(List.of("a0", "b0", "a1", "b1", "a2", "b2"), log);
  }

  // ---- how the runtime sees it

  @InLoop
  @Test
  void itCountsAsSuspendedAndTheDumpSaysWhy() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    Coroutine<?> blocked = Coroutine.spawn(() -> latch.await()).named("blocked");
    Coroutine.pause();

    assertEquals(Status.SUSPENDED, blocked.status());
    String dump = Loop.current().dump();
    assertTrue(dump.contains("blocked SUSPENDED, awaiting plain Java code"), dump);
    latch.countDown();
    blocked.await();
  }

  @Test
  void itIsNoDeadlockWhileAnotherThreadMayRelease() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    Thread releaser =
        Thread.ofPlatform()
            .start(
                () -> {
                  // It has parked, so the loop has nothing left to do.
                  while (thread.join().getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                  }
                  latch.countDown();
                });

    Loop.run(
        () -> {
          thread.complete(Thread.currentThread());
          latch.await();
          log.add("released");
        });

    releaser.join();
    assertEquals(List.of("released"), log);
  }

  @InLoop
  @Test
  void itCannotBeResumed() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    Coroutine<?> blocked = Coroutine.spawn(() -> latch.await()).named("blocked");
    Coroutine.pause();

    IllegalStateException refused = assertThrows(IllegalStateException.class, blocked::resume);

    assertTrue(
        refused.getMessage().contains("blocked: it blocks in plain Java code"),
        refused.getMessage());
    latch.countDown();
    blocked.await();
  }

  @InLoop
  @Test
  void aResumedCoroutineThatBlocksLetsItsResumerGoOn() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    Coroutine<String> blocking =
        Coroutine.create(
            () -> {
              latch.await();
              return "result";
            });

    assertEquals(null, blocking.resume());

    latch.countDown();
    assertEquals("result", blocking.await());
  }

  @Test
  void aCoroutineIsStillItselfAfterItBlocked() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> blocked =
              Coroutine.spawn(
                  () -> {
                    Coroutine<?> self = Coroutine.current();
                    Thread.sleep(1);
                    assertEquals(self, Coroutine.current());
                    assertEquals(Status.RUNNING, self.status());
                    Thread.sleep(1);
                    Coroutine.spawn(() -> log.add("child")).await();
                  });
          blocked.await();
        });

    assertEquals(List.of("child"), log);
  }

  // ---- cancelling

  @InLoop
  @Test
  void cancelInterruptsIt() throws Exception {
    Coroutine<?> sleeper =
        Coroutine.spawn(
            () -> {
              try {
                Thread.sleep(3_600_000);
              } catch (InterruptedException interrupted) {
                log.add("interrupted");
                throw interrupted;
              }
            });
    Coroutine.pause();

    assertTrue(sleeper.cancel());

    assertThrows(CancellationException.class, sleeper::await);
    assertEquals(Status.CANCELLED, sleeper.status());
    assertEquals(List.of("interrupted"), log);
    assertEquals(0, Loop.current().stats().timers());
  }

  @InLoop
  @Test
  void oneThatCatchesTheInterruptIsStoppedByItsNextAwait() throws Exception {
    Coroutine<?> sleeper =
        Coroutine.spawn(
            () -> {
              assertThrows(InterruptedException.class, () -> Thread.sleep(3_600_000));
              log.add("caught");
              Time.sleep(HOUR);
            });
    Coroutine.pause();

    sleeper.cancel();

    assertThrows(CancellationException.class, sleeper::await);
    assertEquals(List.of("caught"), log);
  }

  @InLoop
  @Test
  void anInterruptOfOnesOwnIsAFailureAndNoCancellation() throws Exception {
    Coroutine<?> interrupted =
        Coroutine.spawn(
            () -> {
              Thread.currentThread().interrupt();
              Thread.sleep(1);
            });

    assertThrows(InterruptedException.class, interrupted::await);
    assertEquals(Status.FAILED, interrupted.status());
  }

  @InLoop
  @Test
  void protectionHoldsTheInterruptBack() throws Exception {
    Coroutine<?> careful =
        Coroutine.spawn(
            () ->
                Coroutine.protect(
                    () -> {
                      Thread.sleep(5);
                      log.add("slept");
                    }));
    Coroutine.pause();

    careful.cancel();

    assertThrows(CancellationException.class, careful::await);
    assertEquals(List.of("slept"), log);
  }

  @InLoop
  @Test
  void aTimeoutInterruptsItAndLeavesNoFlagBehind() throws Exception {
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(5), () -> Thread.sleep(3_600_000)));

    assertFalse(Thread.currentThread().isInterrupted());
    Thread.sleep(1);
  }

  @Test
  void theEndOfTheRunInterruptsIt() throws Exception {
    try (CapturedLog logged = new CapturedLog()) {
      assertThrows(
          IllegalStateException.class,
          () ->
              Loop.run(
                  () -> {
                    Coroutine.spawn(
                        () -> {
                          try {
                            new CountDownLatch(1).await();
                          } finally {
                            log.add("unwound");
                          }
                        });
                    Coroutine.spawn(
                        () -> {
                          throw new IllegalStateException("ends the run");
                        });
                    Time.sleep(HOUR);
                  }));
      assertEquals(1, logged.messages().size());
    }

    assertEquals(List.of("unwound"), log);
  }

  /// It cannot be stopped, and nobody waits for it for ever. It still ends, on another thread.
  @Test
  void oneThatIgnoresItsInterruptIsGivenUpByAClosingLoop() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    CompletableFuture<Object> ended = new CompletableFuture<>();
    CompletableFuture<Object> refused = new CompletableFuture<>();
    lock.lock();
    try {
      Loop loop = Loop.open();
      loop.spawn(
          () -> {
            lock.lock();
            try {
              refused.complete(assertThrows(IllegalStateException.class, Coroutine::pause));
            } finally {
              lock.unlock();
              ended.complete(Thread.currentThread().isVirtual());
            }
          });
      loop.run(Mode.READY);

      loop.close();
    } finally {
      lock.unlock();
    }

    assertEquals(true, ended.get(60, TimeUnit.SECONDS));
    assertTrue(refused.isDone());
  }

  /// The grace of two seconds is waited for once.
  @Test
  void aRunThatGivesOneUpEndsInTime() throws Exception {
    Tries.oneOf(5, JdkBlockingTest::giveOneUp);
  }

  private static void giveOneUp() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    CompletableFuture<Object> ended = new CompletableFuture<>();
    lock.lock();
    long before = System.nanoTime();
    try (CapturedLog logged = new CapturedLog()) {
      assertThrows(
          IllegalStateException.class,
          () ->
              Loop.run(
                  () -> {
                    Coroutine.spawn(
                        () -> {
                          lock.lock();
                          lock.unlock();
                          ended.complete("ended");
                        });
                    Coroutine.pause();
                    throw new IllegalStateException("ends the run");
                  }));
      assertEquals(List.of(), logged.messages());
    } finally {
      lock.unlock();
    }

    assertTrue(System.nanoTime() - before < 3_500_000_000L);
    assertEquals("ended", ended.get(60, TimeUnit.SECONDS));
  }
}
