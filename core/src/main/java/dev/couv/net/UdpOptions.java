// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// How to bind a datagram socket.
///
/// @param reuseAddress whether others may use the address, too: the system decides who gets what
/// @param ipv6Only whether an IPv6 socket leaves IPv4 alone
public record UdpOptions(boolean reuseAddress, boolean ipv6Only) {
  /// The address is the socket's alone, and the wildcard address of IPv6 is for IPv4, too.
  public static final UdpOptions DEFAULT = new UdpOptions(false, false);

  /// These options, with an address that others may use, too, or not: for multicast, where all who listen get
  /// everything.
  public UdpOptions withReuseAddress(boolean newReuseAddress) {
    return new UdpOptions(newReuseAddress, ipv6Only);
  }

  /// These options, for a socket of IPv6 that leaves IPv4 alone, or not.
  public UdpOptions withIpv6Only(boolean newIpv6Only) {
    return new UdpOptions(reuseAddress, newIpv6Only);
  }
}
