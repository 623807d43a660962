// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What awaits allocate once the code is compiled and the loop's memory is in place: no native
/// memory, and of the Java heap at most one small object each. Suspending and resuming a thread
/// allocates nothing either: the JDK uses the thread's stack chunk again.
@Tag("loop-scheduled-engine")
class SteadyStateAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int STEPS = 2_000;

  /// Until the compiler is done, code allocates what it will not allocate later; on a busy machine that
  /// takes its time.
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final int MESSAGE = 64;

  /// The loops of these tests run on the test's own thread, which carries all their coroutines.
  private final long loopThread = Thread.currentThread().threadId();

  private interface Step {
    /// Returns how many times it did what is measured.
    int run() throws Exception;
  }

  @Test
  void pauseAllocatesNothing() throws Exception {
    Loop.run(
        () ->
            assertAllocates(
                0,
                () -> {
                  Coroutine.pause();
                  return 1;
                }));
  }

  @Test
  void awaitingAFinishedCoroutineAllocatesAtMostItsOperation() throws Exception {
    Loop.run(
        () -> {
          Coroutine<Integer> finished = Coroutine.spawn(() -> 1);
          finished.await();
          assertAllocates(32, () -> finished.await());
        });
  }

  @Test
  void sleepAllocatesOneSmallObject() throws Exception {
    Duration shortest = Duration.ofNanos(1);
    int[] sleeps = new int[1];
    Loop.run(
        () -> {
          // Many, because libuv's timers count milliseconds.
          for (int sleeper = 0; sleeper < STEPS; sleeper++) {
            Coroutine.spawn(
                () -> {
                  while (sleeps[0] >= 0) {
                    Time.sleep(shortest);
                    sleeps[0]++;
                  }
                });
          }
          assertAllocates(
              64,
              () -> {
                sleeps[0] = 0;
                Time.sleep(shortest);
                return sleeps[0];
              });
          sleeps[0] = Integer.MIN_VALUE;
        });
  }

  @Test
  void anEchoOfDirectBuffersAllocatesOneSmallObjectPerWrite() throws Exception {
    assertEchoAllocates(64, ByteBuffer.allocateDirect(256), ByteBuffer.allocateDirect(256));
  }

  @Test
  void anEchoOfHeapBuffersAllocatesOneSmallObjectPerWrite() throws Exception {
    assertEchoAllocates(64, ByteBuffer.allocate(256), ByteBuffer.allocate(256));
  }

  /// A message there and back: two writes, and two reads that suspend.
  private void assertEchoAllocates(int limit, ByteBuffer here, ByteBuffer there) throws Exception {
    Loop.run(
        () -> {
          try (TcpListener listener =
                  Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
              TcpStream client = Tcp.connect(listener.local());
              TcpStream server = listener.accept()) {
            Coroutine<?> echoing =
                Coroutine.spawn(
                    () -> {
                      while (server.read(there.clear()) >= 0) {
                        server.write(there.flip());
                      }
                    });
            assertAllocates(
                limit,
                () -> {
                  client.write(here.clear().limit(MESSAGE));
                  return client.read(here.clear()) / MESSAGE;
                });
            client.shutdown();
            echoing.await();
          }
        });
  }

  /// At most so many bytes of the Java heap per step, and no native memory.
  private void assertAllocates(int limit, Step step) throws Exception {
    double bytes = Double.MAX_VALUE;
    AtomicLong nativeCalls = new AtomicLong();
    try (var _ = counted("malloc", nativeCalls);
        var _ = counted("calloc", nativeCalls)) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (bytes > limit + 1 && System.nanoTime() - end < 0) {
        nativeCalls.set(0);
        long before = THREADS.getThreadAllocatedBytes(loopThread);
        int steps = 0;
        while (steps < STEPS) {
          steps += step.run();
        }
        long after = THREADS.getThreadAllocatedBytes(loopThread);
        bytes = (double) (after - before) / steps;
      }
    }
    double allocated = bytes;
    assertTrue(allocated <= limit + 1, () -> allocated + " bytes, more than " + limit);
    assertEquals(0, nativeCalls.get(), "calls of the C allocator");
  }

  private static NativeCalls.Replacement counted(String function, AtomicLong count)
      throws ReflectiveOperationException {
    MethodHandle increment =
        MethodHandles.lookup()
            .findVirtual(AtomicLong.class, "incrementAndGet", MethodType.methodType(long.class))
            .bindTo(count)
            .asType(MethodType.methodType(void.class));
    return NativeCalls.replace(
        function, MethodHandles.foldArguments(NativeCalls.target(function), increment));
  }
}
