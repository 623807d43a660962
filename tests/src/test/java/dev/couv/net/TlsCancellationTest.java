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

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Leaving at every await of a handshake, a read and a write: the awaits are counted, and the n-th is
/// left, for every n.
@InLoop
final class TlsCancellationTest {
  /// Counts the awaits of a coroutine on a transport, and has it told to leave at one of them.
  private static final class Leaving extends Between {
    private final int piece;
    private int at;
    private @Nullable Coroutine<?> who;
    int awaits;
    boolean resumes;

    /// Reads no more than a piece at a time.
    Leaving(ByteStream inner, int piece) {
      super(inner);
      this.piece = piece;
    }

    /// From now on that one's awaits count.
    void watch(Coroutine<?> newWho, int newAt) {
      who = newWho;
      at = newAt;
      awaits = 0;
    }

    @Override
    void awaiting() {
      Coroutine<?> leaver = who;
      if (leaver == null || Coroutine.current() != leaver || ++awaits != at) {
        return;
      }
      Coroutine.spawn(
          () -> {
            if (!resumes) {
              leaver.cancel();
            } else if (leaver.status() == Status.SUSPENDED || leaver.status() == Status.READY) {
              leaver.resume("now");
            }
          });
      Coroutine.pause(); // so that it happens during the next await at the latest
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      awaiting();
      ByteBuffer few = into.slice(into.position(), Math.min(into.remaining(), piece));
      int count = inner.read(few);
      into.position(into.position() + Math.max(count, 0));
      return count;
    }

    @Override
    public @Nullable ByteBuffer read() throws IOException {
      awaiting();
      ByteBuffer few = ByteBuffer.allocate(piece);
      return inner.read(few) < 0 ? null : few.flip();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHandshakeIsLeftAtEveryAwait(boolean client) throws Exception {
    int awaits = Integer.MAX_VALUE;
    for (int n = 1; n <= awaits; n++) {
      TcpPair tcp = TcpPair.open();
      Leaving leaving = new Leaving(client ? tcp.client() : tcp.server(), 40);
      ByteStream other = client ? tcp.server() : tcp.client();
      var leaver = Coroutine.spawn(() -> begin(client, leaving));
      leaving.watch(leaver, n);
      var stayer = Coroutine.spawn(() -> failureOf(() -> begin(!client, other).close()));
      try {
        leaver.await().close();
        assertTrue(n > leaving.awaits, "left at " + n + " of " + leaving.awaits);
        awaits = 0; // it was not told to leave: that were all
        assertTrue(n > 10, "only " + n);
      } catch (CancellationException left) {
        assertFalse(leaving.isOpen());
      }
      stayer.await();
      assertFalse(other.isOpen());
    }
  }

  private static TlsStream begin(boolean client, ByteStream transport) throws Exception {
    return client
        ? Tls.client(transport, "localhost", TlsPair.options())
        : Tls.server(transport, TlsFiles.context("server"));
  }

  private interface Use {
    void use() throws Exception;
  }

  private static @Nullable Exception failureOf(Use use) {
    try {
      use.use();
      return null;
    } catch (Exception e) {
      return e;
    }
  }

  /// Cancelled while its certificates are computed with on another thread.
  @Test
  void aHandshakeIsLeftWhileItComputes() throws Exception {
    for (int pauses = 0; pauses < 40; pauses++) {
      TcpPair tcp = TcpPair.open();
      var server = Coroutine.spawn(() -> begin(false, tcp.server()));
      var client = Coroutine.spawn(() -> failureOf(() -> begin(true, tcp.client()).close()));
      for (int i = 0; i < pauses; i++) {
        Coroutine.pause();
      }
      server.cancel();
      try {
        server.await().close();
      } catch (CancellationException left) {
        assertEquals(pauses == 0, tcp.server().isOpen());
        tcp.server().close(); // it was cancelled before it began
      }
      client.await();
    }
  }

  @Test
  void aHandshakeThatTakesTooLongIsLeft() throws Exception {
    TcpPair tcp = TcpPair.open();
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(Duration.ofMillis(5), () -> begin(true, tcp.client())));
    assertFalse(tcp.client().isOpen());
    tcp.server().close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadLeftAtEveryAwaitLosesNothing(boolean resumes) throws Exception {
    byte[] sent = new byte[300];
    new Random(1).nextBytes(sent);
    TcpPair tcp = TcpPair.open();
    Leaving leaving = new Leaving(tcp.server(), 7);
    leaving.resumes = resumes;
    try (TlsPair pair =
        TlsPair.over(tcp.client(), leaving, TlsPair.options(), TlsOptions.DEFAULT)) {
      boolean wasLeft = true;
      int n = 0;
      while (wasLeft) {
        n++;
        ByteBuffer got = ByteBuffer.allocate(sent.length);
        var reading = Coroutine.spawn(() -> isRead(pair.server(), got));
        leaving.watch(reading, n);
        pair.client().write(ByteBuffer.wrap(sent));
        try {
          wasLeft = !reading.await() || n <= leaving.awaits;
        } catch (CancellationException left) {
          wasLeft = true;
        }

        pair.server().readFully(got);

        assertArrayEquals(sent, got.array(), "left at " + n);
      }
      assertTrue(n > 30, "only " + n);
    }
  }

  private static boolean isRead(TlsStream from, ByteBuffer into) throws IOException {
    try {
      from.readFully(into);
      return true;
    } catch (Resumed left) {
      return false;
    }
  }

  /// Whatever a write that is left has taken arrives, and what comes after it is not disturbed.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteLeftAtEveryAwaitStopsBetweenRecords(boolean resumes) throws Exception {
    byte[] much = new byte[5 << 20];
    new Random(2).nextBytes(much);
    int awaits = Integer.MAX_VALUE;
    for (int n = 1; n <= Math.min(awaits, 12); n++) {
      TcpPair tcp = TcpPair.open();
      Leaving leaving = new Leaving(tcp.client(), 1 << 16);
      leaving.resumes = resumes;
      try (TlsPair pair =
          TlsPair.over(leaving, tcp.server(), TlsPair.options(), TlsOptions.DEFAULT)) {
        ByteBuffer from = ByteBuffer.wrap(much);
        var writing =
            Coroutine.spawn(
                () -> {
                  try {
                    pair.client().write(from);
                  } catch (Resumed left) {
                    assertTrue(from.hasRemaining());
                  }
                });
        leaving.watch(writing, n);
        var reading = Coroutine.spawn(() -> readAll(pair.server()));
        try {
          writing.await();
          if (!from.hasRemaining()) {
            awaits = 0;
          }
        } catch (CancellationException left) {
          assertTrue(from.position() > 0 || n == 1);
        }
        int taken = from.position();

        pair.client().write(bytes("and more"));
        pair.client().shutdown();

        byte[] got = reading.await();
        assertEquals(taken + 8, got.length, "left at " + n);
        assertArrayEquals(Arrays.copyOf(much, taken), Arrays.copyOf(got, taken));
        assertEquals("and more", text(ByteBuffer.wrap(got, taken, 8)));
      }
    }
  }

  /// One that waits for its turn writes nothing.
  @Test
  void aWriteLeftInTheQueueWritesNothing() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      int size = 16 << 20;
      var first = Coroutine.spawn(() -> pair.client().write(ByteBuffer.allocate(size)));
      var second = Coroutine.spawn(() -> pair.client().write(bytes("never")));
      var third = Coroutine.spawn(() -> pair.client().write(bytes("third")));
      while (pair.client().pending() == 0) {
        Coroutine.pause();
      }
      second.cancel();
      assertThrows(CancellationException.class, second::await);

      ByteBuffer got = ByteBuffer.allocate(size + 5);
      pair.server().readFully(got);

      first.await();
      third.await();
      assertEquals("third", text(got.flip().position(size)));
    }
  }

  @Test
  void aShutdownThatIsLeftHappensAllTheSame() throws Exception {
    try (TlsPair pair = TlsPair.openLocal()) {
      int size = 16 << 20;
      ByteBuffer from = ByteBuffer.allocate(size);
      while (pair.client().tryWrite(from) > 0) {
        // until the kernel is full
      }
      int taken = from.position();
      var ending = Coroutine.spawn(() -> pair.client().shutdown());
      Coroutine.pause();
      ending.cancel();
      assertThrows(CancellationException.class, ending::await);

      assertEquals(
          taken,
          Loop.current()
              .spawn(
                  () -> {
                    ByteBuffer got = ByteBuffer.allocate(taken);
                    pair.server().readFully(got);
                    return got.position();
                  })
              .await());
      pair.client().shutdown();
      assertNull(pair.server().read());
    }
  }

  @Test
  void aShutdownThatWasUnderWayCanBeAskedForAgain() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      var ending = Coroutine.spawn(() -> pair.client().shutdown());
      Coroutine.pause();
      ending.cancel();
      assertThrows(CancellationException.class, ending::await);

      pair.client().shutdown();
      assertNull(pair.server().read());
    }
  }

  @Test
  void whoIsCancelledReadsAndWritesNoMore() throws Exception {
    try (TlsPair pair = TlsPair.open()) {
      pair.client().write(bytes("here"));
      ByteBuffer untouched = bytes("not written");
      var cancelled =
          Coroutine.spawn(
              () -> {
                Coroutine.current().cancel();
                assertThrows(Cancelled.class, () -> pair.server().read());
                assertThrows(Cancelled.class, () -> pair.server().read(ByteBuffer.allocate(9)));
                assertThrows(Cancelled.class, () -> pair.server().write(untouched));
                assertThrows(Cancelled.class, () -> pair.server().shutdown());
              });
      cancelled.await();

      assertEquals(0, untouched.position());
      assertEquals("here", text(pair.server().read()));
    }
  }

  private static byte[] readAll(ByteStream from) throws IOException {
    var all = new java.io.ByteArrayOutputStream();
    for (ByteBuffer bytes; (bytes = from.read()) != null; ) {
      all.write(bytes.array(), bytes.position(), bytes.remaining());
    }
    return all.toByteArray();
  }
}
