// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;

/// TCP connections and the listeners that accept them, over IPv4 and IPv6.
public final class Tcp {
  private Tcp() {}

  /// Connects. Cancelling closes the attempt.
  ///
  /// @throws java.net.ConnectException if the other side refuses or does not answer
  public static TcpStream connect(InetSocketAddress to) throws IOException {
    return connect(to, TcpOptions.DEFAULT);
  }

  /// Connects with these options. Cancelling closes the attempt.
  ///
  /// @throws java.net.ConnectException if the other side refuses or does not answer
  public static TcpStream connect(InetSocketAddress to, TcpOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Tcp.connect");
    SocketAddresses.checkResolved(to);
    Objects.requireNonNull(options, "options");
    return new TcpStream(
        Suspension.answer(Suspension.world().tcp().connect(loop, to, options.settings())));
  }

  /// Looks the host up and connects to the first of its addresses that answers, as RFC 8305 ("Happy
  /// Eyeballs") says: the next address is tried when the one before has failed, or beside it when it
  /// takes long. A literal is not looked up. Cancelling closes all attempts.
  ///
  /// @throws java.net.UnknownHostException if the host has no address
  /// @throws java.net.ConnectException if none of its addresses could be connected; the other
  ///     failures are suppressed in it
  public static TcpStream connect(String host, int port) throws IOException {
    return connect(host, port, TcpOptions.DEFAULT);
  }

  /// Looks the host up and connects with these options to the first of its addresses that answers, as
  /// [#connect(String, int)] does. Cancelling closes all attempts.
  ///
  /// @throws java.net.UnknownHostException if the host has no address
  /// @throws java.net.ConnectException if none of its addresses could be connected; the other
  ///     failures are suppressed in it
  public static TcpStream connect(String host, int port, TcpOptions options) throws IOException {
    Suspension.loop("Tcp.connect");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(options, "options");
    InetSocketAddress from = options.from();
    ResolveOptions wanted =
        ResolveOptions.DEFAULT
            .withKind(SocketKind.STREAM)
            .withFamily(from == null ? null : SocketAddresses.family(from.getAddress()));
    return connect(host + ":" + port, Names.resolve(host, port, wanted), options);
  }

  /// To the first of these addresses that answers. `host` is their name in messages.
  static TcpStream connect(String host, List<InetSocketAddress> addresses, TcpOptions options)
      throws IOException {
    EventLoop loop = Suspension.loop("Tcp.connect");
    if (addresses.size() == 1) {
      return connect(addresses.getFirst(), options);
    }
    ConnectRace race = new ConnectRace(loop, Suspension.world().tcp(), host, addresses, options);
    Suspension.await(race);
    return new TcpStream(race.finish());
  }

  /// Listens with the default options. Does not wait.
  ///
  /// @throws java.net.BindException if the address is taken or not this machine's
  public static TcpListener listen(InetSocketAddress at) throws IOException {
    return listen(at, ListenOptions.DEFAULT);
  }

  /// Listens. Port 0 lets the system choose one: [TcpListener#local] tells which. The wildcard address takes IPv6
  /// and IPv4, as that of a `ServerSocket` does.
  ///
  /// @throws java.net.BindException if the address is taken or not this machine's
  public static TcpListener listen(InetSocketAddress at, ListenOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Tcp.listen");
    SocketAddresses.checkResolved(at);
    Objects.requireNonNull(options, "options");
    return new TcpListener(Suspension.world().tcp().listen(loop, at, options.settings()), options);
  }
}
