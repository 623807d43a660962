// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvTcp;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Waiting for a connection to be made. Its stream is the caller's from the start: whoever leaves
/// closes it, and libuv then ends the request.
final class ConnectOperation extends RequestOperation {
  private final TcpStream stream;
  private final InetSocketAddress to;

  ConnectOperation(TcpStream stream, InetSocketAddress to) {
    this.stream = stream;
    this.to = to;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_CONNECT);
  }

  @Override
  protected int begin(long loop, long request) {
    return UvTcp.uv_tcp_connect(
        request,
        stream.nativeHandle(),
        dev.couv.host.SocketAddresses.write(stream.scratch(), to),
        Callbacks.CONNECT_CB);
  }

  void finish() throws IOException {
    if (status() < 0) {
      throw Failures.ofSocket(status(), "connect", SocketAddresses.text(to));
    }
  }

  @Override
  public String toString() {
    return "connect to " + SocketAddresses.text(to);
  }
}
