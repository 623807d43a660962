// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.loop.EventLoop;
import dev.couv.world.ListenHandle;
import dev.couv.world.TcpListenHandle;
import java.net.InetSocketAddress;

/// Tells listeners of the host what a test cannot make the system tell them.
public final class Listening {
  private Listening() {}

  /// A listener without a socket.
  public static TcpListenHandle open(EventLoop loop) {
    HostTcpListener listener = new HostTcpListener(loop, new InetSocketAddress("127.0.0.1", 80));
    assertEquals(0, listener.init());
    return listener;
  }

  /// As libuv's callback does.
  public static void tell(ListenHandle<?> listener, int status) {
    ((HostListener<?>) listener).onConnection(status);
  }
}
