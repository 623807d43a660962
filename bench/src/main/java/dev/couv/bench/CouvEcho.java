// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// The echo server as a user of Couv writes it: a coroutine per connection, one buffer each. Prints
/// what it is and its port, serves until it is killed.
final class CouvEcho {
  private static final int BUFFER_SIZE = 1 << 14;

  private CouvEcho() {}

  static void main(String[] args) throws Exception {
    Loop.run(
        () -> {
          try (TcpListener listener = Tcp.listen(new InetSocketAddress(loopback(), 0))) {
            System.out.println(
                "Couv, " + Loop.current().stats().engine() + ", " + VirtualThreadEcho.machine());
            System.out.println(listener.local().getPort());
            while (true) {
              TcpStream peer = listener.accept();
              Coroutine.spawn(() -> serve(peer));
            }
          }
        });
  }

  private static void serve(TcpStream peer) {
    try (peer) {
      peer.noDelay(true);
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
      while (peer.read(buffer.clear()) >= 0) {
        peer.write(buffer.flip());
      }
    } catch (IOException gone) {
      // The load has ended, and its connections with it.
    }
  }

  private static InetAddress loopback() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }
}
