// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.error.BusyException;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpListenHandle;
import java.io.IOException;
import java.net.InetSocketAddress;

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
@SuppressWarnings("exports") // what it extends has only members that are for users
public final class TcpListener extends SocketListener<TcpHandle, TcpListenHandle, TcpStream>
    implements StreamListener<TcpStream> {
  private final ListenOptions options;

  TcpListener(TcpListenHandle handle, ListenOptions options) {
    super(handle, TcpStream::new);
    this.options = options;
  }

  /// Waits for the next connection.
  ///
  /// When the process has no descriptors left, one accept throws a `UvException` with the code
  /// `EMFILE`; the next one waits until there are some again.
  ///
  /// @throws BusyException if another coroutine is accepting
  @Override
  public TcpStream accept() throws IOException {
    return super.accept();
  }

  /// Where it listens, with the port the system chose if it was asked to.
  public InetSocketAddress local() {
    return socket().local();
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
    socket().simultaneousAccepts(on);
  }
}
