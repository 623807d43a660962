// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Scratch;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvUdp;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams. One coroutine may receive while others send; a second receiver gets a
/// `BusyException`.
///
/// Cancelling a receive loses nothing: a datagram that came meanwhile is the next receive's. A send that was
/// cancelled while the system had no room still goes. Closing wakes whoever waits with an
/// `AsynchronousCloseException`.
public final class UdpSocket implements AutoCloseable, LoopBound {
  private final UdpHandle handle;
  private final boolean v6;
  private final boolean mapsV4;

  /// Where it was bound, or would be if it was not asked for.
  private final InetAddress boundTo;

  private @Nullable InetSocketAddress local;
  private @Nullable InetSocketAddress remote;
  private boolean receiving;

  private UdpSocket(UdpHandle handle, boolean v6, boolean mapsV4, InetAddress boundTo) {
    this.boundTo = boundTo;
    this.handle = handle;
    this.v6 = v6;
    this.mapsV4 = mapsV4;
  }

  static UdpSocket bind(EventLoop loop, InetSocketAddress at, UdpOptions options)
      throws IOException {
    UdpSocket socket = open(loop, "bind", at, !options.ipv6Only(), at.getAddress());
    boolean bound = false;
    try {
      int flags =
          (options.reuseAddress() ? UvUdp.UV_UDP_REUSEADDR : 0)
              | (options.ipv6Only() && socket.v6 ? UvUdp.UV_UDP_IPV6ONLY : 0);
      socket.check(UvUdp.uv_udp_bind(socket.handle.address(), socket.write(at), flags), "bind", at);
      socket.handle.rename("udp socket " + SocketAddresses.text(socket.local()));
      bound = true;
      return socket;
    } finally {
      if (!bound) {
        socket.close();
      }
    }
  }

  static UdpSocket connect(EventLoop loop, InetSocketAddress to) throws IOException {
    UdpSocket socket =
        open(
            loop,
            "connect",
            to,
            true,
            InetAddress.ofLiteral(to.getAddress() instanceof Inet6Address ? "::" : "0.0.0.0"));
    boolean connected = false;
    try {
      socket.connect(to);
      connected = true;
      return socket;
    } finally {
      if (!connected) {
        socket.close();
      }
    }
  }

  private static UdpSocket open(
      EventLoop loop, String call, InetSocketAddress subject, boolean mapsV4, InetAddress boundTo)
      throws IOException {
    boolean v6 = subject.getAddress() instanceof Inet6Address;
    UdpHandle handle = new UdpHandle(loop);
    UdpSocket socket = new UdpSocket(handle, v6, mapsV4, boundTo);
    int code = handle.init(v6 ? Layouts.AF_INET6 : Layouts.AF_INET);
    if (code < 0) {
      throw Failures.ofSocket(code, call, SocketAddresses.text(subject));
    }
    return socket;
  }

  // ---- addresses

  /// This end, with the port the system chose if it was asked to.
  public InetSocketAddress local() throws IOException {
    InetSocketAddress known = local;
    if (known == null) {
      handle.checkUsable();
      long at = dev.couv.host.SocketAddresses.prepare(scratch());
      int code =
          UvUdp.uv_udp_getsockname(
              handle.address(), at, dev.couv.host.SocketAddresses.lengthAddress(at));
      Failures.check(code, "getsockname", this);
      known = dev.couv.host.SocketAddresses.read(at);
      local = known;
    }
    return known;
  }

  /// The one peer of a connected socket; null if it is not connected.
  public @Nullable InetSocketAddress remote() {
    return remote;
  }

  /// From now on datagrams go to that peer and come from nobody else. Does not wait: nobody is asked. A
  /// peer that does not listen is told by a later call, as `ECONNREFUSED`.
  public void connect(InetSocketAddress to) throws IOException {
    handle.checkUsable();
    SocketAddresses.checkResolved(to);
    checkFamily(to);
    if (remote != null) {
      disconnect();
    }
    check(UvUdp.uv_udp_connect(handle.address(), write(to)), "connect", to);
    remote = to;
    local = null; // the system may have chosen another
    handle.rename(
        "udp socket " + SocketAddresses.text(local()) + " to " + SocketAddresses.text(to));
  }

  /// Takes a [#connect] back.
  public void disconnect() throws IOException {
    handle.checkUsable();
    if (remote != null) {
      int port = local().getPort();
      Failures.check(UvUdp.uv_udp_connect(handle.address(), 0), "disconnect", this);
      remote = null;
      local = null;
      keepPort(port);
      handle.rename("udp socket " + SocketAddresses.text(local()));
    }
  }

  /// Linux gives up a port that it has chosen itself when a socket is disconnected.
  private void keepPort(int port) throws IOException {
    if (local().getPort() == 0) {
      InetSocketAddress former = new InetSocketAddress(boundTo, port);
      check(UvUdp.uv_udp_bind(handle.address(), write(former), 0), "bind", former);
      local = null;
    }
  }

  // ---- sending

  /// Sends what remains of the buffer, which may be nothing, to the peer of a connected socket. Waits
  /// only while the system has no room.
  ///
  /// @throws IllegalStateException if it is not connected
  /// @throws dev.couv.error.UvException if it is too long (`EMSGSIZE`)
  public void send(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    checkConnected();
    sendOrWait(from, null);
  }

  /// Likewise, to that address.
  ///
  /// @throws IllegalStateException if the socket is connected
  public void send(ByteBuffer from, InetSocketAddress to) throws IOException {
    UserBuffers.checkSources(from);
    checkAddress(to);
    sendOrWait(from, to);
  }

  /// Sends it if the system has room now. Never waits.
  public boolean trySend(ByteBuffer from) throws IOException {
    UserBuffers.checkSources(from);
    checkConnected();
    return sendNow(from, null);
  }

  /// Likewise, to that address.
  public boolean trySend(ByteBuffer from, InetSocketAddress to) throws IOException {
    UserBuffers.checkSources(from);
    checkAddress(to);
    return sendNow(from, to);
  }

  private void checkConnected() throws IOException {
    handle.checkUsable();
    if (remote == null) {
      throw new IllegalStateException(this + " is not connected: where to?");
    }
  }

  private void checkAddress(InetSocketAddress to) throws IOException {
    handle.checkUsable();
    SocketAddresses.checkResolved(to);
    checkFamily(to);
    if (remote != null) {
      throw new IllegalStateException(this + " is connected: it sends to nobody else");
    }
  }

  private void checkFamily(InetSocketAddress address) {
    boolean isV6 = address.getAddress() instanceof Inet6Address;
    if (isV6 != v6 && !(v6 && mapsV4)) {
      throw new IllegalArgumentException(
          "an address of another family than " + this + ": " + SocketAddresses.text(address));
    }
  }

  private void sendOrWait(ByteBuffer from, @Nullable InetSocketAddress to) throws IOException {
    Suspension.pass("send");
    if (!isOpen()) { // others may have run
      throw Failures.closedWhile(this, "sending");
    }
    if (!sendNow(from, to)) {
      UdpSendOperation send = new UdpSendOperation(this, from, to);
      Suspension.await(send);
      send.finish();
    }
  }

  private boolean sendNow(ByteBuffer from, @Nullable InetSocketAddress to) throws IOException {
    int length = from.remaining();
    Scratch scratch = scratch();
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
    int code = UvUdp.uv_udp_try_send(handle.address(), scratch.vectorAddress(), 1, write(to));
    if (code == UvErrors.UV_EAGAIN) {
      return false;
    }
    if (code < 0) {
      throw Failures.ofSocket(code, "send", subject(to));
    }
    from.position(from.position() + length);
    return true;
  }

  /// The address where the next call can read it; 0 for the peer of a connected socket.
  long write(@Nullable InetSocketAddress to) {
    return to == null ? 0 : dev.couv.host.SocketAddresses.write(scratch(), to, v6);
  }

  String subject(@Nullable InetSocketAddress to) {
    return to == null ? toString() : SocketAddresses.text(to);
  }

  // ---- receiving

  /// Waits for a datagram and puts it into the buffer; what there is no room for is lost.
  ///
  /// @throws BusyException if another coroutine is receiving
  public Datagram receive(ByteBuffer into) throws IOException {
    return receive(List.of(new Landing(into))).getFirst();
  }

  /// Waits for datagrams and puts each into a buffer of its own: as many as have come and as there are
  /// buffers for, but at least one. The first datagram is in the first buffer, and so on.
  public List<Datagram> receive(ByteBuffer[] into) throws IOException {
    if (into.length == 0) {
      throw new IllegalArgumentException("no buffer to receive into");
    }
    List<Landing> landings = new ArrayList<>(into.length);
    for (ByteBuffer each : into) {
      landings.add(new Landing(each));
    }
    return List.copyOf(receive(landings));
  }

  private List<Datagram> receive(List<Landing> landings) throws IOException {
    if ((!handle.isOpen() || receiving) && Suspension.isInCoroutine()) {
      Suspension.pass("receive"); // who does not heed the refusal must not starve the others
    }
    handle.checkUsable();
    if (receiving) {
      throw new BusyException(this + ": another coroutine is already receiving");
    }
    receiving = true;
    try {
      ReceiveOperation receive = new ReceiveOperation(handle, landings);
      Suspension.await(receive);
      return receive.finish();
    } finally {
      receiving = false;
    }
  }

  // ---- options

  /// Whether datagrams may be sent to broadcast addresses.
  public void broadcast(boolean on) throws IOException {
    set(UvUdp.uv_udp_set_broadcast(usable(), on ? 1 : 0), "broadcast");
  }

  /// How many routers a datagram may pass, from 1 to 255.
  public void ttl(int hops) throws IOException {
    checkHops(hops);
    set(UvUdp.uv_udp_set_ttl(usable(), hops), "ttl");
  }

  /// Receives what is sent to a multicast group, through an interface that the system chooses.
  public void join(InetAddress group) throws IOException {
    join(group, null);
  }

  /// Likewise, through that interface, or one that the system chooses if it is null.
  public void join(InetAddress group, @Nullable NetworkInterface through) throws IOException {
    Multicast.member(this, usable(), group, through, UvUdp.UV_JOIN_GROUP);
  }

  /// Likewise, only what that source sends.
  public void join(InetAddress group, @Nullable NetworkInterface through, InetAddress source)
      throws IOException {
    Objects.requireNonNull(source, "source");
    Multicast.member(this, usable(), group, through, source, UvUdp.UV_JOIN_GROUP);
  }

  /// Takes a [#join] back.
  public void leave(InetAddress group) throws IOException {
    leave(group, null);
  }

  public void leave(InetAddress group, @Nullable NetworkInterface through) throws IOException {
    Multicast.member(this, usable(), group, through, UvUdp.UV_LEAVE_GROUP);
  }

  public void leave(InetAddress group, @Nullable NetworkInterface through, InetAddress source)
      throws IOException {
    Objects.requireNonNull(source, "source");
    Multicast.member(this, usable(), group, through, source, UvUdp.UV_LEAVE_GROUP);
  }

  /// Whether this machine's own members of a group get what this socket sends to it.
  public void multicastLoop(boolean on) throws IOException {
    set(UvUdp.uv_udp_set_multicast_loop(usable(), on ? 1 : 0), "multicastLoop");
  }

  /// How many routers a datagram to a group may pass, from 1 to 255.
  public void multicastTtl(int hops) throws IOException {
    checkHops(hops);
    set(UvUdp.uv_udp_set_multicast_ttl(usable(), hops), "multicastTtl");
  }

  /// Through which interface datagrams to groups are sent; null lets the system choose.
  public void multicastInterface(@Nullable NetworkInterface through) throws IOException {
    Multicast.outgoing(this, usable(), through, v6);
  }

  /// The size of the system's buffer for what has not been sent. Linux reports twice what was set.
  public int sendBuffer() throws IOException {
    return buffer(true, 0);
  }

  /// Sets it, within the system's limits.
  public void sendBuffer(int bytes) throws IOException {
    checkSize(bytes);
    buffer(true, bytes);
  }

  /// The size of the system's buffer for what has not been received, as [#sendBuffer].
  public int receiveBuffer() throws IOException {
    return buffer(false, 0);
  }

  /// Sets it, within the system's limits.
  public void receiveBuffer(int bytes) throws IOException {
    checkSize(bytes);
    buffer(false, bytes);
  }

  private int buffer(boolean sending, int bytes) throws IOException {
    long address = usable();
    long value = scratch().argumentsAddress();
    Memory.putInt(value, bytes);
    set(
        sending
            ? UvHandle.uv_send_buffer_size(address, value)
            : UvHandle.uv_recv_buffer_size(address, value),
        sending ? "sendBuffer" : "receiveBuffer");
    return Memory.getInt(value);
  }

  private static void checkSize(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
    }
  }

  private static void checkHops(int hops) {
    if (hops < 1 || hops > 255) {
      throw new IllegalArgumentException("from 1 to 255 hops, not " + hops);
    }
  }

  private void set(int code, String call) throws IOException {
    Failures.check(code, call, this);
  }

  private void check(int code, String call, InetSocketAddress subject) throws IOException {
    if (code < 0) {
      throw Failures.ofSocket(code, call, SocketAddresses.text(subject));
    }
  }

  private long usable() throws IOException {
    handle.checkUsable();
    return handle.address();
  }

  // ---- the rest

  /// Bytes of datagrams that are queued because the system had no room.
  public long pending() throws IOException {
    return UvUdp.uv_udp_get_send_queue_size(usable());
  }

  @Override
  public boolean isHere() {
    return handle.loop().isInside();
  }

  public boolean isOpen() {
    return handle.isOpen();
  }

  @Override
  public void close() {
    handle.close();
  }

  UdpHandle handle() {
    return handle;
  }

  Scratch scratch() {
    return handle.loop().scratch();
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
