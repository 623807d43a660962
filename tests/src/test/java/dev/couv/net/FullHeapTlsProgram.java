// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Loop;
import dev.couv.stream.FullHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/// Reads a TLS stream where there is no memory for what comes, and again where there is.
final class FullHeapTlsProgram {
  private static final int SENT = 40_000;

  private FullHeapTlsProgram() {}

  public static void main(String[] args) throws Exception {
    Loop.run(
        () -> {
          try (TlsPair first = TlsPair.open()) {
            first.client().write(ByteBuffer.allocate(4));
            first.server().read(ByteBuffer.allocate(8192));
            ByteBuffer into = ByteBuffer.allocate(8192);
            first.client().write(ByteBuffer.allocate(SENT));
            List<ByteBuffer> held = takeAll();
            // None for a record, and some for what others do meanwhile, as the first line of the
            // log.
            FullHeap.fill(6000);
            Throwable failed = null;
            try {
              first.server().read(into);
            } catch (OutOfMemoryError noMemory) {
              failed = noMemory;
            }
            FullHeap.empty();
            System.out.println(failed == null ? "it was read" : "refused");
            held.forEach(BufferPool::give);
            System.out.println(rest(first, into));
          }
        });
  }

  /// What the pools have is in use by others.
  private static List<ByteBuffer> takeAll() {
    List<ByteBuffer> taken = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      taken.add(BufferPool.take(1));
      taken.add(BufferPool.BULK.take());
    }
    return taken;
  }

  private static String rest(TlsPair pair, ByteBuffer into) {
    try {
      pair.client().write(ByteBuffer.allocate(SENT));
      int count = into.position();
      while (count < 2 * SENT) {
        into.clear();
        count += pair.server().read(into);
      }
      return "nothing is missing";
    } catch (ClosedChannelException closed) {
      return "nobody reads on";
    } catch (IOException wrong) {
      return wrong.toString();
    }
  }
}
