// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import com.sun.management.ThreadMXBean;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.sync.Chan;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Awaits, again and again, and prints a line for each kind: its name, how many bytes of the Java heap
/// one of them takes once the code is compiled, and how often all of them then asked the C allocator.
final class SteadyStateProgram {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /// The loops run on the main thread, which carries all their coroutines.
  private static final long LOOP_THREAD = Thread.currentThread().threadId();

  private static final int WINDOWS = 40;
  private static final int STEPS_PER_WINDOW = 2_000;
  private static final int MESSAGE = 64;

  /// On a busy machine the compiler may need long to see to all of it.
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  /// How many bytes each kind may take; it is tried on for a while as long as it takes more.
  static final Map<String, Integer> LIMITS =
      Map.of(
          "pause",
          0,
          "await",
          24,
          "sleep",
          56,
          "echo-direct",
          2 * 24,
          "echo-heap",
          2 * 24,
          "frame",
          2 * 24,
          "channel",
          0);

  private SteadyStateProgram() {}

  private interface Step {
    /// Returns how many times it did what is measured.
    int run() throws Exception;
  }

  static void main() throws Exception {
    Loop.run(
        () -> {
          pause();
          finished();
          sleep();
          echo("echo-direct", ByteBuffer.allocateDirect(256), ByteBuffer.allocateDirect(256));
          echo("echo-heap", ByteBuffer.allocate(256), ByteBuffer.allocate(256));
          frames();
          channel();
        });
  }

  private static void pause() throws Exception {
    measure(
        "pause",
        () -> {
          Coroutine.pause();
          return 1;
        });
  }

  private static void finished() throws Exception {
    Coroutine<Integer> finished = Coroutine.spawn(() -> 1);
    measure("await", finished::await);
  }

  /// Many sleepers, because libuv's timers count milliseconds.
  private static void sleep() throws Exception {
    Duration shortest = Duration.ofNanos(1);
    int[] sleeps = new int[1];
    for (int sleeper = 0; sleeper < STEPS_PER_WINDOW; sleeper++) {
      Coroutine.spawn(
          () -> {
            while (sleeps[0] >= 0) {
              Time.sleep(shortest);
              sleeps[0]++;
            }
          });
    }
    measure(
        "sleep",
        () -> {
          sleeps[0] = 0;
          Time.sleep(shortest);
          return sleeps[0];
        });
    sleeps[0] = Integer.MIN_VALUE;
  }

  /// A message there and back: two writes, and two reads that suspend.
  private static void echo(String name, ByteBuffer here, ByteBuffer there) throws Exception {
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
      measure(
          name,
          () -> {
            client.write(here.clear().limit(MESSAGE));
            return client.read(here.clear()) / MESSAGE;
          });
      client.shutdown();
      echoing.await();
    }
  }

  /// A value that finds a place, and is taken from there.
  private static void channel() throws Exception {
    Chan<String> channel = Chan.create(4);
    measure(
        "channel",
        () -> {
          channel.send("value");
          channel.receive();
          return 1;
        });
  }

  /// A frame that is nothing itself.
  private static final Framer<Byte> FRAMER =
      new Framer<>() {
        @Override
        public Byte decode(ByteReader in) throws IOException {
          in.readInt();
          in.skip(MESSAGE);
          return 1;
        }

        @Override
        public void encode(Byte frame, ByteWriter out) throws IOException {
          out.writeInt(MESSAGE);
          for (int i = 0; i < MESSAGE; i += Long.BYTES) {
            out.writeLong(i);
          }
        }
      };

  /// A frame there and back: written at the end of a turn, and two reads that suspend.
  private static void frames() throws Exception {
    var pair = LocalStream.pair();
    try (Framed<Byte> client = Framed.open(pair.first(), FRAMER);
        Framed<Byte> server = Framed.open(pair.second(), FRAMER)) {
      Coroutine<?> echoing =
          Coroutine.spawn(
              () -> {
                for (Byte frame; (frame = server.read()) != null; ) {
                  server.write(frame);
                }
              });
      measure(
          "frame",
          () -> {
            client.write((byte) 1);
            return client.read();
          });
      client.shutdown();
      echoing.await();
    }
  }

  private static void measure(String name, Step step) throws Exception {
    double fewest = Double.MAX_VALUE;
    int limit = LIMITS.get(name);
    AtomicLong nativeCalls = new AtomicLong();
    try (var _ = counted("malloc", nativeCalls);
        var _ = counted("calloc", nativeCalls)) {
      long patience = System.nanoTime() + PATIENCE_NANOS;
      for (int window = 0;
          window < WINDOWS || (fewest >= limit + 0.5 && System.nanoTime() - patience < 0);
          window++) {
        if (window == WINDOWS / 2) {
          nativeCalls.set(0); // whatever is kept for later use is there now
        }
        long before = THREADS.getThreadAllocatedBytes(LOOP_THREAD);
        int steps = 0;
        while (steps < STEPS_PER_WINDOW) {
          steps += step.run();
        }
        long after = THREADS.getThreadAllocatedBytes(LOOP_THREAD);
        fewest = Math.min(fewest, (double) (after - before) / steps);
      }
    }
    System.out.println(name + " " + Math.round(fewest) + " " + nativeCalls);
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
