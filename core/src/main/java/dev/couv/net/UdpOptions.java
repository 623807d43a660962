// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// How to bind a datagram socket: whether others may use the address, too (the system decides who gets
/// what), and whether an IPv6 socket leaves IPv4 alone.
public record UdpOptions(boolean reuseAddress, boolean ipv6Only) {
  public static final UdpOptions DEFAULT = new UdpOptions(false, false);

  /// For multicast, where all who listen get everything.
  public UdpOptions withReuseAddress(boolean newReuseAddress) {
    return new UdpOptions(newReuseAddress, ipv6Only);
  }

  public UdpOptions withIpv6Only(boolean newIpv6Only) {
    return new UdpOptions(reuseAddress, newIpv6Only);
  }
}
