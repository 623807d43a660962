// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Loop;
import dev.couv.loop.NativeMemory;
import dev.couv.testing.InLoop;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// Streams that are asked where they may not be used.
final class TcpForeignUseTest {
  /// Nothing of the loop may be made again for it.
  @Test
  void addressesOfAStreamWhoseLoopHasEndedAreRefused() throws Exception {
    TcpStream left = Loop.run(() -> TcpPair.open().server());
    long before = NativeMemory.allocatedBytes();

    assertThrows(ClosedChannelException.class, left::local);
    assertNotNull(left.remote(), "known from the accept on");

    assertEquals(before, NativeMemory.allocatedBytes());
  }

  /// The memory in which the answer is read is the loop's.
  @InLoop
  @Test
  void addressesAreRefusedToOtherThreadsBeforeAnythingIsTouched() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      FutureTask<Object> foreign =
          new FutureTask<>(
              () -> {
                assertThrows(IllegalStateException.class, pair.server()::local);
                return assertThrows(IllegalStateException.class, pair.server()::remote);
              });
      Thread.ofPlatform().start(foreign);
      while (!foreign.isDone()) {
        Thread.onSpinWait();
      }

      foreign.get();
      assertEquals(pair.client().local(), pair.server().remote());
    }
  }
}
