// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Undo;
import dev.couv.strand.Suspension;
import dev.couv.world.UdpHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;

/// Datagrams over IPv4 and IPv6.
public final class Udp {
  private Udp() {}

  /// A socket at an address of this machine; port 0 lets the system choose one. Does not wait.
  ///
  /// @throws java.net.BindException if the address is taken or not this machine's
  public static UdpSocket bind(InetSocketAddress at) throws IOException {
    return bind(at, UdpOptions.DEFAULT);
  }

  /// A socket at an address of this machine, shared with others or not, as the options say. Does not wait.
  ///
  /// @throws java.net.BindException if the address is taken or not this machine's
  public static UdpSocket bind(InetSocketAddress at, UdpOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Udp.bind");
    SocketAddresses.checkResolved(at);
    Objects.requireNonNull(options, "options");
    UdpHandle handle = Suspension.world().datagrams().open(loop, "bind", at);
    UdpSocket socket = new UdpSocket(handle, at, !options.ipv6Only());
    Undo.unless(() -> handle.bind(at, options.reuseAddress(), options.ipv6Only()), socket::close);
    return socket;
  }

  /// A socket at an address that the system chooses, which exchanges datagrams with one peer only. Does
  /// not wait: nobody is asked.
  public static UdpSocket connect(InetSocketAddress to) throws IOException {
    EventLoop loop = Suspension.loop("Udp.connect");
    SocketAddresses.checkResolved(to);
    UdpHandle handle = Suspension.world().datagrams().open(loop, "connect", to);
    UdpSocket socket = new UdpSocket(handle, to, true);
    Undo.unless(() -> socket.connect(to), socket::close);
    return socket;
  }
}
