// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.pool.LoopPool;
import dev.couv.strand.Strand;
import dev.couv.sync.Promise;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A coroutine that blocks in plain Java code and is told to stop: the interrupt that tells it may come out of
/// there as any exception, and is its cancellation all the same.
@Tag("loop-scheduled-engine")
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class InterruptedBodyTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  /// What blocks until it is interrupted.
  interface Blocking {
    void run(int port) throws Exception;
  }

  static Stream<Named<Blocking>> blocking() {
    return Stream.of(
        Named.of("a socket", InterruptedBodyTest::readSocket),
        Named.of("a channel", InterruptedBodyTest::readChannel),
        Named.of("a sleep", port -> Thread.sleep(HOUR)),
        Named.of("a wrapped sleep", port -> sleepWrapped()),
        Named.of("a sleep, without a cause", port -> sleepWithoutCause()));
  }

  private static void readSocket(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  private static void readChannel(int port) throws IOException {
    try (SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
    }
  }

  private static void sleepWrapped() {
    try {
      Thread.sleep(HOUR);
    } catch (InterruptedException e) {
      throw new IllegalStateException("wrapped", e);
    }
  }

  private static void sleepWithoutCause() {
    try {
      Thread.sleep(HOUR);
    } catch (InterruptedException e) {
      throw new UnsupportedOperationException("stopped");
    }
  }

  private static ServerSocket silent() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  // ---- timeouts

  @InLoop
  @Test
  void aCoroutineCancelledWhileItWasReadyIsInterruptedWhereItBlocksInTheStartOfAnAwait()
      throws Exception {
    Promise<String> go = new Promise<>();
    Event<String> event =
        new Event<>() {
          @Override
          protected void onStart() {
            try {
              log.add(go.await());
              Thread.sleep(HOUR);
            } catch (Exception thrown) {
              log.add(thrown.getClass());
              throw new IllegalStateException(thrown);
            }
          }
        };
    Coroutine<?> waiting = Coroutine.spawn(() -> event.await());
    Coroutine.pause();
    go.complete("go");
    assertEquals(Status.READY, waiting.status());
    waiting.cancel();

    assertThrows(CancellationException.class, waiting::await);
    assertEquals(List.of("go", InterruptedException.class), log);
  }

  @InLoop
  @ParameterizedTest
  @MethodSource("blocking")
  void aTimeoutOverItIsATimeout(Blocking blocking) throws Exception {
    try (ServerSocket server = silent()) {
      TimeoutException timeout =
          assertThrows(
              TimeoutException.class,
              () -> Time.timeout(SHORT, () -> blocking.run(server.getLocalPort())));

      assertInstanceOf(Exception.class, timeout.getCause());
      assertFalse(Thread.currentThread().isInterrupted());
      Thread.sleep(1); // nothing is left of it
      Time.sleep(Duration.ofMillis(1));
    }
  }

  @InLoop
  @ParameterizedTest
  @MethodSource("blocking")
  void ofTwoTimeoutsTheOuterOneIsTold(Blocking blocking) throws Exception {
    try (ServerSocket server = silent()) {
      TimeoutException timeout =
          assertThrows(
              TimeoutException.class,
              () ->
                  Time.timeout(
                      SHORT, () -> Time.timeout(HOUR, () -> blocking.run(server.getLocalPort()))));

      assertTrue(timeout.getMessage().contains("PT0.02S"), timeout::getMessage);
    }
  }

  @InLoop
  @Test
  void aFailureOfABodyThatWasNotInterruptedIsItsOwn() throws Exception {
    IOException own = new IOException("its own");
    assertThrows(TimeoutException.class, () -> Time.timeout(SHORT, () -> Thread.sleep(HOUR)));
    assertSame(
        own,
        assertThrows(
            IOException.class,
            () ->
                Time.timeout(
                    HOUR,
                    () -> {
                      throw own;
                    })));
  }

  @InLoop
  @Test
  void anErrorIsAFailureWhateverWasInterrupted() throws Exception {
    AssertionError broken = new AssertionError("broken");
    Coroutine<?> failing =
        Coroutine.spawn(
            () -> {
              assertThrows(InterruptedException.class, () -> Thread.sleep(HOUR));
              throw broken;
            });
    Coroutine.pause();
    failing.cancel();

    assertSame(broken, assertThrows(AssertionError.class, failing::await));
    assertEquals(Status.FAILED, failing.status());
  }

  // ---- cancelling

  @InLoop
  @ParameterizedTest
  @MethodSource("blocking")
  void aCancelEndsItCancelled(Blocking blocking) throws Exception {
    try (ServerSocket server = silent()) {
      try (Scope scope = Scope.open()) {
        Coroutine<?> reader = scope.spawn(() -> blocking.run(server.getLocalPort()));
        reader.onEnd((nothing, thrown) -> log.add(thrown));
        awaitBlocked(reader);
        reader.cancel("on purpose");

        CancellationException told = assertThrows(CancellationException.class, reader::await);
        assertEquals(Status.CANCELLED, reader.status());
        assertTrue(told.getMessage().contains("on purpose"), told::getMessage);
        Cancelled unwinding = assertInstanceOf(Cancelled.class, told.getCause());
        assertInstanceOf(Exception.class, unwinding.getCause(), "what became of it is kept");
        assertSame(unwinding, log.getFirst());
      } // nothing has failed
    }
  }

  private static void awaitBlocked(Coroutine<?> coroutine) {
    for (Time.sleep(SHORT); coroutine.status() != Status.SUSPENDED; ) {
      Coroutine.pause();
    }
  }

  @Test
  void itsHandlersAreNotInterrupted() throws Exception {
    try (ServerSocket server = silent()) {
      Loop.run(
          () -> {
            Coroutine<?> reader = Coroutine.spawn(() -> readChannel(server.getLocalPort()));
            reader.onEnd((nothing, thrown) -> log.add(Thread.currentThread().isInterrupted()));
            awaitBlocked(reader);
            reader.cancel();
            assertThrows(CancellationException.class, reader::await);
          });
    }

    assertEquals(List.of(false), log);
  }

  /// The JDK leaves the flag set when it closes a channel.
  @Test
  void whatIsProtectedAfterItIsNotInterrupted() throws Exception {
    try (ServerSocket server = silent()) {
      Loop.run(
          () -> {
            Coroutine<?> reader =
                Coroutine.spawn(
                    () -> {
                      try {
                        readChannel(server.getLocalPort());
                      } finally {
                        Coroutine.protect(
                            () -> {
                              Thread.sleep(1);
                              log.add("cleaned up");
                            });
                      }
                    });
            awaitBlocked(reader);
            reader.cancel();
            assertThrows(CancellationException.class, reader::await);
          });
    }

    assertEquals(List.of("cleaned up"), log);
  }

  /// A cancel that comes before it blocks reaches it there.
  @Test
  void oneThatIsCancelledAlreadyIsInterruptedWhenItBlocks() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> late =
              Coroutine.spawn(
                  () -> {
                    Coroutine.current().cancel("by itself");
                    try {
                      Thread.sleep(HOUR);
                    } finally {
                      log.add("unwound");
                    }
                  });

          assertThrows(CancellationException.class, late::await);
          assertEquals(Status.CANCELLED, late.status());
        });

    assertEquals(List.of("unwound"), log);
  }

  @Test
  void aFutureIsCancelledWithIt() throws Exception {
    try (ServerSocket server = silent();
        RunningLoop running = new RunningLoop()) {
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<Object> future =
          running.loop.submit(
              () -> {
                begun.countDown();
                readChannel(server.getLocalPort());
                return "never";
              });
      begun.await();
      running.loop.shutdown(HOUR);

      assertThrows(CancellationException.class, () -> future.get(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void aTaskOfACancelledPoolIsCancelled() throws Exception {
    try (ServerSocket server = silent();
        LoopPool pool = LoopPool.open(1)) {
      CountDownLatch begun = new CountDownLatch(1);
      Promise<Object> task =
          pool.submit(
              () -> {
                begun.countDown();
                readChannel(server.getLocalPort());
                return "never";
              });
      begun.await();
      pool.cancel();

      assertThrows(CancellationException.class, task::await);
    }
  }

  // ---- the end of a loop

  /// Protected or not, nothing is any more when the grace is over.
  @Test
  void oneThatBlocksUnderProtectionIsInterruptedWhenTheGraceIsOver() throws Exception {
    Thread loopThread = Thread.currentThread();
    CompletableFuture<Thread> unwoundOn = new CompletableFuture<>();
    Loop.run(
        () -> {
          Coroutine.spawn(
              () -> {
                try {
                  Coroutine.protect(() -> Thread.sleep(HOUR));
                } finally {
                  unwoundOn.complete(Thread.currentThread());
                  log.add(Strand.currentOrNull() != null && loopThread.isAlive());
                }
              });
          Coroutine.pause();
          Loop.current().shutdown(SHORT);
          Time.sleep(HOUR);
        });

    assertTrue(unwoundOn.isDone(), "the run has ended before it");
    assertEquals(List.of(true), log);
  }

  @Test
  void oneThatBlocksInItsCleanUpIsInterruptedWhenTheGraceIsOver() throws Exception {
    Loop.run(
        () -> {
          Coroutine.spawn(
              () -> {
                try {
                  Time.sleep(HOUR);
                } finally {
                  try {
                    Thread.sleep(HOUR);
                  } finally {
                    log.add("unwound");
                  }
                }
              });
          Coroutine.pause();
          Loop.current().shutdown(SHORT);
          Time.sleep(HOUR);
        });

    assertEquals(List.of("unwound"), log);
  }

  /// Its protection is taken away first, it blocks then.
  @Test
  void oneThatBlocksAfterTheGraceIsInterruptedToo() throws Exception {
    Loop.run(
        () -> {
          Coroutine.spawn(
              () -> {
                try {
                  Coroutine.protect(() -> Time.sleep(HOUR));
                } finally {
                  try {
                    Coroutine.protect(() -> Thread.sleep(HOUR));
                  } finally {
                    log.add("unwound");
                  }
                }
              });
          Coroutine.pause();
          Loop.current().shutdown(SHORT);
          Time.sleep(HOUR);
        });

    assertEquals(List.of("unwound"), log);
  }

  /// Without a shutdown: the run ends, and whoever is left has the grace of a closing loop.
  @Test
  void aClosingLoopInterruptsTheProtectedOnesLast() throws Exception {
    Loop loop = Loop.open();
    loop.spawn(
        () -> {
          try {
            Coroutine.protect(() -> Thread.sleep(HOUR));
          } finally {
            log.add("unwound");
          }
        });
    loop.run(Mode.READY);

    loop.close();

    assertEquals(List.of("unwound"), log);
  }
}
