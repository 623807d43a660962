// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Bytes that a stream lends: what is not used is not lost, and the buffer is nobody's afterwards.
@InLoop
final class StreamBorrowTest {
  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  @Test
  void whatHasComeIsLentUntilTheEnd() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            pair.client().write("some words");
            pair.client().shutdown();
          });
      StringBuilder heard = new StringBuilder();

      while (pair.server().borrow(bytes -> heard.append(text(bytes)))) {}

      assertEquals("some words", heard.toString());
      assertFalse(pair.server().borrow(bytes -> heard.append("more")));
    }
  }

  @Test
  void itIsPassedOnAsItIs() throws Exception {
    byte[] sent = Bytes.pattern(300_000);
    try (TcpPair in = TcpPair.open();
        TcpPair out = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            in.client().write(sent);
            in.client().shutdown();
          });
      Coroutine.spawn(
          () -> {
            while (in.server().borrow(out.client()::write)) {}
            out.client().shutdown();
          });

      assertTrue(Arrays.equals(sent, Bytes.readAll(out.server())));
    }
  }

  @Test
  void whatIsLeftGoesBack() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");

      assertTrue(peer.stream().borrow(bytes -> bytes.get(new byte[2])));
      assertTrue(
          peer.stream()
              .borrow(bytes -> bytes.limit(1).position(1))); // what is behind its limit as well

      assertEquals("def", Bytes.readText(peer.stream(), 3));
    }
  }

  @Test
  void whoThrowsLosesNothing() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");

      assertThrows(
          InterruptedException.class,
          () ->
              peer.stream()
                  .borrow(
                      bytes -> {
                        bytes.get();
                        throw new InterruptedException("in the middle");
                      }));

      assertEquals("bcdef", Bytes.readText(peer.stream(), 5));
    }
  }

  @Test
  void whoIsCancelledInTheMiddleLosesNothing() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");
      Gate never = new Gate();
      Coroutine<Boolean> borrowing =
          Coroutine.spawn(
              () ->
                  peer.stream()
                      .borrow(
                          bytes -> {
                            bytes.get();
                            never.await();
                          }));
      Loop.awaitIdle();

      borrowing.cancel();

      assertThrows(CancellationException.class, borrowing::await);
      assertEquals("bcdef", Bytes.readText(peer.stream(), 5));
    }
  }

  @Test
  void theBufferIsOfNoUseAfterwards() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");
      List<ByteBuffer> kept = new ArrayList<>();

      peer.stream()
          .borrow(
              bytes -> {
                kept.add(bytes);
                kept.add(bytes.slice());
                kept.add(bytes.asReadOnlyBuffer());
                bytes.position(bytes.limit());
              });

      for (ByteBuffer dead : kept) {
        assertThrows(IllegalStateException.class, () -> dead.get(0));
        assertThrows(IllegalStateException.class, () -> peer.stream().write(dead.clear()));
        assertThrows(IllegalStateException.class, () -> peer.stream().tryWrite(dead.clear()));
      }
      assertThrows(IllegalStateException.class, () -> peer.stream().read(kept.getFirst().clear()));
    }
  }

  @Test
  void onlyWhoBorrowsCanUseIt() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");

      peer.stream()
          .borrow(
              bytes -> {
                Coroutine<Byte> other = Coroutine.spawn(() -> bytes.get(0));
                assertThrows(WrongThreadException.class, other::await);
                bytes.position(bytes.limit());
              });
    }
  }

  @Test
  void nobodyElseReadsMeanwhile() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");
      ByteStream stream = peer.stream();

      stream.borrow(
          bytes -> {
            assertEquals('a', bytes.get());
            Coroutine<?> other = Coroutine.spawn(() -> stream.read());
            assertThrows(BusyException.class, other::await);
            assertThrows(BusyException.class, () -> stream.borrow(ByteBuffer::get));
            assertThrows(BusyException.class, () -> stream.read(ByteBuffer.allocate(1)));
          });

      assertEquals("bcdef", Bytes.readText(stream, 5));
    }
  }

  @Test
  void whatWasLeftIsLentByTheSameRules() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");
      List<ByteBuffer> kept = new ArrayList<>();

      peer.stream().borrow(ByteBuffer::get);
      peer.stream()
          .borrow(
              bytes -> {
                kept.add(bytes);
                assertEquals("bcdef", text(bytes));
              });

      assertThrows(IllegalStateException.class, () -> kept.getFirst().get(0));
    }
  }

  /// Of a user, over another: what it reads stands in the middle of an array.
  private record InTheMiddle(ByteStream inner) implements ByteStream {
    @Override
    public @Nullable ByteBuffer read() throws IOException {
      ByteBuffer bytes = inner.read();
      return bytes == null
          ? null
          : ByteBuffer.allocate(bytes.remaining() + 9)
              .position(3)
              .put(bytes)
              .limit(3 + bytes.limit())
              .position(3);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      return inner.read(into);
    }

    @Override
    public void unread(ByteBuffer bytes) throws IOException {
      inner.unread(bytes);
    }

    @Override
    public void write(ByteBuffer... from) throws IOException {
      inner.write(from);
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
      return inner.tryWrite(from);
    }

    @Override
    public void shutdown() throws IOException {
      inner.shutdown();
    }

    @Override
    public boolean isOpen() {
      return inner.isOpen();
    }

    @Override
    public long pending() throws IOException {
      return inner.pending();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @Test
  void whoLooksAgainFromTheBeginningSeesWhatHasComeAndNoEnd() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abc");

      for (ByteStream stream : List.of(peer.stream(), new InTheMiddle(peer.stream()))) {
        assertTrue(stream.borrow(bytes -> assertEquals("abc", text(bytes.position(1).rewind()))));
        peer.send("abc");
        assertTrue(stream.borrow(bytes -> bytes.position(1).rewind()));
        assertTrue(stream.borrow(bytes -> bytes.limit(bytes.capacity()).position(1).rewind()));
      }

      assertEquals("abc", Bytes.readText(peer.stream(), 3));
    }
  }

  @Test
  void theStreamMayBeClosedMeanwhile() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("abcdef");

      assertTrue(peer.stream().borrow(bytes -> peer.stream().close()));
    }
  }

  @Test
  void closingWakesWhoWaitsForBytes() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<Boolean> borrowing =
          Coroutine.spawn(() -> pair.server().borrow(bytes -> bytes.get()));
      Coroutine.pause();

      pair.server().close();

      assertInstanceOf(
          AsynchronousCloseException.class, assertThrows(IOException.class, borrowing::await));
    }
  }

  @Test
  void severalAreLentAtOnce() throws Exception {
    List<TcpPair> pairs = new ArrayList<>();
    try {
      for (int i = 0; i < 80; i++) { // more than are kept
        pairs.add(TcpPair.open());
      }
      Gate all = new Gate();
      List<Coroutine<String>> borrowing = new ArrayList<>();
      for (TcpPair pair : pairs) {
        borrowing.add(Coroutine.spawn(() -> textAfter(all, pair.server())));
      }
      for (int i = 0; i < pairs.size(); i++) {
        pairs.get(i).client().write("connection " + i);
      }
      Loop.awaitIdle();

      all.open();

      for (int i = 0; i < pairs.size(); i++) {
        assertEquals("connection " + i, borrowing.get(i).await());
      }
    } finally {
      pairs.forEach(TcpPair::close);
    }
  }

  private static String textAfter(Gate gate, ByteStream stream) throws Exception {
    StringBuilder heard = new StringBuilder();
    stream.borrow(
        bytes -> {
          gate.await();
          heard.append(text(bytes));
        });
    return heard.toString();
  }
}
