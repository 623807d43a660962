// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Loop;
import dev.couv.stream.FullHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/// Reads a TLS stream where there is no memory for what comes, and again where there is.
final class FullHeapTlsProgram {
  private static final int SENT = 40_000;

  private FullHeapTlsProgram() {}

  public static void main(String[] args) throws Exception {
    Loop.run(
        () -> {
          try (TlsPair first = TlsPair.open();
              TlsPair second = TlsPair.open();
              TlsPair third = TlsPair.open()) {
            read(first, ByteBuffer.allocate(8192), 4);
            // These hold what the pool of buffers has.
            read(second, ByteBuffer.allocate(1), SENT);
            read(third, ByteBuffer.allocate(1), SENT);
            ByteBuffer into = ByteBuffer.allocate(8192);
            first.client().write(ByteBuffer.allocate(SENT));
            FullHeap.fill(1000);
            Throwable failed = null;
            try {
              first.server().read(into);
            } catch (OutOfMemoryError noMemory) {
              failed = noMemory;
            }
            FullHeap.empty();
            System.out.println(failed == null ? "it was read" : "refused");
            System.out.println(rest(first, into));
          }
        });
  }

  private static void read(TlsPair pair, ByteBuffer into, int sent) throws IOException {
    pair.client().write(ByteBuffer.allocate(sent));
    pair.server().read(into);
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
