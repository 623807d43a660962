// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Scratch;
import dev.couv.loop.UserBuffers;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvUdp;
import dev.couv.world.AddressText;
import dev.couv.world.Delivery;
import dev.couv.world.UdpHandle;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
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
final class HostUdp extends ObjectHandle implements UdpHandle {
  private final ArrayDeque<KeptDatagram> kept = new ArrayDeque<>(2);

  /// Requests whose coroutines await them.
  private final Set<UdpSendOperation> outgoing = new LinkedHashSet<>(2);

  private final boolean v6;

  /// Where it was bound, or would be if it was not asked for.
  private InetAddress boundTo;

  private String name = "udp socket";
  private @Nullable InetSocketAddress local;

  /// A failure nobody was told yet, or 0.
  private int failure;

  private HostUdp(EventLoop loop, boolean v6) {
    super(loop, UvHandle.UV_UDP);
    this.v6 = v6;
    this.boundTo = InetAddress.ofLiteral(v6 ? "::" : "0.0.0.0");
  }

  static HostUdp open(EventLoop loop, String call, InetSocketAddress subject) throws IOException {
    HostUdp socket = new HostUdp(loop, subject.getAddress() instanceof Inet6Address);
    int flags = NativeAddresses.familyNumber(subject) | UvUdp.UV_UDP_RECVMMSG;
    int code = socket.open((at, udp) -> UvUdp.uv_udp_init_ex(at, udp, flags));
    Failures.checkSocket(code, call, AddressText.of(subject));
    return socket;
  }

  // ---- addresses

  @Override
  public void bind(InetSocketAddress at, boolean reuseAddress, boolean ipv6Only)
      throws IOException {
    int flags =
        (reuseAddress ? UvUdp.UV_UDP_REUSEADDR : 0) | (ipv6Only && v6 ? UvUdp.UV_UDP_IPV6ONLY : 0);
    bind(at, flags);
    boundTo = at.getAddress();
    rename("");
  }

  private void bind(InetSocketAddress at, int flags) throws IOException {
    int code = UvUdp.uv_udp_bind(address(), write(at), flags);
    Failures.checkSocket(code, "bind", AddressText.of(at));
  }

  @Override
  public InetSocketAddress local() throws IOException {
    InetSocketAddress known = local;
    if (known == null) {
      checkUsable();
      known = NativeAddresses.local(this, UvUdp::uv_udp_getsockname, this);
      local = known;
    }
    return known;
  }

  @Override
  public void connect(InetSocketAddress to) throws IOException {
    int code = UvUdp.uv_udp_connect(address(), write(to));
    Failures.checkSocket(code, "connect", AddressText.of(to));
    local = null; // the system may have chosen another
    rename(" to " + AddressText.of(to));
  }

  @Override
  public void disconnect() throws IOException {
    int port = local().getPort();
    Failures.check(UvUdp.uv_udp_connect(address(), 0), "disconnect", this);
    local = null;
    keepPort(port);
    rename("");
  }

  /// Linux gives up a port that it has chosen itself when a socket is disconnected.
  private void keepPort(int port) throws IOException {
    if (local().getPort() == 0) {
      bind(new InetSocketAddress(boundTo, port), 0);
      local = null;
    }
  }

  private void rename(String rest) throws IOException {
    name = "udp socket " + AddressText.of(local()) + rest;
  }

  // ---- sending

  @Override
  public boolean trySend(ByteBuffer from, @Nullable InetSocketAddress to) throws IOException {
    int length = from.remaining();
    Scratch scratch = loop().scratch();
    long bytes;
    if (length > Scratch.BUFFER_SIZE) {
      throw Failures.of(UvErrors.code("EMSGSIZE"), "send", subject(to));
    } else if (UserBuffers.isFixed(from)) {
      bytes = Memory.address(from) + from.position();
    } else {
      bytes = scratch.bufferAddress();
      scratch.buffer().put(0, from, from.position(), length);
    }
    UvBuf.set(scratch.vectorAddress(), bytes, length);
    int code = UvUdp.uv_udp_try_send(address(), scratch.vectorAddress(), 1, write(to));
    if (code == UvErrors.UV_EAGAIN) {
      return false;
    }
    if (code < 0) {
      throw Failures.ofSocket(code, "send", subject(to));
    }
    from.position(from.position() + length);
    return true;
  }

  @Override
  public Delivery send(ByteBuffer from, @Nullable InetSocketAddress to) {
    return new UdpSendOperation(this, from, to);
  }

  /// The address where the next call can read it; 0 for the peer of a connected socket.
  long write(@Nullable InetSocketAddress to) {
    return to == null ? 0 : NativeAddresses.write(loop().scratch(), to, v6);
  }

  String subject(@Nullable InetSocketAddress to) {
    return to == null ? name : AddressText.of(to);
  }

  /// The request is one to end when the socket is closed.
  void sending(UdpSendOperation send) {
    outgoing.add(send);
  }

  void sent(UdpSendOperation send) {
    outgoing.remove(send);
  }

  @Override
  public long pending() {
    return UvUdp.uv_udp_get_send_queue_size(address());
  }

  // ---- receiving

  @Override
  public Receipt receive(ByteBuffer... into) {
    return new ReceiveOperation(this, into);
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

  @Override
  protected int startEvents() {
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
      boolean truncated = (flags & UvUdp.UV_UDP_PARTIAL) != 0;
      InetSocketAddress from = NativeAddresses.read(address);
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
      refuse();
    } else {
      failure = code;
      stopIdle();
    }
  }

  // ---- options

  @Override
  public void set(Option option, int value) throws IOException {
    int code =
        switch (option) {
          case BROADCAST -> UvUdp.uv_udp_set_broadcast(address(), value);
          case TTL -> UvUdp.uv_udp_set_ttl(address(), value);
          case MULTICAST_LOOP -> UvUdp.uv_udp_set_multicast_loop(address(), value);
          case MULTICAST_TTL -> UvUdp.uv_udp_set_multicast_ttl(address(), value);
        };
    Failures.check(code, option.call(), this);
  }

  @Override
  public int buffer(boolean sending, int bytes) throws IOException {
    return SocketCalls.buffer(this, sending, bytes);
  }

  @Override
  public void member(
      boolean joins,
      InetAddress group,
      @Nullable NetworkInterface through,
      @Nullable InetAddress source)
      throws IOException {
    int membership = joins ? UvUdp.UV_JOIN_GROUP : UvUdp.UV_LEAVE_GROUP;
    int code = Multicast.member(address(), group, through, source, membership);
    Failures.check(code, joins ? "join" : "leave", group.getHostAddress() + " by " + this);
  }

  @Override
  public void multicastInterface(@Nullable NetworkInterface through) throws IOException {
    Failures.check(Multicast.outgoing(address(), through, v6), "multicastInterface", this);
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
