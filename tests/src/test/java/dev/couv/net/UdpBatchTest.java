// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.net.Datagrams.bound;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Datagrams that come together, when one of the buffers for them was spoilt meanwhile.
final class UdpBatchTest {
  @InLoop
  @Test
  void oneSpoiltBufferLeavesThePositionsOfAllAndLosesNothing() throws Exception {
    try (UdpSocket socket = bound()) {
      ByteBuffer sound = ByteBuffer.allocate(10);
      ByteBuffer spoilt = ByteBuffer.allocate(10);
      Coroutine<IllegalStateException> receiver =
          Coroutine.spawn(
              () ->
                  assertThrows(
                      IllegalStateException.class,
                      () -> socket.receive(new ByteBuffer[] {sound, spoilt})));
      Coroutine.pause();
      spoilt.limit(0);
      socket.send(UTF_8.encode("one"), socket.local());
      socket.send(UTF_8.encode("two"), socket.local());
      receiver.await();

      assertEquals(0, sound.position());
      for (String text : new String[] {"one", "two"}) {
        ByteBuffer into = ByteBuffer.allocate(10);
        socket.receive(into);
        assertEquals(text, UTF_8.decode(into.flip()).toString());
      }
    }
  }
}
