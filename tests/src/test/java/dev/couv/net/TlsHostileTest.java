// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other sides that do not speak TLS, do not speak it well, or do not speak.
final class TlsHostileTest {
  @InLoop
  @Test
  void plainHttpIsRefusedWithAnAlert() throws Exception {
    TcpPair tcp = TcpPair.open();
    var serving = serverFails(tcp);
    tcp.client().write(bytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));

    ByteBuffer alert = tcp.client().read();
    assertEquals(21, alert.get(0), "an alert");
    assertNull(tcp.client().read());
    tcp.client().close();
    assertTrue(serving.await() instanceof SSLException, serving.await().toString());
    assertFalse(tcp.server().isOpen());
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void garbageIsRefused(int seed) throws Exception {
    TcpPair tcp = TcpPair.open();
    var serving = serverFails(tcp);
    byte[] garbage = new byte[1 + seed * 500];
    new Random(seed).nextBytes(garbage);
    if (seed % 2 == 0) {
      System.arraycopy(new byte[] {22, 3, 1, 0, 50, 1, 0, 0, 46}, 0, garbage, 0, 9);
    }
    tcp.client().write(ByteBuffer.wrap(garbage));
    tcp.client().shutdown();

    assertTrue(serving.await() instanceof IOException, serving.await().toString());
    tcp.client().close();
  }

  @InLoop
  @Test
  void aServerThatChoosesByNameRefusesTheSame() throws Exception {
    for (int seed = 0; seed < 8; seed++) {
      TcpPair tcp = TcpPair.open();
      var serving =
          Coroutine.spawn(
              () ->
                  assertThrows(
                      IOException.class,
                      () ->
                          Tls.server(
                              tcp.server(),
                              name -> TlsFiles.context("server"),
                              TlsOptions.DEFAULT)));
      byte[] garbage = new byte[40_000];
      new Random(seed).nextBytes(garbage);
      byte[] hello = {22, 3, 1, 0, 50, 1, 0, 0, 46};
      System.arraycopy(hello, 0, garbage, 0, seed);
      tcp.client().write(ByteBuffer.wrap(garbage, 0, seed * seed * 600 + 1));
      tcp.client().shutdown();
      serving.await();
      tcp.client().close();
    }
  }

  @InLoop
  @Test
  void theEndDuringTheHandshakeIsAFailureOfIt() throws Exception {
    TcpPair tcp = TcpPair.open();
    var serving = serverFails(tcp);
    tcp.client().shutdown();
    assertTrue(serving.await() instanceof SSLHandshakeException, serving.await().toString());
    assertTrue(serving.await().getMessage().contains("ended"), serving.await().getMessage());
    tcp.client().close();

    TcpPair other = TcpPair.open();
    var connecting =
        Coroutine.spawn(
            () ->
                assertThrows(
                    SSLHandshakeException.class,
                    () -> Tls.client(other.client(), "localhost", TlsPair.options())));
    other.server().read();
    other.server().close();
    connecting.await();
    assertFalse(other.client().isOpen());
  }

  @InLoop
  @Test
  void aResetDuringTheHandshakeIsReported() throws Exception {
    TcpPair tcp = TcpPair.open();
    var connecting =
        Coroutine.spawn(
            () ->
                assertThrows(
                    UvException.class,
                    () -> Tls.client(tcp.client(), "localhost", TlsPair.options())));
    tcp.server().read();
    tcp.server().reset();
    assertEquals("ECONNRESET", connecting.await().code());
  }

  @InLoop
  @Test
  void aRecordThatWasChangedOnTheWayBreaksTheStream() throws Exception {
    TcpPair tcp = TcpPair.open();
    var changing =
        new Between(tcp.client()) {
          boolean change;

          @Override
          public int tryWrite(ByteBuffer from) throws IOException {
            if (change) {
              from.put(from.limit() - 1, (byte) (from.get(from.limit() - 1) ^ 1));
            }
            return super.tryWrite(from);
          }
        };
    try (TlsPair pair =
        TlsPair.over(changing, tcp.server(), TlsPair.options(), TlsOptions.DEFAULT)) {
      pair.client().write(bytes("good"));
      changing.change = true;
      pair.client().write(bytes("evil"));

      assertEquals("good", text(pair.server().read()));
      assertThrows(SSLException.class, () -> pair.server().read());
      assertThrows(SSLException.class, () -> pair.server().read());
      assertThrows(SSLException.class, () -> pair.server().write(bytes("x")));
      SSLException told = assertThrows(SSLException.class, () -> pair.client().read());
      assertTrue(told.getMessage().contains("bad_record_mac"), told.getMessage());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void oneByteAtATimeIsEnough(String version) throws Exception {
    TcpPair tcp = TcpPair.open();
    TlsOptions options = TlsPair.options().withProtocols(version);
    try (TlsPair pair =
        TlsPair.over(
            Between.trickling(tcp.client()),
            Between.trickling(tcp.server()),
            options,
            TlsOptions.DEFAULT)) {
      byte[] sent = new byte[5_000];
      new Random(5).nextBytes(sent);
      var writing =
          Coroutine.spawn(
              () -> {
                pair.client().write(ByteBuffer.wrap(sent));
                pair.client().shutdown();
              });
      ByteBuffer got = ByteBuffer.allocate(5_000);
      pair.server().readFully(got);
      writing.await();

      assertArrayEquals(sent, got.array());
      assertNull(pair.server().read());
    }
  }

  @InLoop
  @Test
  void aHelloInPiecesIsReadForItsName() throws Exception {
    TcpPair tcp = TcpPair.open();
    var serving =
        Coroutine.spawn(
            () ->
                Tls.server(
                    tcp.server(),
                    name -> TlsFiles.context(name == null ? "rsa" : "server"),
                    TlsOptions.DEFAULT));
    try (TlsStream client =
            Tls.client(Between.trickling(tcp.client()), "localhost", TlsPair.options());
        TlsStream server = serving.await()) {
      assertEquals("localhost", server.serverName());
      assertTrue(
          client
              .peerCertificates()
              .getFirst()
              .getSubjectX500Principal()
              .getName()
              .contains("server"));
    }
  }

  @Test
  void whoSaysNothingHasAMinute() throws Exception {
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          TcpPair tcp = TcpPair.open();
          SocketTimeoutException late =
              assertThrows(
                  SocketTimeoutException.class,
                  () -> Tls.server(tcp.server(), TlsFiles.context("server")));
          assertTrue(late.getMessage().contains("PT1M"), late.getMessage());
          assertFalse(tcp.server().isOpen());
          tcp.client().close();
        });
    assertTrue(clock.elapsed().compareTo(Duration.ofMinutes(1)) >= 0, clock.elapsed()::toString);
  }

  @Test
  void theTimeForTheHandshakeIsAnOption() throws Exception {
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          TcpPair tcp = TcpPair.open();
          assertThrows(
              SocketTimeoutException.class,
              () ->
                  Tls.client(
                      tcp.client(),
                      "localhost",
                      TlsPair.options().withHandshakeTimeout(Duration.ofSeconds(3))));
          assertFalse(tcp.client().isOpen());
          tcp.server().close();
        });
    assertEquals(3, clock.elapsed().toSeconds());
  }

  /// What SSL 2 said first looks like no record of TLS; the JDK still waits for all of it.
  @ParameterizedTest
  @ValueSource(strings = {"802e010303", "802e0103030015", "ffff010303", "80ff010301", "8003010303"})
  void theBeginningOfAnOlderHelloIsWaitedForOrRefused(String beginning) throws Exception {
    byte[] bytes = HexFormat.of().parseHex(beginning);
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          TcpPair tcp = TcpPair.open();
          tcp.client().write(ByteBuffer.wrap(bytes));
          assertThrows(
              IOException.class, () -> Tls.server(tcp.server(), TlsFiles.context("server")));
          assertFalse(tcp.server().isOpen());
          tcp.client().close();

          TcpPair other = TcpPair.open();
          bytes[2] = 4;
          other.server().write(ByteBuffer.wrap(bytes));
          assertThrows(
              IOException.class, () -> Tls.client(other.client(), "localhost", TlsPair.options()));
          other.server().close();
        });
    assertTrue(clock.elapsed().toMinutes() <= 2, clock.elapsed()::toString);
  }

  @InLoop
  @Test
  void aWholeOlderHelloIsRefused() throws Exception {
    for (int length : new int[] {46, 20_000, 32_000}) {
      TcpPair tcp = TcpPair.open();
      var serving = serverFails(tcp);
      byte[] hello = new byte[2 + length];
      hello[0] = (byte) (0x80 | (length >> 8));
      hello[1] = (byte) length;
      hello[2] = 1;
      hello[3] = 3;
      hello[4] = 3;
      var trickling = Between.trickling(tcp.client());
      Coroutine.spawn(
          () -> {
            try {
              trickling.write(ByteBuffer.wrap(hello));
            } catch (IOException refused) {
              // in the middle of it
            }
          });
      assertTrue(serving.await() instanceof SSLException, serving.await().toString());
      tcp.client().close();
    }
  }

  private static Coroutine<Exception> serverFails(TcpPair tcp) {
    ByteStream transport = tcp.server();
    return Coroutine.spawn(
        () ->
            assertThrows(Exception.class, () -> Tls.server(transport, TlsFiles.context("server"))));
  }
}
