// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.UvTcp;
import dev.couv.world.AddressText;
import dev.couv.world.Request;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpSockets;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Waiting for a TCP connection to be made.
final class TcpConnect extends ConnectOperation<HostTcp> implements Request<TcpHandle> {
  private final EventLoop loop;
  private final InetSocketAddress to;
  private final TcpSockets.Settings settings;

  TcpConnect(EventLoop loop, InetSocketAddress to, TcpSockets.Settings settings) {
    this.loop = loop;
    this.to = to;
    this.settings = settings;
  }

  @Override
  HostTcp open() throws IOException {
    return HostTcp.open(loop, to, settings);
  }

  @Override
  int connect(long request, HostTcp opened) {
    long address = NativeAddresses.write(loop.scratch(), to);
    return UvTcp.uv_tcp_connect(request, opened.address(), address, Callbacks.CONNECT_CB);
  }

  @Override
  IOException failure(int code) {
    return Failures.ofSocket(code, "connect", AddressText.of(to));
  }

  @Override
  public String toString() {
    return "connect to " + AddressText.of(to);
  }
}
