// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BusyException;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StreamReadTest {
  @InLoop
  @Test
  void readReturnsWhatHasArrivedAndMovesOnlyThePosition() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer buffer = ByteBuffer.allocate(16).position(3).limit(12);
      peer.send("hello");

      int count = peer.stream().read(buffer);

      assertEquals(5, count);
      assertEquals(8, buffer.position());
      assertEquals(12, buffer.limit());
      assertArrayEquals("\0\0\0hello\0\0\0\0\0\0\0\0".getBytes(ISO_8859_1), buffer.array());
    }
  }

  @InLoop
  @Test
  void readIntoADirectBufferMovesOnlyThePosition() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(16).position(3).limit(12);
      peer.send("hello");

      int count = peer.stream().read(buffer);

      assertEquals(5, count);
      assertEquals(8, buffer.position());
      assertEquals(12, buffer.limit());
      assertEquals("\0\0\0hello", Bytes.text(buffer));
      assertEquals(0, buffer.get(8));
    }
  }

  @InLoop
  @Test
  void readFillsNoMoreThanTheBufferHasRoomFor() throws Exception {
    for (boolean direct : List.of(false, true)) {
      try (RawPeer peer = RawPeer.open()) {
        ByteBuffer all = direct ? ByteBuffer.allocateDirect(8) : ByteBuffer.allocate(8);
        ByteBuffer middle = all.slice(2, 3);
        peer.send("abcdefg");

        assertEquals(3, peer.stream().read(middle));
        assertEquals("\0\0abc\0\0\0", Bytes.text(all.duplicate().position(8)));
        assertEquals("defg", Bytes.readText(peer.stream(), 4));
      }
    }
  }

  @InLoop
  @Test
  void readIntoABufferWithAnArrayOffsetAndLittleEndianOrder() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      byte[] array = new byte[10];
      ByteBuffer inside = ByteBuffer.wrap(array, 4, 4).slice();
      inside.order(java.nio.ByteOrder.LITTLE_ENDIAN);
      peer.send("wxyz");

      peer.stream().readFully(inside);

      assertEquals("\0\0\0\0wxyz\0\0", new String(array, ISO_8859_1));
      assertEquals(java.nio.ByteOrder.LITTLE_ENDIAN, inside.order());
    }
  }

  @InLoop
  @Test
  void readWithoutABufferReturnsOneThatIsTheCallers() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("first");
      ByteBuffer first = peer.stream().read();
      peer.send("second");
      ByteBuffer second = peer.stream().read();

      assertNotNull(first);
      assertNotNull(second);
      assertEquals("first", ISO_8859_1.decode(first).toString());
      assertEquals("second", ISO_8859_1.decode(second).toString());
      assertFalse(second.isReadOnly());
    }
  }

  @InLoop
  @Test
  void readIntoAFullBufferReturnsZeroAndWaitsForNothing() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      assertEquals(0, pair.client().read(ByteBuffer.allocate(0)));
      assertEquals(0, pair.client().read(ByteBuffer.allocateDirect(4).position(4)));
    }
  }

  @InLoop
  @Test
  @Behaviour("ST24")
  void readOnlyTargetIsRefusedBeforeAnythingIsTaken() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("kept");
      ByteBuffer readOnly = ByteBuffer.allocate(8).asReadOnlyBuffer();
      ByteBuffer readOnlyDirect = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();

      assertThrows(IllegalArgumentException.class, () -> peer.stream().read(readOnly));
      assertThrows(IllegalArgumentException.class, () -> peer.stream().read(readOnlyDirect));
      assertThrows(IllegalArgumentException.class, () -> peer.stream().readFully(readOnlyDirect));
      assertEquals(0, readOnly.position());
      assertEquals("kept", Bytes.readText(peer.stream(), 4));
    }
  }

  @InLoop
  @Test
  @Behaviour("ST24")
  void nullTargetIsRefusedAndTheStreamStaysUsable() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      assertThrows(NullPointerException.class, () -> peer.stream().read(null));

      peer.send("x");
      assertEquals("x", Bytes.readText(peer.stream(), 1));
    }
  }

  @InLoop
  @Test
  void readFullyFillsTheBufferFromManyPieces() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer buffer = ByteBuffer.allocate(9);
      Coroutine<?> reader = Coroutine.spawn(() -> peer.stream().readFully(buffer));
      for (String piece : List.of("ab", "cde", "f", "ghi")) {
        peer.send(piece);
        int sofar = buffer.position();
        while (buffer.position() == sofar) {
          Coroutine.pause();
        }
      }
      reader.await();

      assertEquals("abcdefghi", Bytes.text(buffer));
    }
  }

  @InLoop
  @Test
  void readFullyTellsThatTheStreamEndedTooEarlyAndKeepsWhatCame() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer buffer = ByteBuffer.allocate(10);
      peer.send("four");
      peer.endOutput();

      EOFException thrown = assertThrows(EOFException.class, () -> peer.stream().readFully(buffer));

      assertTrue(thrown.getMessage().contains("6 bytes too early"), thrown.getMessage());
      assertTrue(thrown.getMessage().contains("tcp 127.0.0.1:"), thrown.getMessage());
      assertEquals("four", Bytes.text(buffer));
    }
  }

  @InLoop
  @Test
  void tenThousandReadsOfOneByteLoseAndRepeatNothing() throws Exception {
    byte[] sent = Bytes.pattern(10_000);
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(ByteBuffer.wrap(sent));
      byte[] received = new byte[sent.length];
      ByteBuffer heap = ByteBuffer.allocate(1);
      ByteBuffer direct = ByteBuffer.allocateDirect(1);

      for (int i = 0; i < sent.length; i++) {
        ByteBuffer one = i % 2 == 0 ? heap : direct;
        assertEquals(1, pair.server().read(one.clear()));
        received[i] = one.get(0);
      }

      assertArrayEquals(sent, received);
    }
  }

  @InLoop
  @Test
  void readsOfEveryKindShareOneSequenceOfBytes() throws Exception {
    byte[] sent = Bytes.pattern(200_000);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(sent)));
      byte[] received = new byte[sent.length];
      int length = 0;

      for (int turn = 0; length < sent.length; turn++) {
        ByteBuffer got =
            switch (turn % 3) {
              case 0 -> filled(pair.server(), ByteBuffer.allocate(1 + turn % 5000));
              case 1 -> filled(pair.server(), ByteBuffer.allocateDirect(1 + turn % 5000));
              default -> pair.server().read();
            };
        int count = got.remaining();
        got.get(received, length, count);
        length += count;
      }

      assertArrayEquals(sent, received);
    }
  }

  private static ByteBuffer filled(ByteStream from, ByteBuffer buffer) throws Exception {
    assertTrue(from.read(buffer) > 0);
    return buffer.flip();
  }

  @InLoop
  @Test
  void oneReadTakesMoreThanTheScratchBufferHolds() throws Exception {
    byte[] sent = Bytes.pattern(300_000);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            pair.client().write(ByteBuffer.wrap(sent));
            pair.client().write(ByteBuffer.wrap(sent));
          });
      assertArrayEquals(sent, Bytes.readFully(pair.server(), sent.length));
      ByteBuffer direct = ByteBuffer.allocateDirect(sent.length);
      pair.server().readFully(direct);

      byte[] received = new byte[sent.length];
      direct.flip().get(received);
      assertArrayEquals(sent, received);
    }
  }

  @InLoop
  @Test
  void secondReaderIsRefusedAndTheFirstIsNotDisturbed() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> first = Coroutine.spawn(() -> Bytes.readText(peer.stream(), 5));
      Coroutine.pause();

      BusyException busy =
          assertThrows(BusyException.class, () -> peer.stream().read(ByteBuffer.allocate(1)));
      assertThrows(BusyException.class, () -> peer.stream().read());

      assertTrue(busy.getMessage().contains("tcp 127.0.0.1:"), busy.getMessage());
      peer.send("first");
      assertEquals("first", first.await());
      peer.send("x");
      assertEquals("x", Bytes.readText(peer.stream(), 1));
    }
  }

  @InLoop
  @Test
  void secondReaderIsRefusedAlsoWhileTheFirstOnesBytesWaitForItsTurn() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> first = Coroutine.spawn(() -> Bytes.readText(peer.stream(), 3));
      Coroutine.pause();
      peer.send("abc");
      Coroutines.pauseUntilReady(first);

      assertThrows(BusyException.class, () -> peer.stream().read());

      assertEquals("abc", first.await());
    }
  }

  @InLoop
  @Test
  @Behaviour("ST28")
  void readerHandsTheStreamOverToAnotherCoroutine() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      StringBuilder story = new StringBuilder();
      Coroutine<?> second =
          Coroutine.spawn(
              () -> {
                Coroutine.halt();
                story.append(Bytes.readText(peer.stream(), 2));
              });
      Coroutine<?> first =
          Coroutine.spawn(
              () -> {
                story.append(Bytes.readText(peer.stream(), 2));
                second.resume();
              });
      peer.send("abcd");
      first.await();
      second.await();

      assertEquals("abcd", story.toString());
      peer.send("ef");
      assertEquals("ef", Bytes.readText(peer.stream(), 2));
    }
  }

  @InLoop
  @Test
  void everyByteIsReadByATurnOfItsOwnCoroutine() throws Exception {
    byte[] sent = Bytes.pattern(500);
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(ByteBuffer.wrap(sent));
      byte[] received = new byte[sent.length];
      for (int i = 0; i < sent.length; i++) {
        int at = i;
        Coroutine.spawn(() -> received[at] = Bytes.readFully(pair.server(), 1)[0]).await();
      }

      assertArrayEquals(sent, received);
    }
  }

  @InLoop
  @Test
  void dataThatNobodyReadsStaysInTheKernel() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("a");
      Bytes.readText(peer.stream(), 1); // from here on libuv is armed
      peer.send("bc");
      long before = Loop.current().stats().nativeBytes();
      for (int i = 0; i < 2000; i++) {
        Coroutine.pause();
      }

      assertEquals(before, Loop.current().stats().nativeBytes());
      assertEquals("bc", Bytes.readText(peer.stream(), 2));
    }
  }

  @Test
  void unreadStreamWithDataDoesNotKeepTheLoopTurning() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            RawPeer peer = RawPeer.open();
            peer.send("a");
            Bytes.readText(peer.stream(), 1);
            peer.send("unread");
            Coroutine.current().onEnd((_, _) -> closeSocketOnly(peer));
          });

      assertFalse(loop.run(dev.couv.coro.Mode.LOOP));
    }
  }

  private static void closeSocketOnly(RawPeer peer) {
    try {
      peer.reset();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void readOutsideACoroutineIsRefusedByName() throws Exception {
    try (Loop loop = Loop.open()) {
      Coroutine<RawPeer> opening = loop.spawn(RawPeer::open);
      loop.run(dev.couv.coro.Mode.LOOP);
      RawPeer[] peer = new RawPeer[1];
      loop.spawn(() -> peer[0] = opening.await());
      loop.run(dev.couv.coro.Mode.LOOP);

      IllegalStateException thrown =
          assertThrows(
              IllegalStateException.class, () -> peer[0].stream().read(ByteBuffer.allocate(1)));

      assertTrue(thrown.getMessage().contains("read from tcp"), thrown.getMessage());
      peer[0].send("later");
      Coroutine<String> later = loop.spawn(() -> Bytes.readText(peer[0].stream(), 5));
      String[] text = new String[1];
      loop.spawn(() -> text[0] = later.await());
      loop.run(dev.couv.coro.Mode.LOOP);
      assertEquals("later", text[0]);
      peer[0].reset();
    }
  }

  @InLoop
  @Test
  void readOfNothingReturnsNullOnlyAtTheEnd() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("x");
      peer.endOutput();

      assertNotNull(peer.stream().read());
      assertNull(peer.stream().read());
      assertNull(peer.stream().read());
      assertEquals(-1, peer.stream().read(ByteBuffer.allocate(4)));
      assertEquals(0, peer.stream().read(ByteBuffer.allocate(0)));
    }
  }

  @InLoop
  @Test
  void copyPassesEverythingOnUntilTheEnd() throws Exception {
    byte[] sent = Bytes.pattern(1_000_003);
    try (TcpPair in = TcpPair.open();
        TcpPair out = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            in.client().write(ByteBuffer.wrap(sent));
            in.client().shutdown();
          });
      Coroutine<Long> copying =
          Coroutine.spawn(
              () -> {
                long count = ByteStream.copy(in.server(), out.client());
                out.client().shutdown();
                return count;
              });

      byte[] received = Bytes.readAll(out.server());

      assertEquals(sent.length, copying.await());
      assertTrue(Arrays.equals(sent, received));
    }
  }
}
