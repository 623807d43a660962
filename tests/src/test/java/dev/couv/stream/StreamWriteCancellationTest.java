// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A writer leaves half-way: the peer gets exactly what the positions say, and then what comes next.
final class StreamWriteCancellationTest {
  private static final byte[] LARGE = Bytes.pattern(16 << 20);

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Behaviour({"ST33", "ST34"})
  void peerGetsWhatThePositionsSayAndThenTheNextWrite(boolean direct) throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer from = direct ? Bytes.direct(LARGE) : ByteBuffer.wrap(LARGE);
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(from));
      Coroutines.pauseUntilPending(pair.client());
      writer.cancel();
      assertThrows(CancellationException.class, writer::await);
      int written = from.position();
      assertTrue(written > 0 && written < LARGE.length, () -> "position " + written);

      Coroutine<?> next =
          Coroutine.spawn(
              () -> {
                pair.client().write(Bytes.heap("next"));
                pair.client().shutdown();
              });
      byte[] received = Bytes.readAll(pair.server());
      next.await();

      assertEquals(written + 4, received.length);
      assertArrayEquals(Arrays.copyOf(LARGE, written), Arrays.copyOf(received, written));
      assertEquals("next", new String(received, written, 4));
    }
  }

  @InLoop
  @Test
  @Behaviour("ST33")
  void resumedWriteStopsAtAByteAndTheCallerCanGoOnFromThere() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer from = ByteBuffer.wrap(LARGE);
      int[] resumes = {0};
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                while (from.hasRemaining()) {
                  try {
                    pair.client().write(from);
                  } catch (Resumed resumed) {
                    assertEquals(List.of(resumes[0]++), resumed.values());
                  }
                }
                pair.client().shutdown();
              });
      ByteBuffer received = ByteBuffer.allocate(LARGE.length);
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                pair.server().readFully(received);
                assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
              });
      while (from.hasRemaining() && resumes[0] < 50) {
        Coroutines.pauseUntilPending(pair.client());
        if (writer.status() == Status.SUSPENDED || writer.status() == Status.READY) {
          writer.resume(resumes[0]);
        }
        Time.sleep(Duration.ofNanos(1)); // only to poll
      }
      writer.await();
      reader.await();

      assertTrue(resumes[0] > 3, () -> resumes[0] + " resumes");
      assertArrayEquals(LARGE, received.array());
    }
  }

  @InLoop
  @Test
  void gatheredWriteCancelledHalfWayTellsByThePositionsOfEachBuffer() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      List<ByteBuffer> buffers = new ArrayList<>();
      for (int at = 0; at < LARGE.length; at += 100_000) {
        byte[] part = Arrays.copyOfRange(LARGE, at, Math.min(at + 100_000, LARGE.length));
        buffers.add(at / 100_000 % 2 == 0 ? ByteBuffer.wrap(part) : Bytes.direct(part));
      }
      Coroutine<?> writer =
          Coroutine.spawn(() -> pair.client().write(buffers.toArray(ByteBuffer[]::new)));
      Coroutines.pauseUntilPending(pair.client());
      writer.cancel();
      assertThrows(CancellationException.class, writer::await);
      Coroutine<?> end = Coroutine.spawn(() -> pair.client().shutdown());
      byte[] received = Bytes.readAll(pair.server());
      end.await();

      long written = buffers.stream().mapToLong(ByteBuffer::position).sum();
      assertEquals(written, received.length);
      assertArrayEquals(Arrays.copyOf(LARGE, received.length), received);
      boolean untouched = false;
      for (ByteBuffer buffer : buffers) {
        assertFalse(untouched && buffer.position() > 0, "a later buffer was begun");
        untouched |= buffer.hasRemaining();
      }
    }
  }

  @InLoop
  @Test
  void memoryOfACancelledWriteMayBeChangedAtOnce() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer from = Bytes.direct(LARGE);
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(from));
      Coroutines.pauseUntilPending(pair.client());
      writer.cancel();
      assertThrows(CancellationException.class, writer::await);
      int written = from.position();
      from.clear();
      while (from.hasRemaining()) {
        from.putLong(-1);
      }

      assertArrayEquals(Arrays.copyOf(LARGE, written), Bytes.readFully(pair.server(), written));
    }
  }

  @InLoop
  @Test
  void writerCancelledInTheQueueHasWrittenNothingAndTheOthersKeepTheirOrder() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> first = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(LARGE)));
      Coroutines.pauseUntilPending(pair.client());
      List<ByteBuffer> buffers =
          List.of(Bytes.heap("one "), Bytes.heap("two "), Bytes.heap("three"));
      List<Coroutine<?>> queued = new ArrayList<>();
      for (ByteBuffer buffer : buffers) {
        queued.add(Coroutine.spawn(() -> pair.client().write(buffer)));
      }
      Coroutine.pause();
      queued.get(1).cancel();

      assertThrows(CancellationException.class, () -> queued.get(1).await());
      assertEquals(0, buffers.get(1).position());
      Bytes.readFully(pair.server(), LARGE.length);
      first.await();
      assertEquals("one three", Bytes.readText(pair.server(), 9));
    }
  }

  @InLoop
  @Test
  void writerResumedWhenItsTurnHasComePassesItOn() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> first = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(LARGE)));
      Coroutines.pauseUntilPending(pair.client());
      ByteBuffer untouched = Bytes.heap("second");
      Coroutine<?> second =
          Coroutine.spawn(() -> assertThrows(Resumed.class, () -> pair.client().write(untouched)));
      Coroutine<?> third = Coroutine.spawn(() -> pair.client().write(Bytes.heap("third")));
      Coroutine.pause();
      first.cancel();
      Coroutines.pauseUntilReady(second);
      second.resume();

      assertEquals(Status.DONE, second.status());
      assertEquals(0, untouched.position());
      Coroutine<byte[]> reader = Coroutine.spawn(() -> Bytes.readAll(pair.server()));
      third.await();
      pair.client().shutdown();
      byte[] received = reader.await();
      assertEquals("third", new String(received, received.length - 5, 5));
    }
  }

  @InLoop
  @Test
  void timeoutLeavesTheStreamUsable() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer from = ByteBuffer.wrap(LARGE);
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(5), () -> pair.client().write(from)));
      Coroutine<?> rest =
          Coroutine.spawn(
              () -> {
                pair.client().write(from);
                pair.client().shutdown();
              });

      assertArrayEquals(LARGE, Bytes.readAll(pair.server()));
      rest.await();
    }
  }

  @InLoop
  @Test
  void nextAwaitAfterACancelledWriteDoesNotWaitForItsRest() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      ByteBuffer from = ByteBuffer.wrap(LARGE);
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                assertThrows(Resumed.class, () -> pair.client().write(from));
                Time.sleep(Duration.ofMillis(1));
              });
      Coroutines.pauseUntilPending(pair.client());
      writer.resume();

      writer.await(); // as nobody reads, it would wait for ever
      assertTrue(from.hasRemaining());
    }
  }

  @InLoop
  @Test
  void cancelledCoroutineWritesNothing() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer from = Bytes.heap("no");
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                Coroutine.current().cancel();
                assertThrows(Cancelled.class, () -> peer.stream().write(from));
                assertThrows(Cancelled.class, () -> peer.stream().shutdown());
                Coroutine.protect(() -> peer.stream().write(Bytes.heap("yes")));
              });
      assertThrows(CancellationException.class, writer::await);

      assertEquals(0, from.position());
      assertEquals("yes", peer.receive(3));
      assertTrue(peer.hasHeardNothing());
    }
  }

  @InLoop
  @Test
  void cancelledShutdownHappensAllTheSame() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> ending = Coroutine.spawn(() -> peer.stream().shutdown());
      Coroutine.pause();
      assertEquals(Status.SUSPENDED, ending.status());
      ending.cancel();
      assertThrows(CancellationException.class, ending::await);

      while (Loop.current().stats().requests() > 0) {
        Coroutine.pause();
      }
      assertTrue(peer.hearsTheEnd());
      peer.send("still read");
      assertEquals("still read", Bytes.readText(peer.stream(), 10));
    }
  }

  @InLoop
  @Test
  void shutdownCancelledInTheQueueDoesNotHappen() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> writer = Coroutine.spawn(() -> pair.client().write(ByteBuffer.wrap(LARGE)));
      Coroutines.pauseUntilPending(pair.client());
      Coroutine<?> ending = Coroutine.spawn(() -> pair.client().shutdown());
      Coroutine.pause();
      ending.cancel();
      assertThrows(CancellationException.class, ending::await);

      assertArrayEquals(LARGE, Bytes.readFully(pair.server(), LARGE.length));
      writer.await();
      pair.client().write(Bytes.heap("goes on"));
      assertEquals("goes on", Bytes.readText(pair.server(), 7));
    }
  }

  @InLoop
  @Test
  void resumedShutdownHappensAllTheSame() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> ending =
          Coroutine.spawn(() -> assertThrows(Resumed.class, () -> peer.stream().shutdown()));
      Coroutine.pause();
      ending.resume();

      assertEquals(Status.DONE, ending.status());
      while (Loop.current().stats().requests() > 0) {
        Coroutine.pause();
      }
      assertTrue(peer.hearsTheEnd());
    }
  }

  @Test
  @Behaviour({"ST33", "ST37"})
  void cancelledWriteThatNobodyReadsEndsWithItsStream() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            try (TcpPair pair = TcpPair.open()) {
              Coroutine<?> writer =
                  Coroutine.spawn(
                      () -> {
                        try {
                          pair.client().write(ByteBuffer.wrap(LARGE));
                        } catch (Resumed resumed) {
                          throw new IllegalStateException("after the cancel", resumed);
                        }
                      });
              Coroutines.pauseUntilPending(pair.client());
              assertThrows(IllegalStateException.class, writer::resume);
              assertTrue(Loop.current().stats().requests() > 0);
            }
          });

      assertFalse(loop.run(Mode.LOOP));
      assertEquals(0, loop.stats().requests());
      assertEquals(0, loop.stats().nativeBlocks());
    }
  }
}
