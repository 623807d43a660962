// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
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
  private static final int REQUEST_SIZE = WriteMemory.size(UvRequest.UV_UDP_SEND);

  private final HostUdp socket;
  private final WriteMemory memory;
  private final @Nullable InetSocketAddress to;

  UdpSendOperation(HostUdp socket, ByteBuffer from, @Nullable InetSocketAddress to) {
    this.socket = socket;
    this.memory = new WriteMemory(REQUEST_SIZE, from);
    this.to = to;
  }

  @Override
  protected int requestSize() {
    return memory.size();
  }

  @Override
  protected int begin(long loop, long request) {
    long buffer = memory.fill(request);
    int code =
        UvUdp.uv_udp_send(
            request, socket.address(), buffer, 1, socket.write(to), Callbacks.UDP_SEND_CB);
    if (code >= 0) {
      memory.taken();
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

  @Override
  public String toString() {
    return "send from " + socket;
  }
}
