// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Scratch;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvUdp;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The native half of a datagram socket: what arrives, who waits for it, and what is on its way out.
///
/// ## Several at once
///
/// libuv asks the system for up to twenty datagrams by one call, where there is one (`recvmmsg`). Who waits
/// gets as many as it has buffers for; the rest is kept, and serves the next receives without a call.
/// libuv drops the rest of a batch if receiving is stopped between two of its callbacks, so it is never
/// stopped there, but only by coroutines and when an event finds nobody.
///
/// ## Events that find no receiver
///
/// As for streams: the first is refused, the second stops the events. Nothing is taken from the system for
/// nobody.
final class UdpHandle extends ObjectHandle {
  private final ArrayDeque<KeptDatagram> kept = new ArrayDeque<>(2);

  /// Requests whose coroutines await them.
  private final Set<UdpSendOperation> outgoing = new LinkedHashSet<>(2);

  private String name = "udp socket";

  /// A failure nobody was told yet, or 0.
  private int failure;

  private boolean refused;

  UdpHandle(EventLoop loop) {
    super(loop, UvHandle.UV_UDP);
  }

  int init(int family) {
    int flags = family | UvUdp.UV_UDP_RECVMMSG;
    return open((loop, udp) -> UvUdp.uv_udp_init_ex(loop, udp, flags));
  }

  void rename(String newName) {
    name = newName;
  }

  /// The datagram that has waited longest, or null.
  @Nullable KeptDatagram poll() {
    return kept.poll();
  }

  /// A datagram that was not taken after all: first in line.
  void putBack(KeptDatagram datagram) {
    if (isOpen()) {
      kept.addFirst(datagram);
    }
  }

  int pollFailure() {
    int code = failure;
    failure = 0;
    return code;
  }

  void putBackFailure(int code) {
    failure = code;
  }

  /// The request is one to end when the socket is closed.
  void sending(UdpSendOperation send) {
    outgoing.add(send);
  }

  void sent(UdpSendOperation send) {
    outgoing.remove(send);
  }

  @Override
  protected int startEvents() {
    refused = false;
    return UvUdp.uv_udp_recv_start(address(), Callbacks.ALLOC_CB, Callbacks.UDP_RECV_CB);
  }

  @Override
  protected void stopEvents() {
    UvUdp.uv_udp_recv_stop(address());
  }

  @Override
  protected void onAlloc(long buffer) {
    if (awaited() == null) {
      UvBuf.set(buffer, 0, 0);
    } else {
      long size = (long) Scratch.DATAGRAMS * Scratch.BUFFER_SIZE;
      UvBuf.set(buffer, loop().scratch().datagramsAddress(), size);
    }
  }

  @Override
  protected void onDatagram(long count, long buffer, long address, int flags) {
    ReceiveOperation waiting = (ReceiveOperation) awaited();
    if (count < 0) {
      onFailure((int) count, waiting);
    } else if (address != 0) {
      refused = false;
      boolean truncated = (flags & UvUdp.UV_UDP_PARTIAL) != 0;
      InetSocketAddress from = dev.couv.host.SocketAddresses.read(address);
      long bytes = UvBuf.base(buffer);
      if (waiting != null && !waiting.isFull()) {
        waiting.arrived(from, bytes, (int) count, truncated);
      } else {
        kept.add(new KeptDatagram(from, Landing.bytes(bytes, (int) count), truncated));
      }
      if ((flags & UvUdp.UV_UDP_MMSG_CHUNK) == 0) {
        completeIfAny(waiting);
      }
    } else if ((flags & UvUdp.UV_UDP_MMSG_FREE) != 0) {
      completeIfAny(waiting);
    }
  }

  private void completeIfAny(@Nullable ReceiveOperation waiting) {
    if (waiting != null && waiting.hasSome()) {
      complete();
    }
  }

  private void onFailure(int code, @Nullable ReceiveOperation waiting) {
    if (waiting != null) {
      waiting.failed(code);
      complete();
    } else if (code == UvErrors.UV_ENOBUFS) {
      if (refused) {
        stopIdle();
      }
      refused = !refused;
    } else {
      failure = code;
      stopIdle();
    }
  }

  @Override
  protected void closing() {
    kept.clear();
    List<UdpSendOperation> left = List.copyOf(outgoing);
    outgoing.clear();
    left.forEach(send -> send.endEarly(UvErrors.UV_ECANCELED));
  }

  @Override
  public String toString() {
    return name;
  }
}
