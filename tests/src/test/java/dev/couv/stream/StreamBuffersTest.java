// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.loop.UserBuffers;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.net.Udp;
import dev.couv.testing.InLoop;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Buffers whose memory cannot be used, or might be freed by another thread.
final class StreamBuffersTest {
  private static ByteBuffer in(Arena arena, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return arena.allocate(bytes.length).asByteBuffer().put(bytes).flip();
  }

  /// A buffer confined to another coroutine, which keeps it.
  private static ByteBuffer foreign(Arena[] owner) throws Exception {
    ByteBuffer[] made = new ByteBuffer[1];
    Thread maker =
        Thread.ofPlatform()
            .start(
                () -> {
                  owner[0] = Arena.ofConfined();
                  made[0] = in(owner[0], "foreign");
                });
    while (maker.isAlive()) {
      Thread.onSpinWait();
    }
    return made[0];
  }

  @InLoop
  @Test
  void aBufferOfAClosedOrForeignArenaIsRefusedBeforeAnythingIsSent() throws Exception {
    try (Pair pair = LocalStream.pair();
        var udp = Udp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      Arena closed = Arena.ofShared();
      ByteBuffer gone = in(closed, "gone");
      closed.close();
      ByteBuffer foreign = foreign(new Arena[1]);
      // More than one system call takes: the last buffer would be looked at when much is
      // gone.
      ByteBuffer first = ByteBuffer.allocate(1 << 20);

      assertThrows(IllegalStateException.class, () -> pair.first().write(first, gone));
      assertThrows(WrongThreadException.class, () -> pair.first().write(first, foreign));
      assertThrows(IllegalStateException.class, () -> pair.first().tryWrite(gone));
      assertThrows(WrongThreadException.class, () -> pair.first().tryWrite(foreign));
      assertThrows(IllegalStateException.class, () -> udp.send(gone, udp.local()));
      assertThrows(WrongThreadException.class, () -> udp.send(foreign, udp.local()));
      assertThrows(IllegalStateException.class, () -> pair.second().read(gone));
      assertThrows(WrongThreadException.class, () -> pair.second().read(foreign));
      assertThrows(WrongThreadException.class, () -> udp.receive(foreign));

      assertEquals(0, first.position());
      pair.first().write("intact");
      pair.first().shutdown();
      assertEquals("intact", new String(pair.second().readAll(100), UTF_8));
    }
  }

  /// What is handed out as a bare address cannot be freed by anybody else.
  @Test
  void memoryThatAnotherThreadMayFreeIsNeverHandedOut() {
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      assertFalse(UserBuffers.isFixed(in(shared, "x")));
      assertFalse(UserBuffers.isFixed(in(shared, "xyz").slice(1, 1)));
      assertTrue(UserBuffers.isFixed(in(confined, "x")));
      assertTrue(UserBuffers.isFixed(in(Arena.ofAuto(), "x")));
      assertTrue(UserBuffers.isFixed(in(Arena.global(), "x")));
      assertTrue(UserBuffers.isFixed(ByteBuffer.allocateDirect(1)));
      assertFalse(UserBuffers.isFixed(ByteBuffer.allocate(1)));
    }
  }

  @InLoop
  @Test
  void aSharedArenaCanBeUsedAndClosedWhileSomebodyWaits() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      try (Arena shared = Arena.ofShared()) {
        pair.first().write(in(shared, "one "), ByteBuffer.wrap("two".getBytes(UTF_8)));
        ByteBuffer room = shared.allocate(5).asByteBuffer();
        assertEquals(5, pair.second().read(room));
        assertEquals("one t", UTF_8.decode(room.flip()).toString());
        assertEquals(2, pair.second().read(room.clear()));
        assertEquals("wo", UTF_8.decode(room.flip()).toString());
      }
      Arena shared = Arena.ofShared();
      ByteBuffer room = shared.allocate(8).asByteBuffer();
      var reading = Coroutine.spawn(() -> pair.second().read(room));
      Coroutine.pause();
      shared.close();
      pair.first().write("late");

      assertThrows(IllegalStateException.class, reading::await);
      ByteBuffer next = ByteBuffer.allocate(4);
      pair.second().readFully(next);
      assertEquals("late", UTF_8.decode(next.flip()).toString());
    }
  }

  @InLoop
  @Test
  void whatWasPutBackComesToASharedArenaInPieces() throws Exception {
    try (Pair pair = LocalStream.pair();
        Arena shared = Arena.ofShared()) {
      pair.second().unread(ByteBuffer.wrap("123456".getBytes(UTF_8)));
      ByteBuffer room = shared.allocate(4).asByteBuffer();
      assertEquals(4, pair.second().read(room));
      assertEquals("1234", UTF_8.decode(room.flip()).toString());
      assertEquals(2, pair.second().read(room.clear()));
      assertEquals("56", UTF_8.decode(room.flip()).toString());
    }
  }

  @InLoop
  @Test
  void datagramsGoThroughASharedArena() throws Exception {
    try (var udp = Udp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Arena shared = Arena.ofShared()) {
      udp.send(in(shared, "hello"), udp.local());
      ByteBuffer room = shared.allocate(8).asByteBuffer();
      assertEquals(5, udp.receive(room).length());
      assertEquals("hello", UTF_8.decode(room.flip()).toString());
    }
  }

  @InLoop
  @Test
  void aReadOnlyBufferIsRefusedEverywhere() throws Exception {
    try (Pair pair = LocalStream.pair();
        var udp = Udp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      ByteBuffer fixed = ByteBuffer.allocate(4).asReadOnlyBuffer();
      Lines lines = pair.second().lines();
      pair.first().write("a line\nand more");
      lines.next();

      assertThrows(IllegalArgumentException.class, () -> pair.second().read(fixed));
      assertThrows(IllegalArgumentException.class, () -> pair.second().readFully(fixed));
      assertThrows(IllegalArgumentException.class, () -> pair.second().receive(fixed));
      assertThrows(IllegalArgumentException.class, () -> lines.read(fixed));
      assertThrows(IllegalArgumentException.class, () -> lines.readFully(fixed));
      assertThrows(IllegalArgumentException.class, () -> udp.receive(fixed));
      pair.first().send(ByteBuffer.allocate(1).asReadOnlyBuffer(), pair.second());
      pair.first().write(fixed);
    }
  }

  @InLoop
  @Test
  void aStreamThatBlocksIsNeitherReadNorWrittenHere() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      pair.first().blocking(true);

      assertThrows(
          IllegalStateException.class, () -> pair.first().tryWrite(ByteBuffer.allocate(1)));
      assertThrows(IllegalStateException.class, () -> pair.first().write("x"));
      assertThrows(IllegalStateException.class, () -> pair.first().read());
      pair.first().blocking(false);
      pair.first().write("x");
      pair.second().readFully(ByteBuffer.allocate(1));
    }
  }
}
