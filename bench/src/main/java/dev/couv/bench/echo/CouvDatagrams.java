// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.echo;

import dev.couv.coro.Loop;
import dev.couv.net.Datagram;
import dev.couv.net.Udp;
import dev.couv.net.UdpSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// The UDP echo server as a user of Couv writes it: one coroutine, one buffer. `PORT`; serves until it is killed.
public final class CouvDatagrams {
  private CouvDatagrams() {}

  public static void main(String[] args) throws Exception {
    Loop.run(
        () -> {
          ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
          InetSocketAddress here = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
          try (UdpSocket socket = Udp.bind(here)) {
            while (true) {
              Datagram datagram = socket.receive(buffer.clear());
              socket.send(buffer.flip(), datagram.from());
            }
          }
        });
  }
}
