// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/// Bytes that are put back come first.
@InLoop
final class StreamUnreadTest {
  @Test
  void bytesThatArePutBackAreReadFirstTheLastPutBackBeforeTheOthers() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("rest");
      ByteBuffer second = Bytes.heap("second ");
      peer.stream().unread(second);
      peer.stream().unread(Bytes.direct("first ".getBytes()));
      peer.stream().unread(ByteBuffer.allocate(0));

      assertFalse(second.hasRemaining(), "they are taken");
      assertEquals("first second rest", Bytes.readText(peer.stream(), 17));
    }
  }

  @Test
  void theCallersBufferIsFreeAtOnce() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer buffer = Bytes.heap("kept");
      pair.client().unread(buffer);
      buffer.clear().put("lost".getBytes());

      assertEquals("kept", Bytes.readText(pair.client(), 4));
    }
  }

  @Test
  void bytesArePutBackAlsoBehindTheEnd() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.endOutput();
      assertEquals(-1, peer.stream().read(ByteBuffer.allocate(1)));
      peer.stream().unread(Bytes.heap("x"));

      assertEquals("x", Bytes.readText(peer.stream(), 1));
      assertEquals(-1, peer.stream().read(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void aReaderThatWaitsGetsThem() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<String> reader = Coroutine.spawn(() -> Bytes.readText(pair.client(), 4));
      Coroutine.pause();
      pair.client().unread(Bytes.heap("back"));

      assertEquals("back", reader.await());
      pair.server().write(Bytes.heap("next"));
      assertEquals("next", Bytes.readText(pair.client(), 4));
    }
  }

  @Test
  void aClosedStreamTakesNothingBack() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().close();
      ByteBuffer bytes = Bytes.heap("x");

      assertThrows(ClosedChannelException.class, () -> pair.client().unread(bytes));

      assertEquals(1, bytes.remaining());
    }
  }

  @Test
  void readerThatWaitsGetsThemInMemoryThatOnlyItMayTouch() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<Integer> reader =
          Coroutine.spawn(
              () -> {
                try (Arena arena = Arena.ofConfined()) {
                  ByteBuffer into = arena.allocate(10).asByteBuffer();
                  return pair.server().read(into) * 100 + into.get(1);
                }
              });
      Coroutine.pause();
      pair.server().unread(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      assertEquals(302, reader.await());
    }
  }

  @Test
  void readerThatSpoiltItsBufferIsToldAndNothingIsLost() throws Exception {
    for (boolean freed : new boolean[] {false, true}) {
      try (TcpPair pair = TcpPair.open()) {
        Arena arena = Arena.ofShared();
        ByteBuffer into = freed ? arena.allocate(10).asByteBuffer() : ByteBuffer.allocate(10);
        Coroutine<IllegalStateException> reader =
            Coroutine.spawn(
                () -> assertThrows(IllegalStateException.class, () -> pair.server().read(into)));
        Coroutine.pause();
        into.limit(freed ? 10 : 1);
        arena.close();
        pair.server().unread(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        reader.await();

        assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), pair.server().read());
      }
    }
  }
}
