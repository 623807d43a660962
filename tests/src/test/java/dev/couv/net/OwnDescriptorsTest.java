// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.poll.Poll;
import dev.couv.poll.Readiness;
import dev.couv.pool.LoopPool;
import dev.couv.testing.InLoop;
import dev.couv.uv.Posix;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// A descriptor has one handle: a second one would take its events away.
@InLoop
final class OwnDescriptorsTest {
  @Test
  void thatOfAStreamCannotBePolledAndTheReaderIsStillTold() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      int descriptor = pair.server().descriptor();

      var refused =
          assertThrows(
              IllegalArgumentException.class, () -> Poll.on(descriptor, Readiness.READABLE));

      assertTrue(refused.getMessage().contains(pair.server().toString()), refused::toString);
      var reading = Coroutine.spawn(() -> pair.server().read());
      Coroutine.pause();
      pair.client().write("hello");
      assertEquals("hello", UTF_8.decode(reading.await()).toString());
    }
  }

  @Test
  void thatOfAnotherStreamCannotBeOpenedOnWhateverLoopAndStaysThatOnes() throws Exception {
    try (Pair pair = LocalStream.pair();
        LoopPool pool = LoopPool.open(1)) {
      int descriptor = pair.first().descriptor();

      assertThrows(IllegalArgumentException.class, () -> LocalStream.open(descriptor));
      assertThrows(
          IllegalArgumentException.class,
          () -> pool.submit(() -> LocalStream.open(descriptor)).await());
      pair.first().write("x");
      pair.second().readFully(ByteBuffer.allocate(1));
    }
  }

  @Test
  void oneThatWasOpenedCannotBeOpenedAgainUntilItIsClosed() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int copy = Posix.dup(pair.first().descriptor());
      try (LocalStream opened = LocalStream.open(copy)) {
        assertThrows(IllegalArgumentException.class, () -> LocalStream.open(copy));
        opened.write("x");
      }
      int again = Posix.dup(pair.first().descriptor());
      LocalStream.open(again).close();
    }
  }
}
