// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.fs.Fs;
import dev.couv.fs.OpenFile;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.net.TcpStream;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a stream ends: by the peer, by half, by a reset.
@InLoop
final class StreamEndTest {
  @Test
  @Behaviour("ST26")
  void endOfStreamStaysAndOwnWritesStillWork() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(ByteBuffer.wrap(Bytes.pattern(64)));
      pair.client().shutdown();

      assertArrayEquals(Bytes.pattern(64), Bytes.readFully(pair.server(), 64));
      for (int i = 0; i < 5; i++) {
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(10)));
        assertEquals(-1, pair.server().read(ByteBuffer.allocateDirect(10)));
        assertNull(pair.server().read());
      }
      pair.server().write(Bytes.heap("still here"));
      assertEquals("still here", Bytes.readText(pair.client(), 10));
    }
  }

  @Test
  void bothSidesEndOneAfterTheOther() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().shutdown();
      assertNull(pair.server().read());
      pair.server().shutdown();
      assertNull(pair.client().read());

      assertTrue(pair.client().isOpen());
      assertTrue(pair.server().isOpen());
    }
  }

  @Test
  void bothSidesEndAtOnceWithAllTheirBytes() throws Exception {
    byte[] sent = Bytes.pattern(2 << 20);
    try (TcpPair pair = TcpPair.open()) {
      for (ByteStream end : List.of(pair.client(), pair.server())) {
        Coroutine.spawn(
            () -> {
              end.write(ByteBuffer.wrap(sent));
              end.shutdown();
            });
      }
      Coroutine<byte[]> atClient = Coroutine.spawn(() -> Bytes.readAll(pair.client()));

      assertArrayEquals(sent, Bytes.readAll(pair.server()));
      assertArrayEquals(sent, atClient.await());
    }
  }

  @Test
  void waitingReaderIsToldOfTheEnd() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<Integer> heap = Coroutine.spawn(() -> peer.stream().read(ByteBuffer.allocate(1)));
      Coroutine.pause();
      peer.endOutput();

      assertEquals(-1, heap.await());
    }
  }

  @Test
  void endThatComesWhileNobodyReadsIsFoundLater() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("a");
      assertEquals("a", Bytes.readText(peer.stream(), 1)); // libuv is armed from here on
      peer.endOutput();
      for (int i = 0; i < 1000; i++) {
        Coroutine.pause();
      }

      assertNull(peer.stream().read());
    }
  }

  @Test
  void shutdownComesAfterWhatWasWrittenBefore() throws Exception {
    byte[] sent = Bytes.pattern(10 << 20);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(sent)));
      Coroutines.pauseUntilPending(pair.client());
      Coroutine<?> ending = Coroutine.spawn(() -> pair.client().shutdown());
      Coroutine.pause();

      assertArrayEquals(sent, Bytes.readAll(pair.server()));
      writer.await();
      ending.await();
    }
  }

  @Test
  void writeAfterShutdownFails() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().shutdown();
      ByteBuffer late = Bytes.heap("late");

      UvException thrown = assertThrows(UvException.class, () -> pair.client().write(late));

      assertEquals("EPIPE", thrown.code());
      assertEquals("write", thrown.call());
      assertEquals(0, late.position());
      assertThrows(UvException.class, () -> pair.client().tryWrite(late));
      assertNull(pair.server().read());
    }
  }

  @Test
  void secondShutdownSaysThatItIsDone() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().shutdown();

      UvException thrown = assertThrows(UvException.class, () -> pair.client().shutdown());

      assertEquals("ENOTCONN", thrown.code());
      assertEquals("shutdown", thrown.call());
      pair.server().write(Bytes.heap("x"));
      assertEquals("x", Bytes.readText(pair.client(), 1));
    }
  }

  @Test
  void resetWakesTheReader() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<Integer> reader = Coroutine.spawn(() -> peer.stream().read(ByteBuffer.allocate(1)));
      Coroutine.pause();
      peer.reset();

      UvException thrown = assertThrows(UvException.class, reader::await);

      assertEquals("ECONNRESET", thrown.code());
      assertEquals("read", thrown.call());
      UvException again = assertThrows(UvException.class, () -> peer.stream().read());
      assertEquals("ECONNRESET", again.code());
    }
  }

  /// The kernel tells of it once, to whoever asks first.
  @Test
  void aResetThatAWriteWasToldIsNoEndToTheReader() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.reset();
      UvException told = null;
      while (told == null) { // until it is here
        told = writing(peer.stream());
        Coroutine.pause();
      }
      assertEquals("ECONNRESET", told.code());

      UvException thrown = assertThrows(UvException.class, () -> peer.stream().read());

      assertEquals("ECONNRESET", thrown.code());
      assertEquals("read", thrown.call());
    }
  }

  @Test
  void aResetThatAFileWasToldIsNoEndToTheReader(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[100_000]);
    try (RawPeer peer = RawPeer.open();
        OpenFile source = Fs.open(file)) {
      peer.reset();
      UvException told = null;
      while (told == null) { // until it is here
        told = failing(() -> source.sendTo(peer.stream(), 0, 100_000));
        Coroutine.pause();
      }
      assertEquals("sendfile", told.call());

      UvException thrown = assertThrows(UvException.class, () -> peer.stream().read());

      assertEquals("ECONNRESET", thrown.code());
    }
  }

  @Test
  void aResetThatAWriteWasToldIsNoEndOnAnotherLoop() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.reset();
      while (writing(peer.stream()) == null) { // until it is here
        Coroutine.pause();
      }
      try (TcpStream moved = peer.stream().detach().adopt()) {
        UvException thrown = assertThrows(UvException.class, moved::read);

        assertEquals("ECONNRESET", thrown.code());
      }
    }
  }

  private static UvException writing(ByteStream stream) {
    return failing(() -> stream.write("x"));
  }

  private static UvException failing(Action call) {
    try {
      call.run();
      return null;
    } catch (UvException failure) {
      return failure;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void resetWakesReaderWriterAndQueuedWriters() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> reader = Coroutine.spawn(() -> peer.stream().read());
      ByteBuffer large = ByteBuffer.wrap(new byte[16 << 20]);
      Coroutine<?> writer = Coroutine.spawn(() -> peer.stream().write(large));
      Coroutines.pauseUntilPending(peer.stream());
      Coroutine<?> queued = Coroutine.spawn(() -> peer.stream().write(Bytes.heap("x")));
      Coroutine.pause();
      peer.reset();

      assertThrows(UvException.class, reader::await);
      assertThrows(UvException.class, writer::await);
      assertThrows(UvException.class, queued::await);
      assertTrue(peer.stream().isOpen());
    }
  }

  @Test
  void resetWakesAWriterThatNobodyReadsFor() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer large = ByteBuffer.wrap(new byte[16 << 20]);
      Coroutine<?> writer = Coroutine.spawn(() -> peer.stream().write(large));
      Coroutines.pauseUntilPending(peer.stream());
      peer.reset();

      UvException thrown = assertThrows(UvException.class, writer::await);

      assertTrue(List.of("ECONNRESET", "EPIPE").contains(thrown.code()), thrown.code());
    }
  }

  @Test
  void bytesBeforeTheEndAreReadAlsoIfThePeerIsGone() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(Bytes.heap("testament"));
      pair.client().close();

      assertEquals("testament", Bytes.readText(pair.server(), 9));
      assertNull(pair.server().read());
      assertFalse(pair.client().isOpen());
    }
  }
}
