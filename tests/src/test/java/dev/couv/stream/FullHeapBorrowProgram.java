// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/// Borrows bytes, takes one, and fails where there is no memory to put the others back: tells what the next reader gets.
final class FullHeapBorrowProgram {
  private static final int SENT = 40_000;

  private FullHeapBorrowProgram() {}

  public static void main(String[] args) throws Exception {
    Loop.run(
        () -> {
          try (TcpListener listener = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
              TcpStream client = Tcp.connect(listener.local());
              TcpStream server = listener.accept()) {
            client.write(ByteBuffer.allocate(SENT));
            try {
              server.borrow(FullHeapBorrowProgram::fail);
            } catch (OutOfMemoryError failed) {
              FullHeap.empty();
              System.out.println(failed.getMessage());
            }
            client.shutdown();
            System.out.println(rest(server));
          }
        });
  }

  private static void fail(ByteBuffer bytes) {
    bytes.get();
    FullHeap.fill(1000);
    throw new OutOfMemoryError("the body's own");
  }

  private static String rest(TcpStream stream) throws IOException {
    try {
      int count = 0;
      for (ByteBuffer bytes; (bytes = stream.read()) != null; ) {
        count += bytes.remaining();
      }
      return count + " bytes";
    } catch (ClosedChannelException closed) {
      return "nobody reads on";
    }
  }
}
