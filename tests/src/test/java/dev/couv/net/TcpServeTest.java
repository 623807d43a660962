// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.Status;
import dev.couv.error.BusyException;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server outlives its clients, and its handlers' mistakes.
@SuppressWarnings("try") // closing a scope throws whatever failed in it
final class TcpServeTest {
  private static TcpListener listen() throws IOException {
    return Tcp.listen(TcpPair.address("127.0.0.1", 0));
  }

  private static void echo(ByteStream peer) throws IOException {
    ByteStream.copy(peer, peer);
  }

  /// That the server is alive.
  private static void assertEchoes(InetSocketAddress server) throws IOException {
    try (var client = Tcp.connect(server)) {
      client.write("hello");
      client.shutdown();
      assertEquals("hello", new String(client.readAll(100), UTF_8));
    }
  }

  private static void pauseUntil(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Coroutine.pause();
    }
  }

  @InLoop
  @Test
  void aServerServesUntilItsListenerIsClosed() throws Exception {
    var listener = listen();
    var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo));
    assertEchoes(listener.local());
    assertEchoes(listener.local());
    assertEquals(Status.SUSPENDED, server.status());
    listener.close();

    assertNull(server.await());
  }

  @Test
  void aResetEndsOneConnectionAndIsLoggedWithThePeersAddress() throws Exception {
    try (var log = new CapturedLog()) {
      Loop.run(
          () -> {
            var listener = listen();
            var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo));
            var bad = Tcp.connect(listener.local());
            int port = bad.local().getPort();
            bad.write("x");
            bad.readFully(ByteBuffer.allocate(1));
            bad.reset();
            pauseUntil(() -> !log.records().isEmpty());
            assertEchoes(listener.local());
            listener.close();
            server.await();

            assertEquals(1, log.records().size(), () -> log.messages().toString());
            assertTrue(
                log.messages().getFirst().contains("127.0.0.1:" + port),
                () -> log.messages().toString());
            assertTrue(log.messages().getFirst().contains("ECONNRESET"));
          });
    }
  }

  @Test
  void aMistakeOfTheHandlerIsLoggedWithItsTraceAndKeptToItsConnection() throws Exception {
    var mistake = new IllegalStateException("on purpose");
    try (var log = new CapturedLog()) {
      Loop.run(
          () -> {
            var listener = listen();
            var calls = new AtomicInteger();
            var server =
                Coroutine.spawn(
                    () ->
                        listener.serve(
                            peer -> {
                              switch (calls.incrementAndGet()) {
                                case 1 -> throw mistake;
                                case 2 -> throw new AssertionError("an error, too");
                                case 3 ->
                                    Coroutine.spawn(
                                        () -> {
                                          throw new IOException("of a coroutine it spawned");
                                        });
                                default -> echo(peer);
                              }
                            }));
            for (int i = 0; i < 3; i++) {
              try (var client = Tcp.connect(listener.local())) {
                assertNull(client.read(), "it is closed");
              }
            }
            assertEchoes(listener.local());
            listener.close();
            server.await();

            assertEquals(3, log.records().size(), () -> log.messages().toString());
            assertSame(mistake, log.records().getFirst().getThrown());
            assertEquals(Level.SEVERE, log.records().getFirst().getLevel());
          });
    }
  }

  @Test
  void whoWantsToHearOfFailuresIsToldInsteadOfTheLog() throws Exception {
    try (var log = new CapturedLog()) {
      Loop.run(
          () -> {
            var listener = listen();
            List<String> told = new ArrayList<>();
            var options =
                ServeOptions.DEFAULT.withOnFailure(
                    (peer, failure) -> told.add(peer + " " + failure.getMessage()));
            Handler<TcpStream> failing =
                peer -> {
                  throw new IOException("no");
                };
            var server = Coroutine.spawn(() -> listener.serve(failing, options));
            try (var client = Tcp.connect(listener.local())) {
              assertNull(client.read());
              assertEquals(List.of("tcp 127.0.0.1:" + client.local().getPort() + " no"), told);
            }
            listener.close();
            server.await();
          });
      assertEquals(List.of(), log.messages());
    }
  }

  @Test
  void connectionsThatCannotBeAcceptedDoNotEndIt() throws Exception {
    try (var log = new CapturedLog()) {
      Loop.run(
          () -> {
            var listener = listen();
            var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo));
            Coroutine.pause();
            for (String code : List.of("EMFILE", "ECONNABORTED", "ENOBUFS")) {
              var failing = NativeCalls.failing("uv_accept", UvErrors.code(code), 1);
              try (var _ = NativeCalls.replace("uv_accept", failing)) {
                assertEchoes(listener.local());
              }
            }
            listener.close();
            server.await();
          });
      assertEquals(3, log.records().size(), () -> log.messages().toString());
    }
  }

  @InLoop
  @Test
  void noMoreThanTheLimitAreServedAtOnceAndTheOthersWait() throws Exception {
    var listener = listen();
    var at = new AtomicInteger();
    var most = new AtomicInteger();
    Handler<TcpStream> counting =
        peer -> {
          most.accumulateAndGet(at.incrementAndGet(), Math::max);
          try {
            echo(peer);
          } finally {
            at.decrementAndGet();
          }
        };
    var options = ServeOptions.DEFAULT.withLimit(2);
    var server = Coroutine.spawn(() -> listener.serve(counting, options));
    var clients = new ArrayList<Coroutine<?>>();
    for (int i = 0; i < 10; i++) {
      clients.add(Coroutine.spawn(() -> assertEchoes(listener.local())));
    }
    for (var client : clients) {
      client.await();
    }
    listener.close();
    server.await();

    assertEquals(2, most.get());
  }

  @InLoop
  @Test
  void beyondTheLimitTheyAreRefusedIfThatIsWanted() throws Exception {
    var listener = listen();
    var options = ServeOptions.DEFAULT.withLimit(1).withWhenFull(WhenFull.REFUSE);
    var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo, options));
    try (var first = Tcp.connect(listener.local())) {
      first.write("x");
      first.readFully(ByteBuffer.allocate(1));
      try (var second = Tcp.connect(listener.local())) {
        assertNull(second.read());
      }
      first.write("y");
      first.readFully(ByteBuffer.allocate(1));
    }
    listener.close();
    server.await();
  }

  @InLoop
  @Test
  void aListenerThatIsClosedWhileTheServerIsFullEndsIt() throws Exception {
    var listener = listen();
    var options = ServeOptions.DEFAULT.withLimit(1).withGrace(Duration.ZERO);
    var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo, options));
    try (var client = Tcp.connect(listener.local())) {
      client.write("x");
      client.readFully(ByteBuffer.allocate(1));
      Loop.awaitIdle();
      listener.close();
      server.await();

      assertNull(client.read());
    }
  }

  @Test
  void connectionsHaveTheirGraceWhenTheListenerIsClosed() throws Exception {
    new TestClock()
        .run(
            () -> {
              var listener = listen();
              var ended = new ArrayList<String>();
              Handler<TcpStream> slow =
                  peer -> {
                    int seconds = peer.read().get();
                    try {
                      Time.sleep(Duration.ofSeconds(seconds));
                      ended.add(seconds + " ended");
                    } finally {
                      ended.add(seconds + " left");
                    }
                  };
              var server = Coroutine.spawn(() -> listener.serve(slow));
              try (var three = Tcp.connect(listener.local());
                  var nine = Tcp.connect(listener.local())) {
                three.write(new byte[] {3});
                nine.write(new byte[] {9});
                Loop.awaitIdle();
                long before = Time.nanos();
                listener.close();
                server.await();

                assertEquals(List.of("3 ended", "3 left", "9 left"), ended);
                assertEquals(5, Duration.ofNanos(Time.nanos() - before).toSeconds());
                assertNull(nine.read(), "closed");
              }
            });
  }

  @Test
  void soTheyHaveWhenTheServerOrItsScopeIsCancelled() throws Exception {
    new TestClock()
        .run(
            () -> {
              try (var listener = listen()) {
                var ended = new ArrayList<String>();
                Handler<TcpStream> slow =
                    peer -> {
                      peer.read();
                      var inside =
                          Coroutine.spawn(
                              () -> {
                                Time.sleep(Duration.ofSeconds(1));
                                ended.add("inside");
                              });
                      Time.sleep(Duration.ofSeconds(2));
                      inside.await();
                      ended.add("ended");
                    };
                for (int way = 0; way < 2; way++) {
                  ended.clear();
                  try (var scope = Scope.open();
                      var client = Tcp.connect(listener.local())) {
                    var server = scope.spawn(() -> listener.serve(slow));
                    client.write("x");
                    Loop.awaitIdle();
                    if (way == 0) {
                      server.cancel();
                    } else {
                      scope.cancel();
                    }

                    assertThrows(CancellationException.class, server::await);
                    assertEquals(List.of("inside", "ended"), ended);
                  }
                  assertTrue(listener.isOpen(), "it is the caller's");
                }
              }
            });
  }

  @InLoop
  @Test
  void aSecondServerOfTheSameListenerIsRefused() throws Exception {
    var listener = listen();
    var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo));
    Coroutine.pause();
    assertThrows(BusyException.class, () -> listener.serve(TcpServeTest::echo));
    assertEchoes(listener.local());
    listener.close();
    server.await();
    listener.serve(TcpServeTest::echo); // closed: it returns
  }

  @Test
  void misuseIsRefusedBeforeAnythingBegins() throws Exception {
    Loop.run(
        () -> {
          try (var listener = listen()) {
            assertThrows(NullPointerException.class, () -> listener.serve(null));
            assertThrows(
                NullPointerException.class, () -> listener.serve(TcpServeTest::echo, null));
          }
        });
    var options = ServeOptions.DEFAULT;
    assertThrows(IllegalArgumentException.class, () -> options.withLimit(0));
    assertThrows(IllegalArgumentException.class, () -> options.withGrace(Duration.ofMillis(-1)));
    assertThrows(NullPointerException.class, () -> options.withWhenFull(null));
  }

  @Test
  void aLocalListenerServesLikewise(@TempDir Path dir) throws Exception {
    try (var log = new CapturedLog()) {
      Loop.run(
          () -> {
            Path path = dir.resolve("socket");
            var listener = Local.listen(path);
            var first = new AtomicInteger();
            var server =
                Coroutine.spawn(
                    () ->
                        listener.serve(
                            peer -> {
                              if (first.getAndIncrement() == 0) {
                                throw new IOException("no");
                              }
                              echo(peer);
                            }));
            try (var client = Local.connect(path)) {
              assertNull(client.read());
            }
            try (var client = Local.connect(path)) {
              client.write("hello");
              client.shutdown();
              assertEquals("hello", new String(client.readAll(100), UTF_8));
            }
            listener.close();
            server.await();
          });
      assertTrue(log.messages().getFirst().contains("socket"), () -> log.messages().toString());
    }
  }

  @Test
  void aTlsListenerServesLikewiseAndKeepsHandshakesToTheirConnections() throws Exception {
    try (var log = new CapturedLog()) {
      Loop.run(
          () -> {
            var tcp = listen();
            var listener = Tls.listen(tcp, TlsFiles.context("server"), TlsOptions.DEFAULT);
            var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo));
            try (var silent = Tcp.connect(tcp.local());
                var bad = Tcp.connect(tcp.local())) {
              bad.write("GET / HTTP/1.1\r\n\r\n");
              while (bad.read() != null) {}
              try (var good = Tls.connect("localhost", tcp.local().getPort(), TlsPair.options())) {
                good.write("hello");
                var answer = ByteBuffer.allocate(5);
                good.readFully(answer);
                assertEquals("hello", UTF_8.decode(answer.flip()).toString());
                good.shutdown();
                assertNull(good.read());
              }
              assertTrue(silent.isOpen());
            }
            listener.close();
            server.await();
            assertFalse(tcp.isOpen());
          });
      assertEquals(2, log.records().size(), () -> log.messages().toString());
      assertTrue(log.messages().getFirst().contains("127.0.0.1"), log.messages().toString());
    }
  }

  @InLoop
  @Test
  void whileAServerWaitsForRoomNobodyElseAcceptsAndClosingStillEndsIt() throws Exception {
    var listener = listen();
    var served = new AtomicInteger();
    var options = ServeOptions.DEFAULT.withLimit(1).withGrace(Duration.ZERO);
    var server =
        Coroutine.spawn(
            () ->
                listener.serve(
                    peer -> {
                      served.incrementAndGet();
                      peer.read();
                    },
                    options));
    try (var _ = Tcp.connect(listener.local())) {
      pauseUntil(() -> served.get() == 1);
      assertThrows(BusyException.class, () -> listener.serve(TcpServeTest::echo));
      assertThrows(BusyException.class, listener::accept);
      listener.close();

      assertNull(Time.timeout(Duration.ofSeconds(60), server::await));
    }
  }

  @InLoop
  @Test
  void whoIteratesWaitsUntilTheServerEnds() throws Exception {
    var listener = listen();
    var server = Coroutine.spawn(() -> listener.serve(TcpServeTest::echo));
    Coroutine.pause();
    var iterates = Coroutine.spawn(() -> listener.iterator().hasNext());
    assertEchoes(listener.local());
    assertEchoes(listener.local());
    assertEquals(Status.SUSPENDED, server.status());
    listener.close();

    assertNull(server.await());
    assertFalse(iterates.await());
  }
}
