// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.uv.Epoll;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvLoop;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The way into a loop from other threads.
final class WakeupTest {
  private static final int THREADS = 4;

  /// Those that race with the end of a loop, beside the thread that closes it.
  private static final int POSTERS = 2;

  private static final int POSTS = 500;

  @RegisterExtension final TestLoop test = new TestLoop();

  @Test
  void manyPostsWhileTheLoopIsBusyRingOnce() throws Exception {
    int posts = 1000;
    AtomicInteger ran = new AtomicInteger();
    EventLoop loop = test.loop();

    try (CallCount rings = new CallCount("eventfd_write")) {
      inParallel(
          () -> {
            for (int i = 0; i < posts; i++) {
              assertTrue(loop.post(ran::incrementAndGet));
            }
            return null;
          });

      assertEquals(1, rings.get());
      test.turn();
      assertEquals(THREADS * posts, ran.get());
      loop.post(ran::incrementAndGet);
      assertEquals(2, rings.get(), "it was re-armed");
    }
    test.turn();
    assertEquals(THREADS * posts + 1, ran.get());
  }

  @Test
  void aPostEndsAPollThatBlocks() throws Exception {
    EventLoop loop = test.loop();
    test.turn(); // the first does not wait: libuv has to tell the system what for
    List<Thread> ranOn = new ArrayList<>();
    Thread self = Thread.currentThread();
    Thread poster =
        Thread.ofPlatform()
            .start(
                () -> {
                  awaitInNative(self);
                  loop.post(() -> ranOn.add(Thread.currentThread()));
                });

    test.waitInPoll();
    loop.runPosted(1);

    assertEquals(List.of(self), ranOn);
    poster.join();
  }

  @Test
  void aWakeEndsAPollAndIsNotAPost() throws Exception {
    EventLoop loop = test.loop();
    test.turn();
    Thread self = Thread.currentThread();
    Thread waker =
        Thread.ofPlatform()
            .start(
                () -> {
                  awaitInNative(self);
                  loop.wake();
                });

    test.waitInPoll();

    waker.join();
    assertEquals(false, loop.runPosted(1));
    assertEquals(false, loop.hasPosted());
  }

  @Test
  void aWakeThatComesBeforeThePollIsNotLost() {
    test.loop().wake();

    test.waitInPoll(); // would last for ever

    assertEquals(1, test.stats().polls());
  }

  @Test
  void everyPostIsServedByALoopThatWaitsWheneverItCan() throws Exception {
    int posts = 20_000;
    AtomicInteger ran = new AtomicInteger();
    EventLoop loop = test.loop();

    try (ExecutorService threads = Executors.newFixedThreadPool(POSTERS)) {
      for (int i = 0; i < POSTERS; i++) {
        threads.execute(
            () -> {
              for (int post = 0; post < posts; post++) {
                loop.post(ran::incrementAndGet);
              }
            });
      }
      test.turnUntil(() -> ran.get() == POSTERS * posts);
    }

    assertEquals(POSTERS * posts, ran.get());
  }

  @Test
  void aTaskMayPost() {
    List<String> ran = new ArrayList<>();
    EventLoop loop = test.loop();
    loop.post(
        () -> {
          ran.add("first");
          loop.post(() -> ran.add("second"));
        });

    test.turnUntil(() -> ran.size() == 2);

    assertEquals(List.of("first", "second"), ran);
  }

  /// libuv does not allow a ring once the bell is being closed, so the end waits for who is ringing.
  @Test
  void theBellIsNotClosedUnderWhoIsRinging() throws Exception {
    EventLoop loop = TestLoop.open();
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch ringing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Runnable slowly =
        () -> {
          ringing.countDown();
          awaitUnchecked(goOn);
          order.add("rung");
        };
    Thread self = Thread.currentThread();

    try (var _ = NativeCalls.replace("eventfd_write", instead(slowly))) {
      Thread ringer = Thread.ofPlatform().start(loop::wake);
      ringing.await();
      Thread observer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (order.isEmpty() && !isIn(self, "close", Wakeup.class)) {
                      Thread.onSpinWait();
                    }
                    goOn.countDown();
                  });
      TestLoop.close(loop);
      order.add("closed");
      observer.join();
      ringer.join();
    }

    assertEquals(List.of("rung", "closed"), order);
  }

  /// A replacement for `eventfd_write`.
  private static MethodHandle instead(Runnable action) throws ReflectiveOperationException {
    MethodHandle run =
        MethodHandles.publicLookup()
            .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
            .bindTo(action);
    return MethodHandles.dropArguments(
        MethodHandles.filterReturnValue(run, MethodHandles.constant(int.class, 0)),
        0,
        int.class,
        long.class);
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// What was accepted runs or is handed over, exactly once; what was refused does neither. A ring
  /// after the bell is gone would end the process.
  @Test
  void noPostIsLostOrRunTwiceWhenTheLoopClosesMeanwhile() throws Exception {
    int rounds = 2000;
    int races = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(POSTERS)) {
      for (int round = 0; round < rounds; round++) {
        EventLoop loop = TestLoop.open();
        AtomicInteger served = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(POSTERS + 1);
        List<Future<Integer>> posters = new ArrayList<>();
        for (int i = 0; i < POSTERS; i++) {
          posters.add(
              threads.submit(
                  () -> {
                    start.await();
                    int accepted = 0;
                    while (accepted < POSTS && loop.post(served::incrementAndGet)) {
                      accepted++;
                    }
                    loop.wake();
                    return accepted;
                  }));
        }

        start.await();
        loop.poll(false, true);
        loop.runPosted(round % 8);
        loop.close(Runnable::run);

        int accepted = 0;
        for (Future<Integer> poster : posters) {
          accepted += poster.get();
        }
        assertEquals(accepted, served.get(), "round " + round);
        races += accepted < POSTERS * POSTS ? 1 : 0;
      }
    }
    assertTrue(races > 0, "the loop was never closed in the middle of the posts");
  }

  private static void inParallel(Callable<Void> work)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(threads.submit(work));
      }
      for (Future<Void> each : running) {
        each.get();
      }
    }
  }

  /// Until the thread is in its poll. It may not have begun to wait there: then a ring ends the
  /// wait at once, which is what is tested as well.
  private static void awaitInNative(Thread thread) {
    while (!isIn(thread, "epoll_wait", Epoll.class) && !isIn(thread, "uv_run", UvLoop.class)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isIn(Thread thread, String method, Class<?> type) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals(method) && frame.getClassName().equals(type.getName())) {
        return true;
      }
    }
    return false;
  }
}
