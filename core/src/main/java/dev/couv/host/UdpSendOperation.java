// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvUdp;
import dev.couv.world.Delivery;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Queues a datagram that the system did not take at once, in memory of the request's own, and waits until
/// it has it. Cancelled, it still goes.
final class UdpSendOperation extends RequestOperation implements Delivery {
  private static final int REQUEST_SIZE = align(UvRequest.uv_req_size(UvRequest.UV_UDP_SEND));
  private static final int BYTES_OFFSET = align(REQUEST_SIZE + Layouts.UV_BUF_SIZE);

  private final HostUdp socket;
  private final ByteBuffer from;
  private final @Nullable InetSocketAddress to;
  private final int length;

  UdpSendOperation(HostUdp socket, ByteBuffer from, @Nullable InetSocketAddress to) {
    this.socket = socket;
    this.from = from;
    this.to = to;
    this.length = from.remaining();
  }

  @Override
  protected int requestSize() {
    return BYTES_OFFSET + length;
  }

  @Override
  protected int begin(long loop, long request) {
    long buffer = request + REQUEST_SIZE;
    long bytes = request + BYTES_OFFSET;
    Memory.copy(from, from.position(), bytes, length);
    UvBuf.set(buffer, bytes, length);
    int code =
        UvUdp.uv_udp_send(
            request, socket.address(), buffer, 1, socket.write(to), Callbacks.UDP_SEND_CB);
    if (code >= 0) {
      from.position(from.position() + length);
      socket.sending(this);
    }
    return code;
  }

  @Override
  protected void received() {
    socket.sent(this);
  }

  @Override
  public void cancel() {
    socket.sent(this);
    super.cancel();
  }

  @Override
  public void finish() throws IOException {
    if (status() < 0 && !socket.isOpen()) {
      throw Failures.closedWhile(socket, "sending");
    }
    if (status() < 0) {
      throw Failures.ofSocket(status(), "send", socket.subject(to));
    }
  }

  private static int align(long size) {
    return Math.toIntExact((size + 15) & ~15L);
  }

  @Override
  public String toString() {
    return "send from " + socket;
  }
}
