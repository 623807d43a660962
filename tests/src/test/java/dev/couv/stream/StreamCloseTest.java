// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.net.TcpStream;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.RefusedWrites;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Closing a stream wakes everybody who waits for it, and is final.
final class StreamCloseTest {
  private static ByteBuffer large() {
    return ByteBuffer.wrap(new byte[16 << 20]);
  }

  @InLoop
  @Test
  @Behaviour("ST25")
  void closeWakesTheReaderBeforeAnythingElseCanBeRead() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> reader = Coroutine.spawn(() -> peer.stream().read());
      Coroutine.pause();
      peer.send("too late");
      peer.stream().close();

      AsynchronousCloseException thrown =
          assertThrows(AsynchronousCloseException.class, reader::await);
      assertTrue(thrown.getMessage().contains("closed while it was read"));
    }
  }

  @InLoop
  @Test
  void bytesThatHadArrivedAreTheReadersInSpiteOfTheClose() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> reader = Coroutine.spawn(() -> Bytes.readText(peer.stream(), 2));
      Coroutine.pause();
      peer.send("ok");
      Coroutines.pauseUntilReady(reader);
      peer.stream().close();

      assertEquals("ok", reader.await());
    }
  }

  @InLoop
  @Test
  @Behaviour("OP14")
  void closeWakesTheWriterAndAllWhoQueueBehindIt() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      List<Coroutine<?>> writers = new ArrayList<>();
      writers.add(Coroutine.spawn(() -> pair.client().write(large())));
      Coroutines.pauseUntilPending(pair.client());
      for (int i = 0; i < 5; i++) {
        writers.add(Coroutine.spawn(() -> pair.client().write(Bytes.heap("x"))));
      }
      writers.add(Coroutine.spawn(() -> pair.client().shutdown()));
      Coroutine.pause();
      pair.client().close();

      for (Coroutine<?> writer : writers) {
        assertThrows(AsynchronousCloseException.class, writer::await);
      }
    }
  }

  @InLoop
  @Test
  void closeWakesAShutdownThatWaitsForQueuedBytes() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(large()));
      Coroutines.pauseUntilPending(pair.client());
      writer.cancel();
      Coroutine<?> ending = Coroutine.spawn(() -> pair.client().shutdown());
      Coroutine.pause();
      assertEquals(Status.SUSPENDED, ending.status());
      pair.client().close();

      AsynchronousCloseException thrown =
          assertThrows(AsynchronousCloseException.class, ending::await);
      assertTrue(thrown.getMessage().contains("shut down"), thrown.getMessage());
    }
  }

  @InLoop
  @Test
  @Behaviour("OP15")
  void closeWakesReaderAndWriterAtOnce() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> reader = Coroutine.spawn(() -> pair.client().read());
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(large()));
      Coroutines.pauseUntilPending(pair.client());
      Coroutine.spawn(() -> pair.client().close());

      assertThrows(AsynchronousCloseException.class, reader::await);
      assertThrows(AsynchronousCloseException.class, writer::await);
    }
  }

  @InLoop
  @Test
  void writerThatFinishedInTimeDoesNotHearOfTheClose() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer last = Bytes.heap("last");
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(last));
      // Nothing is taken at once, so that it has to wait.
      try (var _ = new RefusedWrites()) {
        Coroutine.pause();
      }
      Coroutines.pauseUntilReady(writer);
      pair.client().close();
      writer.await();

      assertFalse(last.hasRemaining());
    }
  }

  @InLoop
  @Test
  void closeInsideTheReadersOwnTurnEndsItsNextRead() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("ab");
      assertEquals("a", Bytes.readText(peer.stream(), 1));
      peer.stream().close();

      assertThrows(ClosedChannelException.class, () -> peer.stream().read());
    }
  }

  /// CoUtil lets such a reader wait for ever.
  @InLoop
  @Test
  void readerThatReadsAgainAfterTheCloseIsRefused() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                assertThrows(ClosedChannelException.class, () -> peer.stream().read());
                assertThrows(ClosedChannelException.class, () -> peer.stream().read());
              });
      Coroutine.pause();
      peer.stream().close();
      reader.await();
    }
  }

  @InLoop
  @Test
  @Behaviour("ST02")
  void closedStreamRefusesEverythingButClosing() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      TcpStream stream = pair.client();
      stream.close();
      stream.close();

      List<Executable> calls =
          List.of(
              () -> stream.read(),
              () -> stream.read(ByteBuffer.allocate(1)),
              () -> stream.read(ByteBuffer.allocate(0)),
              () -> stream.readFully(ByteBuffer.allocate(1)),
              () -> stream.write(Bytes.heap("x")),
              () -> stream.write(),
              () -> stream.tryWrite(Bytes.heap("x")),
              () -> stream.shutdown(),
              () -> stream.pending(),
              () -> stream.local(),
              () -> stream.noDelay(true),
              () -> stream.keepAlive(Duration.ofSeconds(5)));
      for (Executable call : calls) {
        ClosedChannelException thrown = assertThrows(ClosedChannelException.class, call);
        assertTrue(thrown.getMessage().contains("is closed"), thrown.getMessage());
      }
      assertFalse(stream.isOpen());
    }
  }

  @InLoop
  @Test
  @Behaviour("ST02")
  void memoryOfAClosedStreamIsKeptUntilTheLoopHasClosedIt() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pauseUntilNothingCloses();
      int before = Loop.current().stats().nativeBlocks();
      pair.client().close();

      assertEquals(before, Loop.current().stats().nativeBlocks());
      assertEquals(1, Loop.current().stats().closingHandles());
      pauseUntilNothingCloses();
      assertEquals(before - 1, Loop.current().stats().nativeBlocks());
    }
  }

  private static void pauseUntilNothingCloses() {
    while (Loop.current().stats().closingHandles() > 0) {
      Coroutine.pause();
    }
  }

  @InLoop
  @Test
  void peerOfAClosedStreamSeesTheEnd() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.stream().write(Bytes.heap("bye"));
      peer.stream().close();

      assertEquals("bye", peer.receive(3));
      assertTrue(peer.hearsTheEnd());
    }
  }

  @Test
  @Behaviour("ST01")
  void streamsThatWereNeverClosedEndWithTheLoop() throws Exception {
    List<RawPeer> peers = new ArrayList<>();
    Loop.run(
        () -> {
          for (int i = 0; i < 5; i++) {
            peers.add(RawPeer.open());
          }
          Coroutine<?> writer = Coroutine.spawn(() -> peers.get(0).stream().write(large()));
          Coroutine<?> reader = Coroutine.spawn(() -> peers.get(1).stream().read());
          Coroutines.pauseUntilPending(peers.get(0).stream());
          writer.cancel();
          reader.cancel();
        });

    for (RawPeer peer : peers) {
      assertTrue(peer.hearsTheEnd());
      peer.reset();
      peer.stream().close(); // does nothing any more
      assertFalse(peer.stream().isOpen());
    }
  }

  @Test
  void failureThatEndsTheLoopWakesEverybodyAndClosesTheirStreams() throws Exception {
    List<String> story = new ArrayList<>();
    RawPeer[] peer = new RawPeer[1];
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                Loop.run(
                    () -> {
                      peer[0] = RawPeer.open();
                      Coroutine.spawn(
                          () -> {
                            try {
                              peer[0].stream().read();
                            } finally {
                              story.add("reader left");
                            }
                          });
                      Coroutine.pause();
                      throw new IllegalStateException("the end");
                    }));

    assertEquals("the end", thrown.getMessage());
    assertEquals(List.of("reader left"), story);
    assertTrue(peer[0].hearsTheEnd());
    peer[0].reset();
  }
}
