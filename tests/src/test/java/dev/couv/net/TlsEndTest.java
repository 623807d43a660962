// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.stream.Coroutines;
import dev.couv.testing.InLoop;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How a TLS stream ends: by close_notify, by half, by a cut, by closing.
final class TlsEndTest {
  @InLoop
  @Test
  void inTls13EachDirectionEndsByItself() throws Exception {
    try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols("TLSv1.3"))) {
      pair.client().write(bytes("last question"));
      pair.client().shutdown();

      assertEquals("last question", text(pair.server().read()));
      assertNull(pair.server().read());
      assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
      pair.server().write(bytes("a long "));
      pair.server().write(bytes("answer"));
      pair.server().shutdown();

      ByteBuffer answer = ByteBuffer.allocate(13);
      pair.client().readFully(answer);
      assertEquals("a long answer", text(answer.flip()));
      assertNull(pair.client().read());
      assertNull(pair.client().read());
    }
  }

  @InLoop
  @Test
  void inTls12TheOtherSidesEndIsBoth() throws Exception {
    try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols("TLSv1.2"))) {
      pair.server().write(bytes("before"));
      pair.client().shutdown();

      assertNull(pair.server().read());
      UvException ended =
          assertThrows(UvException.class, () -> pair.server().write(bytes("too late")));
      assertEquals("EPIPE", ended.code());
      assertThrows(UvException.class, () -> pair.server().tryWrite(bytes("too late")));

      assertEquals("before", text(pair.client().read()));
      assertNull(pair.client().read());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void afterAShutdownNothingCanBeWritten(String version) throws Exception {
    try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols(version))) {
      pair.client().shutdown();
      pair.client().shutdown();

      assertEquals(
          "EPIPE", assertThrows(UvException.class, () -> pair.client().write(bytes("x"))).code());
      assertNull(pair.server().read());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void closingSaysCloseNotify(String version) throws Exception {
    try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols(version))) {
      pair.server().write(bytes("read me, else the system resets the connection"));
      pair.client().read();
      pair.client().write(bytes("bye"));
      pair.client().close();

      assertEquals("bye", text(pair.server().read()));
      assertNull(pair.server().read());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aStreamThatIsCutIsAnErrorAfterWhatCame(String version) throws Exception {
    try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols(version))) {
      pair.server().write(bytes("pay 100"));
      pair.server().transport().shutdown(); // somebody on the way cuts "0 to Bob"

      assertEquals("pay 100", text(pair.client().read()));
      for (int i = 0; i < 2; i++) {
        UvException cut = assertThrows(UvException.class, () -> pair.client().read());
        assertEquals("EOF", cut.code());
        assertEquals("read", cut.call());
        assertTrue(cut.getMessage().contains("close_notify"), cut.getMessage());
      }
      UvException cut =
          assertThrows(UvException.class, () -> pair.client().read(ByteBuffer.allocate(9)));
      assertEquals("EOF", cut.code());
      pair.client().write(bytes("this direction works"));
      assertEquals("this direction works", text(pair.server().read()));
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 20})
  void aRecordThatIsCutIsAnErrorToo(int arriving) throws Exception {
    TcpPair tcp = TcpPair.open();
    var cutting =
        new Between(tcp.client()) {
          boolean cut;

          @Override
          public int tryWrite(ByteBuffer from) throws IOException {
            return super.tryWrite(cut ? from.slice(from.position(), arriving) : from);
          }
        };
    try (TlsPair pair =
        TlsPair.over(cutting, tcp.server(), TlsPair.options(), TlsOptions.DEFAULT)) {
      pair.client().write(bytes("all of this"));
      cutting.cut = true;
      pair.client().tryWrite(bytes("and this"));
      tcp.client().shutdown();

      assertEquals("all of this", text(pair.server().read()));
      UvException cut = assertThrows(UvException.class, () -> pair.server().read());
      assertEquals("EOF", cut.code());
    }
  }

  @InLoop
  @Test
  void aCutIsAnEndWhereThatIsTolerated() throws Exception {
    TlsOptions tolerant = TlsPair.options().withTolerateTruncation(true);
    try (TlsPair pair = TlsPair.open(tolerant)) {
      pair.server().write(bytes("all"));
      pair.server().transport().shutdown();

      assertEquals("all", text(pair.client().read()));
      assertNull(pair.client().read());
      assertThrows(EOFException.class, () -> pair.client().readFully(ByteBuffer.allocate(1)));
    }
  }

  @InLoop
  @Test
  void aResetFailsReaderAndWriter() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      var reading =
          Coroutine.spawn(() -> assertThrows(UvException.class, () -> pair.client().read()).code());
      var writing =
          Coroutine.spawn(
              () ->
                  assertThrows(
                          UvException.class,
                          () -> pair.client().write(ByteBuffer.allocate(32 << 20)))
                      .code());
      while (pair.client().pending() == 0) {
        Coroutine.pause();
      }
      ((TcpStream) pair.server().transport()).reset();

      // The kernel tells of a reset once: whoever comes second sees the end.
      String read = reading.await();
      assertTrue(read.equals("ECONNRESET") || read.equals("EOF"), read);
      String written = writing.await();
      assertTrue(written.equals("ECONNRESET") || written.equals("EPIPE"), written);
      assertThrows(UvException.class, () -> pair.client().read());
    }
  }

  @InLoop
  @Test
  void closingWakesReaderAndWriters() throws Exception {
    TlsPair pair = TlsPair.open();
    TlsPair silent = TlsPair.open();
    var reading = Coroutine.spawn(() -> closedIn(() -> pair.client().read()));
    var into = Coroutine.spawn(() -> closedIn(() -> silent.server().read(ByteBuffer.allocate(9))));
    var writing =
        Coroutine.spawn(() -> closedIn(() -> pair.client().write(ByteBuffer.allocate(32 << 20))));
    var queued = Coroutine.spawn(() -> closedIn(() -> pair.client().write(bytes("x"))));
    var ending = Coroutine.spawn(() -> closedIn(() -> pair.client().shutdown()));
    while (pair.client().pending() == 0) {
      Coroutine.pause();
    }

    pair.client().close();
    assertFalse(pair.client().isOpen());
    assertTrue(reading.await().contains("closed while it was read"), reading.await());
    assertTrue(writing.await().contains("closed while it was written"), writing.await());
    queued.await();
    ending.await();
    pair.server().close();
    silent.server().close();
    into.await();
    silent.client().close();
  }

  private interface Use {
    void use() throws Exception;
  }

  private static String closedIn(Use use) {
    return assertThrows(ClosedChannelException.class, use::use).getMessage();
  }

  @InLoop
  @Test
  void aTransportClosedFromUnderItIsClosed() throws Exception {
    TlsPair pair = TlsPair.open();
    var reading = Coroutine.spawn(() -> closedIn(() -> pair.client().read()));
    Coroutine.pause();
    pair.client().transport().close();

    reading.await();
    assertFalse(pair.client().isOpen());
    assertThrows(ClosedChannelException.class, () -> pair.client().write(bytes("x")));
    pair.client().close();
    pair.server().close();
  }

  @InLoop
  @Test
  void closedTransportEndsAllWritersInTheQueue() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      Coroutine<Void> left =
          Coroutine.spawn(() -> pair.client().write(ByteBuffer.allocate(32 << 20)));
      Coroutines.pauseUntilPending(pair.client());
      left.cancel();
      List<Coroutine<ClosedChannelException>> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        // The first has made a record and waits for what the one that left has queued.
        writers.add(
            Coroutine.spawn(
                () ->
                    assertThrows(
                        ClosedChannelException.class,
                        () -> pair.client().write(ByteBuffer.allocate(1)))));
        Coroutine.pause();
      }
      pair.client().transport().close();
      for (Coroutine<ClosedChannelException> writer : writers) {
        writer.await();
      }
    }
  }
}
