// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.BusyException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Scratch;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTcp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Iterator;

/// Accepts TCP connections. Listening alone keeps no loop running; waiting in [#accept] does.
///
/// Cancelling an accept loses no connection: one that came meanwhile is the next accept's. Closing
/// wakes who waits with an `AsynchronousCloseException`.
///
/// ```java
/// listener.serve(peer -> ByteStream.copy(peer, peer));
/// ```
///
/// One coroutine accepts at a time, in [#serve] or [#accept]. Another that calls one of them meanwhile gets a
/// `BusyException`; those that iterate take turns in the order they came.
public final class TcpListener implements StreamListener<TcpStream> {
  private final ListenHandle<TcpStream> handle;
  private final InetSocketAddress local;
  private final ListenOptions options;
  private final Acceptor<TcpStream> acceptor;

  private TcpListener(
      ListenHandle<TcpStream> handle, InetSocketAddress local, ListenOptions options) {
    this.handle = handle;
    this.local = local;
    this.options = options;
    acceptor = new Acceptor<>(handle, this);
  }

  static TcpListener open(EventLoop loop, InetSocketAddress asked, ListenOptions options)
      throws IOException {
    InetSocketAddress at = DualStack.widened(asked);
    ListenHandle<TcpStream> handle =
        new ListenHandle<>(loop, StreamKind.TCP, "tcp listener " + SocketAddresses.text(at));
    String subject = SocketAddresses.text(at);
    int family = dev.couv.host.SocketAddresses.familyNumber(at);
    check(options.reusePort() ? handle.initSocket(family) : handle.init(), "listen", subject);
    boolean listening = false;
    try {
      Scratch scratch = loop.scratch();
      if (options.reusePort()) {
        check(setReusePort(scratch, handle.address()), "reusePort", subject);
      }
      int flags = options.ipv6Only() ? UvTcp.UV_TCP_IPV6ONLY : 0;
      long address = dev.couv.host.SocketAddresses.write(scratch, at);
      check(UvTcp.uv_tcp_bind(handle.address(), address, flags), "bind", subject);
      check(handle.listen(options.backlog()), "listen", subject);
      long name = dev.couv.host.SocketAddresses.prepare(scratch);
      check(
          UvTcp.uv_tcp_getsockname(handle.address(), name, dev.couv.host.SocketAddresses.lengthAddress(name)),
          "getsockname",
          subject);
      InetSocketAddress local = dev.couv.host.SocketAddresses.read(name);
      handle.rename("tcp listener " + SocketAddresses.text(local));
      listening = true;
      return new TcpListener(handle, local, options);
    } finally {
      if (!listening) {
        handle.close();
      }
    }
  }

  /// Before the socket is bound: libuv knows no flag for it.
  private static int setReusePort(Scratch scratch, long handle) {
    if (PosixDescriptor.SO_REUSEPORT < 0) {
      return UvErrors.code("ENOTSUP");
    }
    long room = scratch.argumentsAddress();
    int code = UvHandle.uv_fileno(handle, room);
    if (code < 0) {
      return code;
    }
    int descriptor = Memory.getInt(room);
    Memory.putInt(room, 1);
    return PosixDescriptor.setsockopt(
        descriptor, Layouts.SOL_SOCKET, PosixDescriptor.SO_REUSEPORT, room, Integer.BYTES);
  }

  /// The native half, to be passed.
  ListenHandle<TcpStream> handle() {
    return handle;
  }

  /// Makes a listener of a passed socket that listens.
  static TcpListener takeOver(TcpStream passed, ListenOptions options) throws IOException {
    InetSocketAddress local = passed.local();
    String name = "tcp listener " + SocketAddresses.text(local);
    ListenHandle<TcpStream> handle =
        ListenHandle.takeOver(passed.objectHandle(), StreamKind.TCP, name, options.backlog());
    return new TcpListener(handle, local, options);
  }

  private static void check(int code, String call, String subject) throws IOException {
    if (code < 0) {
      throw Failures.ofSocket(code, call, subject);
    }
  }

  /// Waits for the next connection.
  ///
  /// When the process has no descriptors left, one accept throws a `UvException` with the code
  /// `EMFILE`; the next one waits until there are some again.
  ///
  /// @throws BusyException if another coroutine is accepting
  @Override
  public TcpStream accept() throws IOException {
    return acceptor.accept();
  }

  @Override
  public void serve(Handler<? super TcpStream> handler, ServeOptions options) throws IOException {
    acceptor.serve(handler, options);
  }

  /// The connections that come, each of which is waited for, until the listener is closed. Coroutines
  /// that iterate at the same time take turns. Descriptors that run out are only logged; any other
  /// failure to accept is an `UncheckedIOException`.
  @Override
  public Iterator<TcpStream> iterator() {
    return acceptor.iterator();
  }

  /// Where it listens, with the port the system chose if it was asked to.
  public InetSocketAddress local() {
    return local;
  }

  /// How many connections the system was asked to keep waiting.
  public int backlog() {
    return options.backlog();
  }

  /// Whether others may listen here, too.
  public boolean reusePort() {
    return options.reusePort();
  }

  /// Whether it leaves IPv4 alone.
  public boolean ipv6Only() {
    return options.ipv6Only();
  }

  /// Whether Windows may queue several accepts; nothing elsewhere.
  public void simultaneousAccepts(boolean on) throws IOException {
    handle.checkUsable();
    int code = UvTcp.uv_tcp_simultaneous_accepts(handle.address(), on ? 1 : 0);
    Failures.check(code, "simultaneousAccepts", this);
  }

  @Override
  public boolean isHere() {
    return handle.loop().isInside();
  }

  @Override
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
