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
import org.junit.jupiter.params.provider.EnumSource;

/// A reader leaves before, when or after bytes arrive: none is lost, repeated or out of order.
final class StreamReadCancellationTest {
  /// The ways to read.
  enum Way {
    HEAP,
    DIRECT,
    OWN;

    /// Text of at most `size` characters.
    String read(ByteStream from, int size) throws Exception {
      ByteBuffer buffer =
          switch (this) {
            case HEAP -> ByteBuffer.allocate(size);
            case DIRECT -> ByteBuffer.allocateDirect(size);
            case OWN -> from.read().compact();
          };
      if (this != OWN) {
        from.read(buffer);
      }
      return Bytes.text(buffer);
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void bytesThatCameBeforeTheCancelAreTheNextReaders(Way way) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> reader = Coroutine.spawn(() -> way.read(peer.stream(), 10));
      Coroutine.pause();
      peer.send("before");
      reader.cancel();

      assertThrows(CancellationException.class, reader::await);
      assertEquals("before", way.read(peer.stream(), 10));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void bytesThatCameAfterTheCancelAreTheNextReaders(Way way) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<String> reader = Coroutine.spawn(() -> way.read(peer.stream(), 10));
      Coroutine.pause();
      reader.cancel();
      peer.send("after");

      assertThrows(CancellationException.class, reader::await);
      assertEquals("after", way.read(peer.stream(), 10));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void cancelThatMeetsArrivedBytesLetsTheReaderHaveThem(Way way) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      List<String> got = new ArrayList<>();
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                got.add(way.read(peer.stream(), 10));
                way.read(peer.stream(), 10);
              });
      Coroutine.pause();
      peer.send("met");
      Coroutines.pauseUntilReady(reader);
      reader.cancel();

      assertThrows(CancellationException.class, reader::await);
      assertEquals(List.of("met"), got);
      peer.send("next");
      assertEquals("next", way.read(peer.stream(), 10));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  @Behaviour("ST30")
  void resumeThatMeetsArrivedBytesLeavesThemForTheNextRead(Way way) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                Resumed resumed = assertThrows(Resumed.class, () -> way.read(peer.stream(), 10));
                assertEquals(List.of("instead"), resumed.values());
              });
      Coroutine.pause();
      peer.send("untaken");
      Coroutines.pauseUntilReady(reader);
      reader.resume("instead");

      assertEquals(Status.DONE, reader.status());
      peer.send("+more");
      assertEquals("untaken+more", Bytes.readText(peer.stream(), 12));
    }
  }

  @InLoop
  @Test
  @Behaviour("ST30")
  void resumedReadLeavesTheBufferUntouchedAndTheNextReadWorks() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer buffer = ByteBuffer.allocate(8).position(2);
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                Resumed resumed = assertThrows(Resumed.class, () -> peer.stream().read(buffer));
                assertEquals(Arrays.asList(true, null, 3), resumed.values());
                assertEquals(2, buffer.position());
                peer.stream().readFully(buffer.limit(6));
              });
      Coroutine.pause();
      reader.resume(true, null, 3);
      peer.send("next");
      reader.await();

      assertEquals("\0\0next", Bytes.text(buffer));
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void untakenBytesAreReadInPiecesOfAnySizeAndByAnyWay(Way first) throws Exception {
    for (Way second : Way.values()) {
      try (RawPeer peer = RawPeer.open()) {
        Coroutine<?> reader =
            Coroutine.spawn(() -> assertThrows(Resumed.class, () -> first.read(peer.stream(), 10)));
        Coroutine.pause();
        peer.send("0123456789");
        Coroutines.pauseUntilReady(reader);
        reader.resume();

        assertEquals("012", Bytes.readText(peer.stream(), 3));
        String next = second.read(peer.stream(), 4);
        assertEquals("3456789".substring(0, next.length()), next);
        assertEquals(
            "3456789".substring(next.length()), Bytes.readText(peer.stream(), 7 - next.length()));
      }
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void bytesUntakenTwiceKeepTheirOrder(Way way) throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                assertThrows(Resumed.class, () -> way.read(peer.stream(), 100));
                // An await that is ready, but one too many in a row: it makes room for
                // others.
                for (int i = 0; i < 63; i++) {
                  peer.stream().read(ByteBuffer.allocate(0));
                }
                assertThrows(Resumed.class, () -> way.read(peer.stream(), 2));
              });
      Coroutine.pause();
      peer.send("one");
      Coroutines.pauseUntilReady(reader);
      reader.resume();
      peer.send("two");
      assertEquals(Status.READY, reader.status());
      reader.resume();

      assertEquals(Status.DONE, reader.status());
      assertEquals("onetwo", Bytes.readText(peer.stream(), 6));
    }
  }

  @InLoop
  @Test
  void tornAwayReaderOfALongMessageLosesNothing() throws Exception {
    byte[] sent = Bytes.pattern(2_000_000);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            pair.client().write(ByteBuffer.wrap(sent));
            pair.client().shutdown();
          });
      ByteBuffer received = ByteBuffer.allocate(sent.length);
      Coroutine<?> reader = Coroutine.spawn(() -> readAgainAndAgain(pair.server(), received));
      int resumes = 0;
      while (reader.status() != Status.DONE) {
        Coroutine.pause();
        if (reader.status() == Status.READY || reader.status() == Status.SUSPENDED) {
          reader.resume();
          resumes++;
        }
        Time.sleep(Duration.ofNanos(1)); // only to poll
      }

      assertTrue(resumes > 10, () -> "was resumed only a few times");
      assertArrayEquals(sent, received.array());
    }
  }

  private static void readAgainAndAgain(ByteStream from, ByteBuffer into) throws Exception {
    for (int turn = 0; into.hasRemaining(); turn++) {
      try {
        switch (turn % 3) {
          case 0 -> {
            int end = into.limit();
            try {
              from.read(into.limit(Math.min(into.position() + 3000, end)));
            } finally {
              into.limit(end);
            }
          }
          case 1 -> into.put(from.read());
          default -> {
            ByteBuffer direct = ByteBuffer.allocateDirect(Math.min(5000, into.remaining()));
            from.read(direct);
            into.put(direct.flip());
          }
        }
      } catch (Resumed again) {
        // What it would have got is still there.
      }
    }
  }

  @InLoop
  @Test
  void timeoutLeavesTheStreamUsableAndLosesNoByte() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(2), () -> peer.stream().read()));
      peer.send("abc");
      assertEquals("a", Bytes.readText(peer.stream(), 1));
      assertEquals(
          "bc", Time.timeout(Duration.ofSeconds(60), () -> Bytes.readText(peer.stream(), 2)));
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(2), () -> Bytes.readText(peer.stream(), 100)));
      peer.send("de");
      assertEquals("de", Bytes.readText(peer.stream(), 2));
    }
  }

  @InLoop
  @Test
  void readFullyCancelledHalfWayTellsByThePositionWhatItHas() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer buffer = ByteBuffer.allocate(6);
      Coroutine<?> reader = Coroutine.spawn(() -> peer.stream().readFully(buffer));
      peer.send("abc");
      while (buffer.position() < 3) {
        Coroutine.pause();
      }
      reader.cancel();
      assertThrows(CancellationException.class, reader::await);
      peer.send("def");
      peer.stream().readFully(buffer);

      assertEquals("abcdef", Bytes.text(buffer));
    }
  }

  @InLoop
  @Test
  void cancelledCoroutineDoesNotReadWhatIsThere() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("xyz");
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                Coroutine.current().cancel();
                assertThrows(Cancelled.class, () -> peer.stream().read());
                assertThrows(Cancelled.class, () -> peer.stream().read(ByteBuffer.allocate(0)));
                assertEquals("xy", Coroutine.protect(() -> Bytes.readText(peer.stream(), 2)));
              });
      assertThrows(CancellationException.class, reader::await);

      assertEquals("z", Bytes.readText(peer.stream(), 1));
    }
  }

  @InLoop
  @Test
  void endOfStreamThatTheReaderDidNotTakeIsTheNextOnes() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> reader =
          Coroutine.spawn(() -> assertThrows(Resumed.class, () -> peer.stream().read()));
      Coroutine.pause();
      peer.endOutput();
      Coroutines.pauseUntilReady(reader);
      reader.resume();

      assertEquals(-1, peer.stream().read(ByteBuffer.allocate(1)));
      assertEquals(-1, peer.stream().read(ByteBuffer.allocate(1)));
    }
  }

  @InLoop
  @Test
  void bytesAndEndThatTheReaderDidNotTakeComeInOrder() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Coroutine<?> reader =
          Coroutine.spawn(() -> assertThrows(Resumed.class, () -> peer.stream().read()));
      Coroutine.pause();
      peer.send("last words");
      peer.endOutput();
      Coroutines.pauseUntilReady(reader);
      ByteBuffer words = ByteBuffer.allocate(10);
      reader.resume();
      assertEquals(Status.DONE, reader.status());
      peer.stream().readFully(words);

      assertEquals("last words", Bytes.text(words));
      assertEquals(-1, peer.stream().read(ByteBuffer.allocate(1)));
    }
  }

  @Test
  @Behaviour({"ST30", "ST37"})
  void cancelledReadLeavesTheLoopWithNothingToWaitFor() throws Exception {
    try (Loop loop = Loop.open()) {
      RawPeer[] peer = new RawPeer[1];
      loop.spawn(
          () -> {
            peer[0] = RawPeer.open();
            Coroutine<?> reader =
                Coroutine.spawn(
                    () -> {
                      try {
                        peer[0].stream().read();
                      } catch (Resumed resumed) {
                        throw new IllegalStateException("after the cancel", resumed);
                      }
                    });
            Coroutine.pause();
            assertThrows(IllegalStateException.class, () -> reader.resume());
          });

      assertFalse(loop.run(Mode.LOOP));
      peer[0].reset();
    }
  }
}
