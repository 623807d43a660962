// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.net.RawPeer;
import dev.couv.testing.InLoop;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Buffers that are changed, freed or confined to a thread while a stream has them.
@InLoop
final class BufferLifetimeTest {
  private final List<Object> log = new ArrayList<>();

  /// Begins to read into the buffer, and waits.
  private static Coroutine<Integer> reading(RawPeer peer, ByteBuffer into) {
    Coroutine<Integer> reader = Coroutine.spawn(() -> peer.stream().read(into));
    Coroutine.pause();
    return reader;
  }

  @Test
  void readTouchesNoMemoryThatWasFreedMeanwhile() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Arena arena = Arena.ofShared();
      Coroutine<?> reader = reading(peer, arena.allocate(4096).asByteBuffer());

      arena.close();
      peer.send("hello");

      assertThrows(IllegalStateException.class, reader::await);
      assertEquals("hello", Bytes.readText(peer.stream(), 5));
    }
  }

  @Test
  void writeTouchesNoMemoryThatWasFreedBefore() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Arena arena = Arena.ofShared();
      ByteBuffer freed = arena.allocate(4096).asByteBuffer();
      arena.close();

      assertThrows(IllegalStateException.class, () -> peer.stream().write(freed));

      peer.stream().write(Bytes.heap("x"));
      assertEquals("x", peer.receive(1));
    }
  }

  /// What the read had brought is copied by the one who resumes, on another thread.
  @Test
  void readIntoMemoryOfItsThreadAloneCanBeResumedAndLosesNothing() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> reader =
          Coroutine.spawn(
              () -> {
                try (Arena arena = Arena.ofConfined()) {
                  ByteBuffer confined = arena.allocate(64).asByteBuffer();
                  assertThrows(Resumed.class, () -> peer.stream().read(confined));
                  log.add(confined.position());
                  Coroutine.pause();
                  return "result";
                }
              });
      Coroutine.pause();
      peer.send("hello");
      Coroutines.pauseUntilReady(reader);

      assertNull(reader.resume());

      assertEquals("result", reader.await());
      assertEquals(List.of(0), log);
      assertEquals("hello", Bytes.readText(peer.stream(), 5));
    }
  }

  @Test
  void readGoesWhereThePositionWasWhenItBegan() throws Exception {
    for (boolean direct : List.of(false, true)) {
      try (RawPeer peer = RawPeer.open()) {
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(10) : ByteBuffer.allocate(10);
        Coroutine<Integer> reader = reading(peer, buffer.position(2));

        buffer.position(10);
        peer.send("hello");

        assertEquals(5, reader.await());
        assertEquals(7, buffer.position());
        assertEquals("\0\0hello", Bytes.text(buffer));
      }
    }
  }

  @Test
  void bytesThatFindNoRoomAnyMoreAreThereForTheNextRead() throws Exception {
    for (boolean direct : List.of(false, true)) {
      try (RawPeer peer = RawPeer.open()) {
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(10) : ByteBuffer.allocate(10);
        Coroutine<Integer> reader = reading(peer, buffer);

        buffer.limit(3);
        peer.send("hello");

        assertThrows(IllegalStateException.class, reader::await);
        assertEquals(0, buffer.position());
        assertEquals("hello", Bytes.readText(peer.stream(), 5));
      }
    }
  }

  /// Of more than is copied at once, so that the second buffer is looked at late.
  @Test
  void nullBufferIsRefusedBeforeAnythingIsWritten() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer big = ByteBuffer.allocate(200_000);

      assertThrows(NullPointerException.class, () -> peer.stream().write(big, null));

      assertEquals(0, big.position());
      assertTrue(peer.hasHeardNothing());
    }
  }
}
