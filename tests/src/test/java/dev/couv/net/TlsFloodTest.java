// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.testing.InLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other sides that speak TLS well enough, and want this side to remember or to compute without end.
final class TlsFloodTest {
  private static final byte[] NOTHING = {};

  private interface Talk {
    void with(RawTls peer, TlsStream here) throws Exception;
  }

  /// A client that is not to be trusted, and our server.
  private static void withClient(Talk talk) throws Exception {
    Loop.run(
        () -> {
          Pair pair = LocalStream.pair();
          var serving =
              Coroutine.spawn(() -> Tls.server(pair.second(), TlsFiles.context("server")));
          try (pair) {
            RawTls peer = RawTls.client(pair.first());
            try (TlsStream here = serving.await()) {
              talk.with(peer, here);
            }
          }
        });
  }

  /// A server that is not to be trusted, and our client.
  private static void withServer(Talk talk) throws Exception {
    Loop.run(
        () -> {
          Pair pair = LocalStream.pair();
          TlsOptions options = TlsPair.options();
          var connecting = Coroutine.spawn(() -> Tls.client(pair.second(), "localhost", options));
          try (pair) {
            RawTls peer = RawTls.server(pair.first(), UnaryOperator.identity());
            try (TlsStream here = connecting.await()) {
              talk.with(peer, here);
            }
          }
        });
  }

  private static byte[] repeated(RawTls peer, int count, int type, byte[] content)
      throws Exception {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      records.writeBytes(peer.sealed(type, content));
    }
    return records.toByteArray();
  }

  private static String failureOfRead(TlsStream here) {
    SSLException failure =
        assertThrows(
            SSLException.class,
            () -> {
              while (here.read() != null) {
                // bytes that came before
              }
            });
    return failure.getMessage();
  }

  /// Nobody reads at the other end, and so a writer waits, and has the turn.
  private static Coroutine<?> stuckWriter(TlsStream here) throws IOException {
    var writer =
        Coroutine.spawn(
            () -> {
              assertThrows(Exception.class, () -> here.write(ByteBuffer.allocate(8 << 20)));
            });
    while (here.pending() == 0) {
      Coroutine.pause();
    }
    return writer;
  }

  @Test
  void thePeersAreWhatTheyShouldBe() throws Exception {
    withClient(
        (peer, here) -> {
          peer.send(RawTls.DATA, "hello".getBytes());
          assertEquals("hello", text(here.read()));
          assertEquals("localhost", here.serverName());
        });
    withServer(
        (peer, here) -> {
          peer.send(RawTls.DATA, "hello".getBytes());
          assertEquals("hello", text(here.read()));
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answersThatAreNotTakenAreOwedOnlySoLong(boolean bytesBetween) throws Exception {
    withClient(
        (peer, here) -> {
          var writer = stuckWriter(here);
          ByteArrayOutputStream flood = new ByteArrayOutputStream();
          for (int i = 0; i < 1000; i++) {
            flood.writeBytes(peer.sealed(RawTls.HANDSHAKE, RawTls.KEY_UPDATE));
            flood.writeBytes(bytesBetween ? peer.sealed(RawTls.DATA, new byte[1]) : NOTHING);
          }
          var flooding = Coroutine.spawn(() -> peer.write(flood.toByteArray()));

          String failure = failureOfRead(here);

          assertTrue(failure.contains(bytesBetween ? "does not take" : "nothing in it"), failure);
          flooding.cancel();
          here.close();
          writer.await();
        });
  }

  @Test
  void manyQuestionsInOneRecordAreAsMany() throws Exception {
    withClient(
        (peer, here) -> {
          var writer = stuckWriter(here);
          byte[] updates = new byte[5 * 1000];
          for (int at = 0; at < updates.length; at += 5) {
            System.arraycopy(RawTls.KEY_UPDATE, 0, updates, at, 5);
          }
          peer.send(RawTls.HANDSHAKE, updates);
          peer.send(RawTls.DATA, new byte[1]);

          assertTrue(failureOfRead(here).contains("does not take"));
          here.close();
          writer.await();
        });
  }

  @Test
  void aWriterThatComesFreeGivesTheAnswersThatAreOwed() throws Exception {
    withClient(
        (peer, here) -> {
          var writer = Coroutine.spawn(() -> here.write(ByteBuffer.allocate(1 << 20)));
          Coroutine.pause();
          peer.write(repeated(peer, 20, RawTls.HANDSHAKE, RawTls.KEY_UPDATE));
          peer.send(RawTls.DATA, "x".getBytes());
          assertEquals("x", text(here.read()));
          assertTrue(here.pending() > 0, "it has not come free yet");

          int[] got = peer.drain((1 << 20), 20);
          writer.await();
          assertEquals(20, got[1], "answers");
        });
  }

  @Test
  void recordsThatBringNothingAreTakenOnlyInSmallNumbers() throws Exception {
    int type = RawTls.HANDSHAKE;
    byte[] content = RawTls.KEY_UPDATE;
    withClient(
        (peer, here) -> {
          for (int i = 0; i < 4; i++) {
            peer.write(repeated(peer, 60, type, content));
            peer.send(RawTls.DATA, "x".getBytes());
            assertEquals("x", text(here.read()));
          }
          peer.write(repeated(peer, 60, type, content));
          peer.write(repeated(peer, 60, type, content));
          String failure = failureOfRead(here);
          assertTrue(failure.contains("nothing in it"), failure);
        });
  }

  @Test
  void whoWritesMayBeAnsweredByRecordsThatBringNothing() throws Exception {
    withClient(
        (peer, here) -> {
          for (int i = 0; i < 200; i++) {
            here.write(bytes("something"));
            peer.send(RawTls.HANDSHAKE, RawTls.KEY_UPDATE);
            var reading = Coroutine.spawn(() -> here.read());
            peer.drain(9, 1);
            reading.cancel();
            assertThrows(CancellationException.class, reading::await);
          }
          peer.send(RawTls.DATA, "x".getBytes());
          assertEquals("x", text(here.read()));
        });
  }

  @Test
  void ticketsAreTakenOnlyInSmallNumbers() throws Exception {
    withServer(
        (peer, here) -> {
          for (int i = 0; i < 10; i++) {
            peer.send(RawTls.HANDSHAKE, RawTls.ticket(1000, i));
          }
          peer.send(RawTls.DATA, "x".getBytes());
          assertEquals("x", text(here.read()));
          var flooding =
              Coroutine.spawn(
                  () -> {
                    for (int i = 0; i < 1000; i++) {
                      peer.send(RawTls.HANDSHAKE, RawTls.ticket(10_000, i));
                    }
                  });
          assertTrue(failureOfRead(here).contains("nothing in it"));
          flooding.cancel();
          assertThrows(CancellationException.class, flooding::await);
        });
  }

  @Test
  void oneReadTakesOnlySoManyRecords() throws Exception {
    withClient(
        (peer, here) -> {
          peer.write(repeated(peer, 1000, RawTls.DATA, new byte[1]));
          int most = 0;
          for (int got = 0; got < 1000; ) {
            int count = here.read(ByteBuffer.allocate(1000));
            most = Math.max(most, count);
            got += count;
          }
          assertTrue(most > 1 && most <= 16, "the most were " + most);
        });
  }

  @Test
  void aHandshakeInTheSmallestPiecesLetsTheOthersRun() throws Exception {
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    byte[] hello = RawTls.message(1, new byte[10_000]);
    for (int i = 0; i < hello.length - 1; i++) {
      pieces.writeBytes(RawTls.record(RawTls.HANDSHAKE, new byte[] {hello[i]}));
    }
    Loop.run(
        () -> {
          Pair pair = LocalStream.pair();
          try (pair) {
            pieces.write(RawTls.HANDSHAKE); // of the next record
            ByteBuffer all = ByteBuffer.wrap(pieces.toByteArray());
            assertEquals(pieces.size(), pair.first().tryWrite(all));
            pair.first().close();
            int[] turns = {0};
            int[] whileItWasBusy = {0};
            Between way =
                new Between(pair.second()) {
                  private int returned;

                  @Override
                  public ByteBuffer read() throws IOException {
                    whileItWasBusy[0] = Math.max(whileItWasBusy[0], turns[0] - returned);
                    ByteBuffer bytes = inner.read();
                    returned = turns[0];
                    return bytes;
                  }
                };
            var serving =
                Coroutine.spawn(
                    () ->
                        assertThrows(
                            SSLException.class, () -> Tls.server(way, TlsFiles.context("server"))));
            var other =
                Coroutine.spawn(
                    () -> {
                      while (true) {
                        turns[0]++;
                        Coroutine.pause();
                      }
                    });
            serving.await();
            other.cancel();
            assertTrue(whileItWasBusy[0] > 50, "only " + whileItWasBusy[0] + " turns");
          }
        });
  }

  /// A server of the JDK that asks for another handshake, or a client that begins one.
  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anotherHandshakeIsRefused(boolean byTheServer) throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        ServerSocket waiting = new ServerSocket(0)) {
      int port = byTheServer ? waiting.getLocalPort() : listener.local().getPort();
      SSLContext context = TlsFiles.context("server");
      Thread peer =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try (Socket plain =
                            byTheServer ? waiting.accept() : new Socket("127.0.0.1", port);
                        SSLSocket socket =
                            (SSLSocket)
                                context
                                    .getSocketFactory()
                                    .createSocket(plain, "localhost", port, true)) {
                      socket.setUseClientMode(!byTheServer);
                      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
                      socket.startHandshake();
                      socket.getOutputStream().write('x');
                      socket.startHandshake();
                      while (socket.getInputStream().read() >= 0) {
                        // until it is refused
                      }
                    } catch (IOException refused) {
                      // that is the point
                    }
                  });
      try (TlsStream here =
          byTheServer
              ? Tls.client(
                  Tcp.connect(TcpPair.address("127.0.0.1", port)), "localhost", TlsPair.options())
              : Tls.server(listener.accept(), context)) {
        assertEquals("x", text(here.read()));
        String failure = failureOfRead(here);
        assertTrue(failure.contains("renegotiate"), failure);
        assertThrows(SSLException.class, () -> here.write(bytes("y")));
      }
      Loop.offload(
          () -> {
            peer.join();
            return true;
          });
    }
  }
}
