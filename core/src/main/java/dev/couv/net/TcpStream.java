// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Scratch;
import dev.couv.stream.NativeStream;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTcp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A TCP connection.
public final class TcpStream extends NativeStream {
  private @Nullable InetSocketAddress local;
  private @Nullable InetSocketAddress remote;

  private TcpStream(EventLoop loop) {
    super(loop, UvHandle.UV_TCP);
  }

  /// A stream that is not connected yet, on behalf of `call`.
  static TcpStream open(EventLoop loop, String call, InetSocketAddress subject) throws IOException {
    TcpStream stream = new TcpStream(loop);
    int code = stream.init();
    if (code < 0) {
      throw Failures.ofSocket(code, call, SocketAddresses.text(subject));
    }
    return stream;
  }

  /// Likewise for an accept, in a callback: no exception, but null and the code in the listener.
  static TcpStream unopened(EventLoop loop) {
    return new TcpStream(loop);
  }

  int init() {
    return opened(UvTcp.uv_tcp_init(loop().address(), nativeHandle()));
  }

  /// Only for the calls that set the stream up: no check whether it is open.
  long nativeHandle() {
    return uncheckedAddress();
  }

  Scratch scratch() {
    return loop().scratch();
  }

  void connectedTo(InetSocketAddress address) {
    remote = address;
  }

  /// This end of the connection.
  public InetSocketAddress local() throws IOException {
    InetSocketAddress known = local;
    if (known == null) {
      long handle = address(); // before the scratch is touched: it checks thread and state
      long at = SocketAddresses.prepare(loop().scratch());
      int code = UvTcp.uv_tcp_getsockname(handle, at, SocketAddresses.lengthAddress(at));
      Failures.check(code, "getsockname", this);
      known = SocketAddresses.read(at);
      local = known;
    }
    return known;
  }

  /// The other end.
  public InetSocketAddress remote() throws IOException {
    InetSocketAddress known = remote;
    if (known == null) {
      long handle = address(); // before the scratch is touched: it checks thread and state
      long at = SocketAddresses.prepare(loop().scratch());
      int code = UvTcp.uv_tcp_getpeername(handle, at, SocketAddresses.lengthAddress(at));
      Failures.check(code, "getpeername", "tcp");
      known = SocketAddresses.read(at);
      remote = known;
    }
    return known;
  }

  /// Whether small writes go out at once instead of waiting for the acknowledgement of earlier ones.
  public void noDelay(boolean on) throws IOException {
    Failures.check(UvTcp.uv_tcp_nodelay(address(), on ? 1 : 0), "nodelay", this);
  }

  /// Asks a silent peer for a sign of life after that long; null turns it off.
  ///
  /// @throws IllegalArgumentException if it is less than a second
  public void keepAlive(@Nullable Duration idle) throws IOException {
    if (idle != null && (idle.toSeconds() < 1 || idle.toSeconds() > Short.MAX_VALUE)) {
      throw new IllegalArgumentException("keepAlive: from 1 to 32767 seconds, not " + idle);
    }
    int code =
        UvTcp.uv_tcp_keepalive(
            address(), idle == null ? 0 : 1, idle == null ? 0 : (int) idle.toSeconds());
    Failures.check(code, "keepalive", this);
  }

  /// Asks the system for the other end only where it may: an error message about a foreign thread
  /// names the stream, too.
  @Override
  public String toString() {
    InetSocketAddress to = remote;
    if (to == null && isOpen() && loop().isInside()) {
      try {
        to = remote();
      } catch (IOException notConnected) {
        return "tcp";
      }
    }
    return to == null ? "tcp" : "tcp " + SocketAddresses.text(to);
  }
}
