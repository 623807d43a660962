// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What one await costs in steady state: time, bytes of the Java heap (with the profiler `gc`, column
/// `gc.alloc.rate.norm`), and calls of the C allocator. Run by `bench/await`.
///
/// The benchmark's thread is the loop's. One invocation runs one coroutine that awaits many times, so
/// that its own start and end do not count.
@State(Scope.Thread)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(AwaitBenchmark.AWAITS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--enable-native-access=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED"
    })
public class AwaitBenchmark {
  static final int AWAITS = 10_000;

  private static final int SLEEPERS = 50;
  private static final int MESSAGE = 64;
  private static final Duration SHORTEST = Duration.ofNanos(1);

  private final Loop loop = Loop.open();
  private final Coroutine<Integer> finished = loop.spawn(() -> 1);
  private final CountedAllocator allocator = new CountedAllocator();

  private TcpListener listener;
  private TcpStream client;
  private TcpStream server;

  /// How often the C allocator was asked for memory. JMH adds it up over the iterations.
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class NativeMemory {
    public long nativeAllocations;
  }

  @Setup
  public void connect() throws Exception {
    run(
        () -> {
          listener = Tcp.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
          Coroutine<TcpStream> accepting = Coroutine.spawn(() -> listener.accept());
          client = Tcp.connect(listener.local());
          server = accepting.await();
          client.noDelay(true);
          server.noDelay(true);
        });
  }

  @TearDown
  public void close() {
    loop.close();
    allocator.close();
  }

  @Setup(Level.Iteration)
  public void forget() {
    allocator.reset();
  }

  /// To the back of the ready queue, and round.
  @Benchmark
  public void pause(NativeMemory memory) throws Exception {
    run(
        () -> {
          for (int i = 0; i < AWAITS; i++) {
            Coroutine.pause();
          }
        });
    memory.nativeAllocations = allocator.count();
  }

  /// Through the timer queue and a poll of libuv. Its timers count milliseconds, and so does this
  /// one's time: the sleepers are many only so that it does not take for ever.
  @Benchmark
  public void sleep(NativeMemory memory) throws Exception {
    run(
        () -> {
          for (int sleeper = 0; sleeper < SLEEPERS; sleeper++) {
            Coroutine.spawn(AwaitBenchmark::sleepOften);
          }
        });
    memory.nativeAllocations = allocator.count();
  }

  private static void sleepOften() {
    for (int i = 0; i < AWAITS / SLEEPERS; i++) {
      Time.sleep(SHORTEST);
    }
  }

  /// The result is there already.
  @Benchmark
  public void awaitFinished(NativeMemory memory) throws Exception {
    run(
        () -> {
          for (int i = 0; i < AWAITS; i++) {
            finished.await();
          }
        });
    memory.nativeAllocations = allocator.count();
  }

  /// A coroutine is spawned and has finished.
  @Benchmark
  public void spawn(NativeMemory memory) throws Exception {
    run(
        () -> {
          for (int i = 0; i < AWAITS; i++) {
            Coroutine.spawn(() -> 1);
            Coroutine.pause();
          }
        });
    memory.nativeAllocations = allocator.count();
  }

  /// A coroutine is spawned and awaited until it has finished.
  @Benchmark
  public void spawnAndAwait(NativeMemory memory) throws Exception {
    run(
        () -> {
          for (int i = 0; i < AWAITS; i++) {
            Coroutine.spawn(() -> 1).await();
          }
        });
    memory.nativeAllocations = allocator.count();
  }

  /// A message there and back over TCP: two reads that suspend, two writes that need not.
  @Benchmark
  public void echoDirect(NativeMemory memory) throws Exception {
    run(() -> echo(ByteBuffer.allocateDirect(2 * MESSAGE), ByteBuffer.allocateDirect(2 * MESSAGE)));
    memory.nativeAllocations = allocator.count();
  }

  /// Likewise, between buffers of the Java heap.
  @Benchmark
  public void echoHeap(NativeMemory memory) throws Exception {
    run(() -> echo(ByteBuffer.allocate(2 * MESSAGE), ByteBuffer.allocate(2 * MESSAGE)));
    memory.nativeAllocations = allocator.count();
  }

  private void echo(ByteBuffer here, ByteBuffer there) throws Exception {
    Coroutine.spawn(
        () -> {
          for (int i = 0; i < AWAITS; i++) {
            server.read(there.clear());
            server.write(there.flip());
          }
        });
    for (int i = 0; i < AWAITS; i++) {
      client.write(here.clear().limit(MESSAGE));
      client.read(here.clear());
    }
  }

  private void run(Action body) throws Exception {
    Coroutine<?> coroutine =
        loop.spawn(
            () -> {
              body.run();
              return null;
            });
    loop.run(Mode.LOOP);
    if (!coroutine.status().isEnded()) {
      throw new IllegalStateException(coroutine + " has not ended: " + coroutine.status());
    }
  }
}
