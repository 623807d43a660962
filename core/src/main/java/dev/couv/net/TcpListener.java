// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Suspension;
import dev.couv.error.BusyException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Scratch;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvStream;
import dev.couv.uv.UvTcp;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Accepts TCP connections. Listening alone keeps no loop running; waiting in [#accept] does.
///
/// Cancelling an accept loses no connection: one that came meanwhile is the next accept's. Closing
/// wakes who waits with a `ClosedException`.
public final class TcpListener implements AutoCloseable {
  private final ListenHandle handle;
  private final InetSocketAddress local;
  private boolean accepting;

  private TcpListener(ListenHandle handle, InetSocketAddress local) {
    this.handle = handle;
    this.local = local;
  }

  static TcpListener open(EventLoop loop, InetSocketAddress at, ListenOptions options)
      throws IOException {
    ListenHandle handle = new ListenHandle(loop, "tcp listener " + SocketAddresses.text(at));
    String subject = SocketAddresses.text(at);
    check(handle.init(), "listen", subject);
    boolean listening = false;
    try {
      Scratch scratch = loop.scratch();
      int flags = options.ipv6Only() ? UvTcp.UV_TCP_IPV6ONLY : 0;
      long address = SocketAddresses.write(scratch, at);
      check(UvTcp.uv_tcp_bind(handle.address(), address, flags), "bind", subject);
      check(
          UvStream.uv_listen(handle.address(), options.backlog(), Callbacks.CONNECTION_CB),
          "listen",
          subject);
      long name = SocketAddresses.prepare(scratch);
      check(
          UvTcp.uv_tcp_getsockname(handle.address(), name, SocketAddresses.lengthAddress(name)),
          "getsockname",
          subject);
      InetSocketAddress local = SocketAddresses.read(name);
      handle.rename("tcp listener " + SocketAddresses.text(local));
      listening = true;
      return new TcpListener(handle, local);
    } finally {
      if (!listening) {
        handle.close();
      }
    }
  }

  private static void check(int code, String call, String subject) throws IOException {
    if (code < 0) {
      throw Failures.ofSocket(code, call, subject);
    }
  }

  /// Waits for the next connection.
  ///
  /// @throws BusyException if another coroutine is accepting
  public TcpStream accept() throws IOException {
    handle.checkUsable();
    if (accepting) {
      throw new BusyException(this + ": another coroutine is already accepting");
    }
    accepting = true;
    try {
      AcceptOperation accept = new AcceptOperation(handle);
      Suspension.await(accept);
      return accept.finish();
    } finally {
      accepting = false;
    }
  }

  /// Where it listens, with the port the system chose if it was asked to.
  public InetSocketAddress local() {
    return local;
  }

  public boolean isOpen() {
    return handle.isOpen();
  }

  @Override
  public void close() {
    handle.close();
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
