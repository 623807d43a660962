// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Scratch;
import dev.couv.stream.Detached;
import dev.couv.stream.NativeStream;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTcp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A TCP connection.
public final class TcpStream extends NativeStream {
  private @Nullable InetSocketAddress local;
  private @Nullable InetSocketAddress remote;

  private TcpStream(EventLoop loop) {
    super(loop, UvHandle.UV_TCP);
  }

  /// A stream that is not connected yet.
  static TcpStream open(EventLoop loop, InetSocketAddress to, TcpOptions options)
      throws IOException {
    TcpStream stream = new TcpStream(loop);
    int family = dev.couv.host.SocketAddresses.familyNumber(to);
    int code =
        options.needSocket()
            ? stream.open((at, handle) -> UvTcp.uv_tcp_init_ex(at, handle, family))
            : stream.init();
    if (code < 0) {
      throw Failures.ofSocket(code, "connect", SocketAddresses.text(to));
    }
    stream.remote = to;
    boolean ready = false;
    try {
      stream.set(options);
      ready = true;
      return stream;
    } finally {
      if (!ready) {
        stream.close();
      }
    }
  }

  private void set(TcpOptions options) throws IOException {
    if (options.noDelay()) {
      noDelay(true); // libuv remembers it, if there is no socket yet
    }
    if (options.keepAlive() != null) {
      keepAlive(options.keepAlive());
    }
    if (options.sendBuffer() > 0) {
      sendBuffer(options.sendBuffer());
    }
    if (options.receiveBuffer() > 0) {
      receiveBuffer(options.receiveBuffer());
    }
    InetSocketAddress from = options.from();
    if (from != null) {
      int code = UvTcp.uv_tcp_bind(address(), dev.couv.host.SocketAddresses.write(loop().scratch(), from), 0);
      if (code < 0) {
        throw Failures.ofSocket(code, "bind", SocketAddresses.text(from));
      }
    }
  }

  /// Likewise for an accept, in a callback: no exception, but null and the code in the listener.
  static TcpStream unopened(EventLoop loop) {
    return new TcpStream(loop);
  }

  int init() {
    return open(UvTcp::uv_tcp_init);
  }

  /// Only for the calls that set the stream up: no check whether it is open.
  long nativeHandle() {
    return uncheckedAddress();
  }

  /// The native half, to be passed or taken over.
  ObjectHandle objectHandle() {
    return handle();
  }

  Scratch scratch() {
    return loop().scratch();
  }

  /// This end of the connection.
  public InetSocketAddress local() throws IOException {
    InetSocketAddress known = local;
    if (known == null) {
      long handle = address(); // before the scratch is touched: it checks thread and state
      long at = dev.couv.host.SocketAddresses.prepare(loop().scratch());
      int code = UvTcp.uv_tcp_getsockname(handle, at, dev.couv.host.SocketAddresses.lengthAddress(at));
      Failures.check(code, "getsockname", this);
      known = dev.couv.host.SocketAddresses.read(at);
      local = known;
    }
    return known;
  }

  /// The other end.
  ///
  /// @throws IOException if it was gone before the connection was accepted: then nobody knows it
  public InetSocketAddress remote() throws IOException {
    if (remote == null || isOpen()) {
      address(); // before the scratch is touched: it checks thread and state
    }
    if (remote == null) {
      Failures.check(connected(), "getpeername", "tcp");
    }
    return Objects.requireNonNull(remote);
  }

  /// Asks for the other end, at once when it is accepted: a peer that resets the connection takes it with it.
  /// In a callback. A negative code if nobody knows.
  int connected() {
    long at = dev.couv.host.SocketAddresses.prepare(loop().scratch());
    int code = UvTcp.uv_tcp_getpeername(nativeHandle(), at, dev.couv.host.SocketAddresses.lengthAddress(at));
    if (code == UvErrors.code("ENOTCONN") && PosixDescriptor.SO_PEERNAME >= 0) {
      code = formerPeer(); // it was reset before it was accepted
    }
    if (code >= 0) {
      remote = dev.couv.host.SocketAddresses.read(at);
    }
    return code;
  }

  private int formerPeer() {
    long room = loop().scratch().argumentsAddress();
    int code = UvHandle.uv_fileno(nativeHandle(), room);
    if (code < 0) {
      return code;
    }
    int descriptor = Memory.getInt(room);
    code = formerPeer(descriptor, Layouts.SOCKADDR_IN6_SIZE);
    return code == UvErrors.UV_EINVAL // it is shorter than that
        ? formerPeer(descriptor, Layouts.SOCKADDR_IN_SIZE)
        : code;
  }

  private int formerPeer(int descriptor, long size) {
    long at = dev.couv.host.SocketAddresses.prepare(loop().scratch());
    long length = dev.couv.host.SocketAddresses.lengthAddress(at);
    Memory.putInt(length, (int) size);
    return PosixSocket.getsockopt(
        descriptor, Layouts.SOL_SOCKET, PosixDescriptor.SO_PEERNAME, at, length);
  }

  /// Whether small writes go out at once instead of waiting for the acknowledgement of earlier ones: they do,
  /// unless told otherwise here or by [TcpOptions#withNoDelay], also those of accepted connections.
  public void noDelay(boolean on) throws IOException {
    Failures.check(UvTcp.uv_tcp_nodelay(address(), on ? 1 : 0), "nodelay", this);
  }

  /// Asks a silent peer for a sign of life after that long; null turns it off.
  ///
  /// @throws IllegalArgumentException if it is less than a second
  public void keepAlive(@Nullable Duration idle) throws IOException {
    if (idle != null) {
      checkKeepAlive(idle);
    }
    int code =
        UvTcp.uv_tcp_keepalive(
            address(), idle == null ? 0 : 1, idle == null ? 0 : (int) idle.toSeconds());
    Failures.check(code, "keepalive", this);
  }

  static void checkKeepAlive(Duration idle) {
    if (idle.toSeconds() < 1 || idle.toSeconds() > Short.MAX_VALUE) {
      throw new IllegalArgumentException("keepAlive: from 1 to 32767 seconds, not " + idle);
    }
  }

  /// Whether Windows may queue several accepts of a listener that shares this socket; nothing
  /// elsewhere.
  public void simultaneousAccepts(boolean on) throws IOException {
    int code = UvTcp.uv_tcp_simultaneous_accepts(address(), on ? 1 : 0);
    Failures.check(code, "simultaneousAccepts", this);
  }

  /// The size of the system's buffer for what is written. Linux counts its own needs in, and so says
  /// twice what was set.
  public int sendBuffer() throws IOException {
    return buffer(UvHandle::uv_send_buffer_size, 0, "sendBuffer");
  }

  /// Sets it, within the system's limits.
  public void sendBuffer(int bytes) throws IOException {
    checkBuffer(bytes);
    buffer(UvHandle::uv_send_buffer_size, bytes, "sendBuffer");
  }

  /// The size of the system's buffer for what has not been read, as [#sendBuffer].
  public int receiveBuffer() throws IOException {
    return buffer(UvHandle::uv_recv_buffer_size, 0, "receiveBuffer");
  }

  /// Sets it, within the system's limits. For a window of more than 64 KiB it has to be set before the
  /// stream is connected: [TcpOptions#withReceiveBuffer].
  public void receiveBuffer(int bytes) throws IOException {
    checkBuffer(bytes);
    buffer(UvHandle::uv_recv_buffer_size, bytes, "receiveBuffer");
  }

  private static void checkBuffer(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
    }
  }

  private interface BufferCall {
    int call(long handle, long value);
  }

  private int buffer(BufferCall size, int bytes, String call) throws IOException {
    long handle = address(); // before the scratch is touched: it checks thread and state
    long value = loop().scratch().argumentsAddress();
    Memory.putInt(value, bytes);
    Failures.check(size.call(handle, value), call, this);
    return Memory.getInt(value);
  }

  /// Closes the connection at once and tells the peer by a reset instead of an end: what was written
  /// and has not arrived is dropped. Wakes whoever waits, as [#close]. Does nothing if it is closed.
  public void reset() throws IOException {
    if (!isOpen()) {
      return;
    }
    if (handle().isPinned()) {
      close(); // it is on its way to another process, which has it then: there is nothing to reset
      return;
    }
    address(); // checks the thread
    String name = toString();
    int[] code = {0};
    closeBy(handle -> code[0] = reset(handle));
    if (code[0] < 0) {
      throw Failures.of(code[0], "reset", name);
    }
  }

  private int reset(long handle) {
    int code = UvTcp.uv_tcp_close_reset(handle, Callbacks.CLOSE_CB);
    if (code < 0) { // then it was not closed
      try {
        if (code == UvErrors.UV_EINVAL) { // libuv does not while a shutdown is under way
          code = lingerNot(handle);
        }
      } finally {
        UvHandle.uv_close(handle, Callbacks.CLOSE_CB);
      }
    }
    return code;
  }

  /// Makes a close a reset.
  private int lingerNot(long handle) {
    long room = loop().scratch().argumentsAddress();
    int code = UvHandle.uv_fileno(handle, room);
    if (code < 0) {
      return code;
    }
    int descriptor = Memory.getInt(room);
    Memory.putInt(room, 1);
    Memory.putInt(room + Integer.BYTES, 0);
    return PosixDescriptor.setsockopt(
        descriptor,
        Layouts.SOL_SOCKET,
        PosixDescriptor.SO_LINGER,
        room,
        (int) PosixDescriptor.LINGER_SIZE);
  }

  /// Await function: takes the connection off this loop, for a coroutine of another to adopt. Waits until
  /// what is being written has gone out; then this stream is closed, and the connection is not.
  /// Cancelled, it changes nothing.
  ///
  /// @throws dev.couv.error.BusyException if it is being read, or passed to another process
  public Detached<TcpStream> detach() throws IOException {
    address();
    String name = toString();
    InetSocketAddress to = remote;
    return detach((loop, descriptor) -> reopen(loop, descriptor, to, name));
  }

  private static TcpStream reopen(
      EventLoop loop, int descriptor, @Nullable InetSocketAddress remote, String subject)
      throws IOException {
    TcpStream stream = new TcpStream(loop);
    int code = stream.init();
    if (code < 0) {
      throw Failures.ofSocket(code, "adopt", subject);
    }
    boolean adopted = false;
    try {
      code = UvTcp.uv_tcp_open(stream.nativeHandle(), descriptor);
      if (code < 0) {
        throw Failures.ofSocket(code, "adopt", subject);
      }
      stream.remote = remote;
      adopted = true;
      return stream;
    } finally {
      if (!adopted) {
        stream.close();
      }
    }
  }

  @Override
  public String toString() {
    InetSocketAddress to = remote;
    return to == null ? "tcp" : "tcp " + SocketAddresses.text(to);
  }
}
