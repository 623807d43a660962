// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvTcp;
import dev.couv.world.AddressText;
import dev.couv.world.Arrival;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Waiting for a connection to be made. The stream is this one's own until it is connected and taken; every other way out
/// closes it, and libuv then ends the request.
final class TcpConnect extends RequestOperation implements Arrival<TcpHandle> {
  private final EventLoop loop;
  private final InetSocketAddress to;
  private final TcpSockets.Settings settings;

  private @Nullable HostTcp stream;

  /// Why it was not even begun.
  private @Nullable IOException refusal;

  TcpConnect(EventLoop loop, InetSocketAddress to, TcpSockets.Settings settings) {
    this.loop = loop;
    this.to = to;
    this.settings = settings;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_CONNECT);
  }

  @Override
  protected int begin(long loopAddress, long request) {
    HostTcp opened;
    try {
      opened = HostTcp.open(loop, to, settings);
    } catch (IOException refused) {
      refusal = refused;
      return UvErrors.UV_ECANCELED;
    }
    stream = opened;
    boolean begun = false;
    try {
      int code =
          UvTcp.uv_tcp_connect(
              request,
              opened.address(),
              SocketAddresses.write(loop.scratch(), to),
              Callbacks.CONNECT_CB);
      begun = code >= 0;
      return code;
    } finally {
      if (!begun) {
        closeStream();
      }
    }
  }

  @Override
  protected void received() {
    if (status() < 0) {
      closeStream();
    }
  }

  @Override
  public void cancel() {
    super.cancel();
    closeStream();
  }

  @Override
  public void surrender() {
    closeStream();
  }

  private void closeStream() {
    HostTcp left = stream;
    stream = null;
    if (left != null) {
      left.close();
    }
  }

  @Override
  public TcpHandle finish() throws IOException {
    if (refusal != null) {
      throw refusal;
    }
    HostTcp connected = stream;
    if (connected == null) {
      throw Failures.ofSocket(status(), "connect", AddressText.of(to));
    }
    stream = null;
    return connected;
  }

  @Override
  public String toString() {
    return "connect to " + AddressText.of(to);
  }
}
