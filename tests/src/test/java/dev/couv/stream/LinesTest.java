// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.net.RawPeer;
import dev.couv.net.TcpPair;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Text line by line.
final class LinesTest {
  /// The lines of what the peer sends in these pieces before it ends.
  private static List<String> linesOf(String... pieces) throws Exception {
    return Loop.run(
        () -> {
          try (RawPeer peer = RawPeer.open()) {
            Coroutine<List<String>> reader =
                Coroutine.spawn(
                    () -> {
                      List<String> lines = new ArrayList<>();
                      peer.stream().lines(ISO_8859_1).forEach(lines::add);
                      return lines;
                    });
            for (String piece : pieces) {
              peer.send(piece);
              for (int i = 0; i < 100; i++) {
                Coroutine.pause();
              }
            }
            peer.endOutput();
            return reader.await();
          }
        });
  }

  @Test
  void linesEndWithALineFeedWithOrWithoutACarriageReturn() throws Exception {
    assertEquals(
        List.of("one", "two", "", "\r", "f\rour"), linesOf("one\ntwo\r\n\n\r\r\nf\rour\n"));
  }

  @Test
  void whatComesBehindTheLastLineFeedIsALineIfItIsAnything() throws Exception {
    assertEquals(List.of(), linesOf());
    assertEquals(List.of("a"), linesOf("a\n"));
    assertEquals(List.of("a", "b\r"), linesOf("a\nb\r"));
  }

  @Test
  void linesThatComeInPiecesAreWhole() throws Exception {
    assertEquals(
        List.of("one", "two", "three"), linesOf("o", "n", "e\r", "\ntw", "o\n", "thr", "ee"));
  }

  @InLoop
  @Test
  void aLongLineInManyPiecesIsWhole() throws Exception {
    String line = "0123456789".repeat(10_000);
    try (TcpPair pair = TcpPair.open()) {
      Coroutine.spawn(
          () -> {
            for (int i = 0; i < 10; i++) {
              pair.client().write(Bytes.heap(line.substring(i * 10_000, (i + 1) * 10_000)));
              Coroutine.pause();
            }
            pair.client().write(Bytes.heap("\nnext\n"));
          });
      Lines lines = pair.server().lines();

      assertEquals(line, lines.next());
      assertEquals("next", lines.next());
    }
  }

  @InLoop
  @Test
  void textIsUtf8UnlessSaidOtherwise() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(UTF_8.encode("Käse für 3 €\n"));
      pair.client().write(ByteBuffer.wrap(new byte[] {'x', (byte) 0xff, 'y', '\n'}));
      Lines lines = pair.server().lines();

      assertEquals("Käse für 3 €", lines.next());
      assertEquals("x\uFFFDy", lines.next());
      assertThrows(IllegalArgumentException.class, () -> pair.server().lines(UTF_16LE).next());
    }
  }

  @InLoop
  @Test
  void nextIsNullAtTheEndThenAndEverAfter() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.send("a\n");
      peer.endOutput();
      Lines lines = peer.stream().lines();

      assertEquals("a", lines.next());
      assertNull(lines.next());
      assertNull(lines.next());
      assertThrows(NoSuchElementException.class, lines.iterator()::next);
    }
  }

  @InLoop
  @Test
  void bytesBehindTheLinesAreReadFromTheLines() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(Bytes.heap("header\n\nbo"));
      Lines lines = pair.server().lines();
      assertEquals("header", lines.next());
      assertEquals("", lines.next());
      pair.client().write(Bytes.heap("dynext\n"));

      ByteBuffer body = ByteBuffer.allocate(4);
      lines.readFully(body);

      assertEquals("body", Bytes.text(body));
      assertEquals("next", lines.next());
      pair.client().shutdown();
      assertEquals(-1, lines.read(ByteBuffer.allocate(1)));
      assertThrows(EOFException.class, () -> lines.readFully(body.clear()));
    }
  }

  @InLoop
  @Test
  void aLineLongerThanTheLimitIsRefusedAndStaysWhereItIs() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(Bytes.heap("12345\n123456\n"));
      Lines lines = pair.server().lines().limit(5);

      assertEquals("12345", lines.next());
      IOException tooLong = assertThrows(IOException.class, lines::next);
      assertTrue(tooLong.getMessage().contains("more than 5 bytes"), tooLong::getMessage);
      assertThrows(IOException.class, lines::next);
      assertEquals("123456", lines.limit(6).next());
      assertThrows(IllegalArgumentException.class, () -> lines.limit(0));
    }
  }

  @InLoop
  @Test
  void aPeerThatNeverEndsItsLineIsStoppedAtTheLimit() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> endless =
          Coroutine.spawn(
              () -> {
                while (true) {
                  pair.client().write(ByteBuffer.allocate(10_000));
                }
              });

      assertThrows(IOException.class, pair.server().lines()::next);

      endless.cancel();
      // Before its stream is closed.
      assertThrows(CancellationException.class, endless::await);
    }
  }

  @InLoop
  @Test
  void leavingInTheMiddleOfALineLosesNothing() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Lines lines = peer.stream().lines();
      peer.send("be");

      assertThrows(TimeoutException.class, () -> Time.timeout(Duration.ofMillis(20), lines::next));
      Coroutine<String> resumed =
          Coroutine.spawn(
              () -> {
                try {
                  return lines.next();
                } catch (Resumed left) {
                  return "left";
                }
              });
      Coroutine.pause();
      peer.send("gin");
      Coroutines.pauseUntilReady(resumed);
      resumed.resume();
      peer.send("ning\nend\n");

      assertEquals("left", resumed.await());
      assertEquals("beginning", lines.next());
      assertEquals("end", lines.next());
    }
  }

  @InLoop
  @Test
  void whoLeavesTheLoopOverTheLinesCanGoOnLater() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(Bytes.heap("1\n2\n3\n"));
      Lines lines = pair.server().lines();
      for (String line : lines) {
        assertEquals("1", line);
        break;
      }

      assertTrue(lines.iterator().hasNext());
      assertTrue(lines.iterator().hasNext());
      assertEquals("2", lines.next());
      assertEquals("3", lines.iterator().next());
    }
  }

  @InLoop
  @Test
  void anIterationTellsOfAFailureUnchecked() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      Lines lines = peer.stream().lines();
      peer.reset();

      UncheckedIOException failure =
          assertThrows(UncheckedIOException.class, lines.iterator()::hasNext);

      assertInstanceOf(IOException.class, failure.getCause());
    }
  }

  @InLoop
  @Test
  void closingTheStreamWakesWhoWaitsForALineAndASecondWaiterIsRefused() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Lines lines = pair.server().lines();
      Coroutine<String> waiting = Coroutine.spawn(() -> lines.next());
      Coroutine.pause();

      assertThrows(BusyException.class, lines::next);
      pair.server().close();

      assertThrows(AsynchronousCloseException.class, waiting::await);
      assertThrows(ClosedChannelException.class, lines::next);
    }
  }

  @InLoop
  @Test
  void carriageReturnBeforeALineFeedDoesNotCountForTheLimit() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Lines lines = pair.server().lines().limit(4);
      pair.client().write(UTF_8.encode("1234\r"));
      Coroutine<String> reader = Coroutine.spawn(lines::next);
      Coroutine.pause();
      pair.client().write(UTF_8.encode("\n12345\r\n"));

      assertEquals("1234", reader.await());
      assertThrows(IOException.class, lines::next);
    }
  }

  @InLoop
  @Test
  void carriageReturnAtTheEndOfTheStreamCountsForTheLimit() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write(UTF_8.encode("1234\r"));
      pair.client().shutdown();

      assertThrows(IOException.class, pair.server().lines().limit(4)::next);
    }
  }
}
