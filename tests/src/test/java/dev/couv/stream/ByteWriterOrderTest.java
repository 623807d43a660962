// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static dev.couv.stream.Writers.FULL;
import static dev.couv.stream.Writers.pauses;
import static dev.couv.stream.Writers.turns;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Who waits for room to write, in which order, and how much is held.
final class ByteWriterOrderTest {
  @InLoop
  @Test
  void whoeverWaitsForRoomIsNotOvertakenByOneWhoNeedsLess() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write(new byte[60_000]);
      Coroutine<?> large = Coroutine.spawn(() -> out.write("A".repeat(10_000)));
      Coroutine<?> unheld =
          Coroutine.spawn(() -> out.write(ByteBuffer.wrap("B".repeat(20_000).getBytes(UTF_8))));
      Coroutine<?> small = Coroutine.spawn(() -> out.write("C"));
      turns();
      assertEquals(60_000, out.pending());

      Bytes.readFully(pair.second(), before + 60_000);
      String expected = "A".repeat(10_000) + "B".repeat(20_000) + "C";
      assertEquals(expected, Bytes.readText(pair.second(), expected.length()));
      large.await();
      unheld.await();
      small.await();
    }
  }

  @InLoop
  @Test
  void whoeverLeavesTheLineMakesRoomForThoseBehind() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      out.write(new byte[60_000]);
      Coroutine<?> large = Coroutine.spawn(() -> out.write("A".repeat(10_000)));
      Coroutine<?> small = Coroutine.spawn(() -> out.write("C"));
      turns();
      assertFalse(small.status().isEnded());

      large.cancel();
      assertThrows(CancellationException.class, large::await);
      small.await();
      assertEquals(60_001, out.pending());
      Bytes.readFully(pair.second(), before + 60_000);
      assertEquals("C", Bytes.readText(pair.second(), 1));
    }
  }

  @InLoop
  @Test
  void howeverManyWaitLittleIsHeld() throws Exception {
    int count = 100;
    try (Pair pair = LocalStream.pair()) {
      int before = Bytes.fill(pair.first());
      ByteWriter out = ByteWriter.of(pair.first());
      List<Coroutine<?>> writers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] piece = new byte[40_000];
        Arrays.fill(piece, (byte) i);
        writers.add(Coroutine.spawn(() -> out.write(piece)));
      }
      turns();
      Bytes.readFully(pair.second(), before);
      for (int i = 0; i < count; i++) {
        byte[] piece = Bytes.readFully(pair.second(), 40_000);
        assertEquals(i, piece[0]);
        assertEquals(i, piece[39_999]);
        assertTrue(out.pending() <= FULL, () -> "pending: " + out.pending());
      }
      for (Coroutine<?> writer : writers) {
        writer.await();
      }
    }
  }

  @InLoop
  @Test
  void bothSidesMayBeFarAhead() throws Exception {
    int count = 200;
    try (Pair pair = LocalStream.pair();
        var here = Framed.open(pair.first(), Framer.lengthPrefixed(4));
        var there = Framed.open(pair.second(), Framer.lengthPrefixed(4))) {
      Coroutine<?> echo =
          Coroutine.spawn(
              () -> {
                for (byte[] frame : there) {
                  there.write(frame);
                }
                there.shutdown();
              });
      Random random = new Random(1);
      List<byte[]> sent = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        sent.add(Bytes.pattern(random.nextInt(30_000)));
      }
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                for (byte[] frame : sent) {
                  here.write(frame);
                }
                here.shutdown();
              });
      turns(); // nobody reads the answers
      assertFalse(writer.status().isEnded());
      for (byte[] frame : sent) {
        assertArrayEquals(frame, here.read());
      }
      writer.await();
      echo.await();
    }
  }

  /// Every frame that was accepted is there, once, whole, and behind the earlier ones of its writer.
  @Test
  void noFrameIsTornOrLostHoweverWritersAreCancelled() throws Exception {
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      Loop.run(() -> cancelWriters(random));
    }
  }

  private static void cancelWriters(Random random) throws Exception {
    try (Pair pair = LocalStream.pair()) {
      ByteWriter out = ByteWriter.of(pair.first());
      List<List<Integer>> accepted = new ArrayList<>();
      List<List<Integer>> got = new ArrayList<>();
      List<Coroutine<?>> writers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int who = i;
        List<Integer> mine = new ArrayList<>();
        accepted.add(mine);
        got.add(new ArrayList<>());
        writers.add(
            Coroutine.spawn(
                () -> {
                  for (int number = 0; number < 60; number++) {
                    writeOrBeCancelled(out, who, number, mine, random);
                  }
                }));
      }
      Coroutine<?> reader =
          Coroutine.spawn(
              () -> {
                ByteReader in = ByteReader.of(pair.second());
                while (in.peek() >= 0) {
                  byte[] frame = in.readFrame(4);
                  for (int i = 2; i < frame.length; i++) {
                    assertEquals(frame[1], frame[i]);
                  }
                  got.get(frame[0]).add((int) frame[1]);
                  pauses(random.nextInt(8));
                }
              });
      for (Coroutine<?> writer : writers) {
        writer.await();
      }
      out.flush();
      pair.first().shutdown();
      reader.await();
      assertEquals(accepted, got);
    }
  }

  private static void writeOrBeCancelled(
      ByteWriter out, int who, int number, List<Integer> accepted, Random random) throws Exception {
    byte[] frame = new byte[2 + (random.nextInt(5) == 0 ? random.nextInt(90_000) : 100)];
    Arrays.fill(frame, (byte) number);
    frame[0] = (byte) who;
    Coroutine<?> write =
        Coroutine.spawn(
            () -> {
              out.write(Framer.lengthPrefixed(4), frame);
              accepted.add(number);
              if (random.nextInt(3) == 0) {
                out.flush();
              }
            });
    pauses(random.nextInt(6));
    if (random.nextBoolean()) {
      write.cancel();
    }
    try {
      write.await();
    } catch (CancellationException left) {
      assertTrue(write.status().isEnded());
    }
  }
}
