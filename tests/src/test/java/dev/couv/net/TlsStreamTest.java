// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsStreamTest {
  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void bytesGoBothWays(String version) throws Exception {
    try (TlsPair pair = TlsPair.open(TlsPair.options().withProtocols(version))) {
      assertEquals(version, pair.client().session().getProtocol());
      assertEquals(version, pair.server().session().getProtocol());

      pair.client().write(bytes("question"));
      assertEquals("question", text(pair.server().read()));
      pair.server().write(bytes("answer"));
      ByteBuffer small = ByteBuffer.allocate(4);
      assertEquals(4, pair.client().read(small));
      assertEquals("answ", text(small.flip()));
      assertEquals("er", text(pair.client().read()));
    }
  }

  @InLoop
  @Test
  void sizesAroundARecordsArriveWhole() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      for (int size : new int[] {1, 16383, 16384, 16385, 49152, 49153, 200_000}) {
        byte[] sent = new byte[size];
        new Random(size).nextBytes(sent);
        ByteBuffer received =
            size % 2 == 0 ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);

        var writing = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(sent)));
        pair.server().readFully(received);
        writing.await();

        byte[] got = new byte[size];
        received.flip().get(got);
        assertArrayEquals(sent, got);
      }
    }
  }

  @InLoop
  @Test
  void buffersAreGatheredInOrderAndEmptyOnesAreNothing() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      pair.client().write();
      pair.client().write(ByteBuffer.allocate(0));
      pair.client()
          .write(bytes("one "), ByteBuffer.allocateDirect(0), bytes("two "), bytes("three"));

      ByteBuffer received = ByteBuffer.allocate(13);
      pair.server().readFully(received);

      assertEquals("one two three", text(received.flip()));
      assertEquals(0, pair.server().read(ByteBuffer.allocate(0)));
    }
  }

  @InLoop
  @Test
  void tryWriteTakesWhatTheKernelTakesAndNothingWhileAWriterWaits() throws Exception {
    try (TlsPair pair = TlsPair.openLocal()) {
      assertEquals(5, pair.client().tryWrite(bytes("hello")));
      assertEquals("hello", text(pair.server().read()));

      ByteBuffer endless = ByteBuffer.allocate(32 << 20);
      int taken = pair.client().tryWrite(endless);
      assertTrue(taken > 0 && endless.hasRemaining(), "took " + taken);
      assertEquals(taken, endless.position());
      var writer = Coroutine.spawn(() -> pair.client().write(bytes("end")));
      Coroutine.pause();
      assertEquals(0, pair.client().tryWrite(bytes("x")));
      assertTrue(pair.client().pending() > 0);

      ByteBuffer received = ByteBuffer.allocate(taken + 3);
      pair.server().readFully(received);
      writer.await();
      assertEquals("end", text(received.flip().position(taken)));
      assertEquals(0, pair.client().pending());
    }
  }

  @InLoop
  @Test
  void whatTryWriteTookGoesOutByItself() throws Exception {
    try (TlsPair pair = TlsPair.openLocal()) {
      int said = 0;
      ByteBuffer piece = ByteBuffer.allocate(10_000);
      for (int taken; (taken = pair.client().tryWrite(piece.clear())) > 0; ) {
        said += taken;
      }
      assertTrue(pair.client().pending() > 0);
      assertEquals(0, pair.client().tryWrite(ByteBuffer.allocate(0)));

      pair.server().readFully(ByteBuffer.allocate(said));

      while (pair.client().pending() > 0) {
        Coroutine.pause();
      }
      assertEquals(5, pair.client().tryWrite(bytes("hello")));
      assertEquals("hello", text(pair.server().read()));
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatACancelledWriterSaysIsWrittenGoesOutByItself(boolean overASocket) throws Exception {
    TcpPair tcp = TcpPair.open();
    ByteStream way = overASocket ? tcp.client() : new Trifling(tcp.client());
    try (TlsPair pair = TlsPair.over(way, tcp.server(), TlsPair.options(), TlsOptions.DEFAULT)) {
      ByteBuffer much = ByteBuffer.allocate(16 << 20);
      var writer = Coroutine.spawn(() -> pair.client().write(much));
      while (tcp.client().pending() == 0) {
        Coroutine.pause();
      }
      writer.cancel();
      assertThrows(CancellationException.class, writer::await);

      pair.server().readFully(ByteBuffer.allocate(much.position()));

      while (pair.client().pending() > 0) {
        Coroutine.pause();
      }
    }
  }

  /// Takes a thousand bytes at a time.
  private static final class Trifling extends Between {
    Trifling(ByteStream inner) {
      super(inner);
    }

    @Override
    public void write(ByteBuffer... from) throws IOException {
      for (ByteBuffer whole : from) {
        while (whole.hasRemaining()) {
          int count = Math.min(1000, whole.remaining());
          ByteBuffer part = whole.slice(whole.position(), count);
          try {
            inner.write(part);
          } finally {
            whole.position(whole.position() + part.position());
          }
        }
      }
    }
  }

  @InLoop
  @Test
  void closingEndsWhatTryWriteLeftBehind() throws Exception {
    TlsPair pair = TlsPair.openLocal();
    int said = 0;
    for (int n; (n = pair.client().tryWrite(ByteBuffer.allocate(10_000))) > 0; ) {
      said += n;
    }
    pair.client().close(); // what waits is lost with it, and nobody is left waiting
    assertTrue(said > 0);
    pair.server().close();
  }

  @InLoop
  @Test
  void writersTakeTurnsAndASecondReaderIsRefused() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      byte[] first = new byte[1 << 20];
      byte[] second = new byte[1 << 20];
      java.util.Arrays.fill(first, (byte) 1);
      java.util.Arrays.fill(second, (byte) 2);
      var one = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(first)));
      var two = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(second)));
      ByteBuffer received = ByteBuffer.allocate(2 << 20);
      var reading = Coroutine.spawn(() -> pair.server().readFully(received));
      Coroutine.pause();

      BusyException busy = assertThrows(BusyException.class, () -> pair.server().read(bytes("  ")));
      assertTrue(busy.getMessage().contains("already reading"), busy.getMessage());
      one.await();
      two.await();
      reading.await();

      for (int i = 0; i < received.capacity(); i++) {
        assertEquals(i < first.length ? 1 : 2, received.get(i));
      }
    }
  }

  @InLoop
  @Test
  void itIsAByteStreamForLinesAndForJavaStreams() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      pair.client().output().write("one\ntwo\n".getBytes(UTF_8));

      assertEquals("one", pair.server().lines().next());
      pair.server().output().write("three\n".getBytes(UTF_8));
      var reader = new BufferedReader(new InputStreamReader(pair.client().input(), UTF_8));
      assertEquals("three", reader.readLine());
    }
  }

  @InLoop
  @Test
  void whatIsPutBackIsReadFirst() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      pair.client().write(bytes("abcdef"));
      ByteBuffer four = ByteBuffer.allocate(4);
      pair.server().readFully(four);

      pair.server().unread(four.flip().position(2));
      pair.server().unread(bytes("+"));

      ByteBuffer rest = ByteBuffer.allocate(5);
      pair.server().readFully(rest);
      assertEquals("+cdef", text(rest.flip()));
    }
  }

  @InLoop
  @Test
  void tlsRunsOverTls() throws Exception {
    try (TlsPair outer = TlsPair.open();
        TlsPair inner =
            TlsPair.over(outer.client(), outer.server(), TlsPair.options(), TlsOptions.DEFAULT)) {
      inner.client().write(bytes("twice"));

      assertEquals("twice", text(inner.server().read()));
      inner.client().shutdown();
      assertNull(inner.server().read());
      assertSame(outer.client(), inner.client().transport());
    }
  }

  @InLoop
  @Test
  void tlsRunsOverLocalSockets() throws Exception {
    Pair local = LocalStream.pair();
    try (TlsPair pair =
        TlsPair.over(local.first(), local.second(), TlsPair.options(), TlsOptions.DEFAULT)) {
      pair.client().write(bytes("nearby"));

      assertEquals("nearby", text(pair.server().read()));
    }
    assertFalse(local.first().isOpen());
    assertFalse(local.second().isOpen());
  }

  @InLoop
  @Test
  void oneSessionIsResumedByTheNextConnection() throws Exception {
    TlsOptions options = TlsPair.options();
    var server = TlsFiles.context("server");
    long[] created = new long[2];
    for (int i = 0; i < 2; i++) {
      try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", i == 0 ? 0 : port)); ) {
        port = listener.local().getPort();
        var accepting =
            Coroutine.spawn(
                () -> {
                  try (TlsStream peer = Tls.server(listener.accept(), server)) {
                    peer.write(bytes("hi"));
                    assertNull(peer.read());
                  }
                });
        try (TlsStream client = Tls.connect("localhost", port, options)) {
          assertEquals("hi", text(client.read()));
          created[i] = client.session().getCreationTime();
          client.shutdown();
          assertNull(client.read());
        }
        accepting.await();
      }
    }
    assertEquals(created[0], created[1]);
  }

  private int port;

  @InLoop
  @Test
  void itBelongsToItsLoop() throws Exception {
    AtomicReference<TlsStream> foreign = new AtomicReference<>();
    try (TlsPair pair = TlsPair.open()) {
      foreign.set(pair.client());
      Loop.offload(
          () -> {
            assertThrows(IllegalStateException.class, () -> foreign.get().read());
            assertThrows(IllegalStateException.class, () -> foreign.get().tryWrite(bytes("x")));
            assertThrows(IllegalStateException.class, () -> foreign.get().close());
            return null;
          });
      assertTrue(pair.client().isOpen());
      pair.client().write(bytes("still"));
      assertEquals("still", text(pair.server().read()));
    }
    assertFalse(foreign.get().isOpen());
    assertThrows(ClosedChannelException.class, () -> foreign.get().read());
    assertThrows(ClosedChannelException.class, () -> foreign.get().write(bytes("x")));
    assertThrows(ClosedChannelException.class, () -> foreign.get().tryWrite(bytes("x")));
    assertThrows(ClosedChannelException.class, () -> foreign.get().shutdown());
    assertThrows(ClosedChannelException.class, () -> foreign.get().pending());
    foreign.get().close();
  }

  @Test
  void misuseIsRefusedBeforeAnythingHappens() throws Exception {
    assertThrows(IllegalStateException.class, () -> Tls.connect("localhost", 1));
    Loop.run(
        () -> {
          try (TcpPair tcp = TcpPair.open()) {
            assertThrows(IllegalArgumentException.class, () -> Tls.client(tcp.client(), ""));
            assertThrows(IllegalArgumentException.class, () -> Tls.client(tcp.client(), "."));
            assertThrows(IllegalArgumentException.class, () -> TlsOptions.DEFAULT.withProtocols());
            assertThrows(
                IllegalArgumentException.class,
                () -> TlsOptions.DEFAULT.withHandshakeTimeout(java.time.Duration.ZERO));
            assertTrue(tcp.client().isOpen());
          }
          try (TlsPair pair = TlsPair.open()) {
            assertThrows(
                IllegalArgumentException.class,
                () -> pair.client().read(ByteBuffer.allocate(4).asReadOnlyBuffer()));
            assertThrows(NullPointerException.class, () -> pair.client().write((ByteBuffer) null));
          }
        });
  }
}
