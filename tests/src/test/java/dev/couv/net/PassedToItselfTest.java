// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.stream.Coroutines;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/// A local socket that goes through itself.
@InLoop
final class PassedToItselfTest {
  @Test
  void streamThatIsPassedThroughItselfArrives() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      pair.first().send(UTF_8.encode("me"), pair.first());
      try (var copy = pair.second().receive(ByteBuffer.allocate(10)).handle()) {
        copy.write(UTF_8.encode("too"));
      }
      assertEquals(3, pair.second().read(ByteBuffer.allocate(10)));
    }
  }

  /// Waiting for the request before the close would be waiting for the close before the request.
  @Test
  void closingAStreamOnItsWayThroughItselfEndsItForThePeer() throws Exception {
    try (Pair pair = LocalStream.pair()) {
      int written = 0;
      for (int last; (last = pair.first().tryWrite(ByteBuffer.allocate(1 << 16))) > 0; ) {
        written += last;
      }
      Coroutine<ClosedChannelException> sender =
          Coroutine.spawn(
              () ->
                  assertThrows(
                      ClosedChannelException.class,
                      () -> pair.first().send(UTF_8.encode("me"), pair.first())));
      Coroutines.pauseUntilPending(pair.first());
      pair.first().close();
      sender.await();

      pair.second().readFully(ByteBuffer.allocate(written));
      Received end = pair.second().receive(ByteBuffer.allocate(1));
      assertEquals(new Received(-1, null), end);
    }
  }
}
