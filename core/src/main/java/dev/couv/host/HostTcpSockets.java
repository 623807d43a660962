// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.world.Request;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpListenHandle;
import dev.couv.world.TcpSockets;
import java.io.IOException;
import java.net.InetSocketAddress;

/// TCP, by libuv.
final class HostTcpSockets implements TcpSockets {
  @Override
  public Request<TcpHandle> connect(EventLoop loop, InetSocketAddress to, Settings settings) {
    return new TcpConnect(loop, to, settings);
  }

  @Override
  public TcpListenHandle listen(EventLoop loop, InetSocketAddress at, ListenSettings settings)
      throws IOException {
    return HostTcpListener.open(loop, DualStack.widened(at), settings);
  }
}
