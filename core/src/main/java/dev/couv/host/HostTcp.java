// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Undo;
import dev.couv.loop.Unread;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTcp;
import dev.couv.world.AddressText;
import dev.couv.world.LooseStream;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpListenHandle;
import dev.couv.world.TcpSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A TCP connection of libuv's.
final class HostTcp extends HostSocket implements TcpHandle {
  private @Nullable InetSocketAddress local;

  /// The other end, if it was given, or somebody has asked for it.
  private @Nullable InetSocketAddress remote;

  /// As the system told it; [NativeAddresses#ofV4].
  private long remoteV4;

  HostTcp(EventLoop loop) {
    super(loop, UvHandle.UV_TCP);
  }

  /// One that is not connected yet.
  static HostTcp open(EventLoop loop, InetSocketAddress to, TcpSockets.Settings settings)
      throws IOException {
    HostTcp stream = new HostTcp(loop);
    int family = NativeAddresses.familyNumber(to);
    boolean needsSocket = // for something to be set on it before it is connected
        settings.keepAlive() != null || settings.sendBuffer() > 0 || settings.receiveBuffer() > 0;
    int code =
        needsSocket
            ? stream.open((at, handle) -> UvTcp.uv_tcp_init_ex(at, handle, family))
            : stream.init();
    Failures.checkSocket(code, "connect", AddressText.of(to));
    stream.remote = to;
    Undo.unless(() -> stream.set(settings), stream::close);
    return stream;
  }

  private void set(TcpSockets.Settings settings) throws IOException {
    if (settings.noDelay()) {
      noDelay(true); // libuv remembers it, if there is no socket yet
    }
    if (settings.keepAlive() != null) {
      keepAlive(settings.keepAlive());
    }
    if (settings.sendBuffer() > 0) {
      buffer(true, settings.sendBuffer());
    }
    if (settings.receiveBuffer() > 0) {
      buffer(false, settings.receiveBuffer());
    }
    InetSocketAddress from = settings.from();
    if (from != null) {
      int code = UvTcp.uv_tcp_bind(address(), NativeAddresses.write(loop().scratch(), from), 0);
      Failures.checkSocket(code, "bind", AddressText.of(from));
    }
  }

  /// Where it ends before, urgent bytes or the end are told of.
  @Override
  boolean isEmptiedByShortReads() {
    return true;
  }

  @Override
  int init() {
    return open(UvTcp::uv_tcp_init);
  }

  @Override
  int open(int descriptor) {
    return UvTcp.uv_tcp_open(address(), descriptor);
  }

  @Override
  void setDefaults() {
    UvTcp.uv_tcp_nodelay(address(), 1);
  }

  // ---- its two ends

  @Override
  public InetSocketAddress local() throws IOException {
    InetSocketAddress known = local;
    if (known == null) {
      checkUsable(); // before the scratch is touched
      known = NativeAddresses.local(this, UvTcp::uv_tcp_getsockname, this);
      local = known;
    }
    return known;
  }

  @Override
  public InetSocketAddress remote() throws IOException {
    if (knownRemote() == null || isOpen()) {
      checkUsable(); // before the scratch is touched
    }
    if (knownRemote() == null) {
      Failures.check(askRemote(), "getpeername", "tcp");
    }
    return Objects.requireNonNull(knownRemote());
  }

  private @Nullable InetSocketAddress knownRemote() {
    InetSocketAddress known = remote;
    if (known == null && remoteV4 != 0) {
      known = NativeAddresses.ofV4(remoteV4);
      remote = known;
    }
    return known;
  }

  /// At once when it is accepted: a peer that resets the connection takes its address with it.
  @Override
  void connected() {
    askRemote();
  }

  /// Asks for the other end. A negative code if nobody knows.
  private int askRemote() {
    long at = NativeAddresses.prepare(loop().scratch());
    int code = UvTcp.uv_tcp_getpeername(address(), at, NativeAddresses.lengthAddress(at));
    if (code == UvErrors.code("ENOTCONN") && PosixDescriptor.SO_PEERNAME >= 0) {
      code = formerPeer(); // it was reset before it was accepted
    }
    if (code >= 0) {
      remoteV4 = NativeAddresses.readV4(at);
      if (remoteV4 == 0) {
        remote = NativeAddresses.read(at);
      }
    }
    return code;
  }

  private int formerPeer() {
    int descriptor = SocketCalls.descriptor(loop().scratch(), address());
    if (descriptor < 0) {
      return descriptor;
    }
    int code = formerPeer(descriptor, Layouts.SOCKADDR_IN6_SIZE);
    return code == UvErrors.UV_EINVAL // it is shorter than that
        ? formerPeer(descriptor, Layouts.SOCKADDR_IN_SIZE)
        : code;
  }

  private int formerPeer(int descriptor, long size) {
    long at = NativeAddresses.prepare(loop().scratch());
    long length = NativeAddresses.lengthAddress(at);
    Memory.putInt(length, (int) size);
    return PosixSocket.getsockopt(
        descriptor, Layouts.SOL_SOCKET, PosixDescriptor.SO_PEERNAME, at, length);
  }

  // ---- its settings

  @Override
  public void noDelay(boolean on) throws IOException {
    checkUsable();
    Failures.check(UvTcp.uv_tcp_nodelay(address(), on ? 1 : 0), "nodelay", this);
  }

  @Override
  public void keepAlive(@Nullable Duration idle) throws IOException {
    checkUsable();
    int code =
        UvTcp.uv_tcp_keepalive(
            address(), idle == null ? 0 : 1, idle == null ? 0 : (int) idle.toSeconds());
    Failures.check(code, "keepalive", this);
  }

  @Override
  public void simultaneousAccepts(boolean on) throws IOException {
    SocketCalls.simultaneousAccepts(this, on);
  }

  @Override
  public int buffer(boolean sending, int bytes) throws IOException {
    return SocketCalls.buffer(this, sending, bytes);
  }

  // ---- its end

  @Override
  public void reset() throws IOException {
    if (!isOpen()) {
      return;
    }
    if (isPinned()) {
      close(); // it is on its way to another process, which has it then: there is nothing to reset
      return;
    }
    checkUsable();
    int[] code = {0};
    closeBy(handle -> code[0] = reset(handle));
    Failures.check(code[0], "reset", this);
  }

  private int reset(long handle) {
    int code = UvTcp.uv_tcp_close_reset(handle, Callbacks.CLOSE_CB);
    if (code < 0) { // then it was not closed
      try {
        if (code == UvErrors.UV_EINVAL) { // libuv does not while a shutdown is under way
          // A close that does not linger is a reset.
          code = SocketCalls.set(loop().scratch(), handle, PosixDescriptor.SO_LINGER, 1, 0);
        }
      } finally {
        UvHandle.uv_close(handle, Callbacks.CLOSE_CB);
      }
    }
    return code;
  }

  @Override
  public LooseStream<TcpHandle> detach() throws IOException {
    InetSocketAddress to = knownRemote();
    String name = toString();
    return loosen((loop, descriptor, left) -> reopen(loop, descriptor, left, to, name));
  }

  private static HostTcp reopen(
      EventLoop loop, int descriptor, Unread left, @Nullable InetSocketAddress to, String name)
      throws IOException {
    HostTcp stream = new HostTcp(loop);
    stream.takeUp(descriptor, left, name);
    stream.remote = to;
    return stream;
  }

  @Override
  public TcpListenHandle listen(int backlog) throws IOException {
    InetSocketAddress at = local();
    HostTcpListener listener = new HostTcpListener(loop(), at);
    listener.takeOver(this, backlog);
    return listener;
  }

  @Override
  public String toString() {
    InetSocketAddress to = knownRemote();
    return to == null ? "tcp" : "tcp " + AddressText.of(to);
  }
}
