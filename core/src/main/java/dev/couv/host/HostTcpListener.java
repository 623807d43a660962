// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Scratch;
import dev.couv.loop.Undo;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTcp;
import dev.couv.world.AddressText;
import dev.couv.world.TcpListenHandle;
import dev.couv.world.TcpSockets;
import java.io.IOException;
import java.net.InetSocketAddress;

/// A TCP socket of libuv's that listens.
final class HostTcpListener extends HostListener<HostTcp> implements TcpListenHandle {
  /// Where it is to listen, and then where it does.
  private InetSocketAddress local;

  HostTcpListener(EventLoop loop, InetSocketAddress at) {
    super(loop, UvHandle.UV_TCP);
    this.local = at;
  }

  static HostTcpListener open(
      EventLoop loop, InetSocketAddress at, TcpSockets.ListenSettings settings) throws IOException {
    HostTcpListener listener = new HostTcpListener(loop, at);
    String subject = AddressText.of(at);
    int family = NativeAddresses.familyNumber(at);
    int code =
        settings.reusePort() // which is set on a socket that is there
            ? listener.ready((to, handle) -> UvTcp.uv_tcp_init_ex(to, handle, family))
            : listener.init();
    Failures.checkSocket(code, "listen", subject);
    Undo.unless(() -> listener.bind(settings, subject), listener::close);
    return listener;
  }

  private void bind(TcpSockets.ListenSettings settings, String subject) throws IOException {
    Scratch scratch = loop().scratch();
    if (settings.reusePort()) {
      Failures.checkSocket(setReusePort(scratch), "reusePort", subject);
    }
    int flags = settings.ipv6Only() ? UvTcp.UV_TCP_IPV6ONLY : 0;
    long asked = NativeAddresses.write(scratch, local);
    Failures.checkSocket(UvTcp.uv_tcp_bind(address(), asked, flags), "bind", subject);
    Failures.checkSocket(listen(settings.backlog()), "listen", subject);
    local = NativeAddresses.local(this, UvTcp::uv_tcp_getsockname, subject);
  }

  /// Before the socket is bound: libuv knows no flag for it.
  private int setReusePort(Scratch scratch) {
    return PosixDescriptor.SO_REUSEPORT < 0
        ? UvErrors.code("ENOTSUP")
        : SocketCalls.set(scratch, address(), PosixDescriptor.SO_REUSEPORT, 1);
  }

  @Override
  int init() {
    return ready(UvTcp::uv_tcp_init);
  }

  @Override
  int open(int descriptor) {
    return UvTcp.uv_tcp_open(address(), descriptor);
  }

  @Override
  int setDefaults() {
    return UvTcp.uv_tcp_nodelay(address(), 1);
  }

  @Override
  HostTcp unopened() {
    return new HostTcp(loop());
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  public void simultaneousAccepts(boolean on) throws IOException {
    SocketCalls.simultaneousAccepts(this, on);
  }

  @Override
  public String toString() {
    return "tcp listener " + AddressText.of(local);
  }
}
