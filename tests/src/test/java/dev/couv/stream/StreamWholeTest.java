// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Texts and arrays written, and what is left of a stream taken or passed on, within a limit.
@InLoop
final class StreamWholeTest {
  private static final String TEXT = "Grüße, 世界\n";

  @Test
  void textsAndArraysAreWrittenAsTheyAre() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      pair.first().write(TEXT);
      pair.first().write(new byte[] {1, 2});
      pair.first().write("");
      pair.first().shutdown();

      byte[] all = pair.second().readAll(100);

      assertArrayEquals((TEXT + "\u0001\u0002").getBytes(UTF_8), all);
    }
  }

  @Test
  void readAllTakesExactlyTheLimit() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      pair.first().write("12345");
      pair.first().shutdown();

      assertEquals("12345", new String(pair.second().readAll(5), UTF_8));
      assertEquals(0, pair.second().readAll(0).length);
      assertThrows(IllegalArgumentException.class, () -> pair.second().readAll(-1));
    }
  }

  @Test
  void moreThanTheLimitIsAnErrorAndStaysToBeRead() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      byte[] large = new byte[300_000];
      new Random(1).nextBytes(large);
      Coroutine.spawn(
          () -> {
            pair.first().write(large);
            pair.first().shutdown();
          });

      var tooMuch = assertThrows(IOException.class, () -> pair.second().readAll(large.length - 1));

      assertTrue(tooMuch.getMessage().contains("299999"), tooMuch.getMessage());
      assertArrayEquals(large, pair.second().readAll(large.length));
      assertNull(pair.second().read());
    }
  }

  @Test
  void aCancelledReadAllLosesNothing() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      pair.first().write("begun");
      var reading = Coroutine.spawn(() -> pair.second().readAll(100));
      Coroutine.pause();
      Loop.awaitIdle();
      reading.cancel();
      assertThrows(CancellationException.class, reading::await);

      ByteBuffer five = ByteBuffer.allocate(5);
      pair.second().readFully(five);

      assertEquals("begun", UTF_8.decode(five.flip()).toString());
    }
  }

  @Test
  void aCopyStopsAtItsLimitAndLeavesTheRest() throws Exception {
    try (Pair in = LocalStream.pair();
        Pair out = LocalStream.pair()) {
      in.first().write("bodyrest");
      in.first().shutdown();

      assertEquals(4, ByteStream.copy(in.second(), out.first(), 4));
      assertEquals(0, ByteStream.copy(in.second(), out.first(), 0));
      ByteBuffer body = ByteBuffer.allocate(4);
      out.second().readFully(body);

      assertEquals("body", UTF_8.decode(body.flip()).toString());
      assertEquals(4, ByteStream.copy(in.second(), out.first(), 100), "until the end");
      assertThrows(
          IllegalArgumentException.class, () -> ByteStream.copy(in.second(), out.first(), -1));
    }
  }
}
