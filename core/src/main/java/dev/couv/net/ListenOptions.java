// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.world.TcpSockets;

/// How to listen.
///
/// @param backlog how many connections the system keeps waiting
/// @param ipv6Only whether an IPv6 listener leaves IPv4 alone
/// @param reusePort whether several listeners may share the address, also of other loops and
///     processes of the same user, if all of them say so: the system spreads connections over them
public record ListenOptions(int backlog, boolean ipv6Only, boolean reusePort) {
  /// 511 connections wait, IPv4 comes to IPv6 listeners, and the address is not shared.
  public static final ListenOptions DEFAULT = new ListenOptions(511, false, false);

  /// Refuses a negative backlog.
  public ListenOptions {
    if (backlog < 0) {
      throw new IllegalArgumentException("negative backlog: " + backlog);
    }
  }

  /// The system keeps that many connections waiting.
  public ListenOptions withBacklog(int newBacklog) {
    return new ListenOptions(newBacklog, ipv6Only, reusePort);
  }

  /// An IPv6 listener leaves IPv4 alone, or takes it, too.
  public ListenOptions withIpv6Only(boolean newIpv6Only) {
    return new ListenOptions(backlog, newIpv6Only, reusePort);
  }

  /// Several listeners may share the address, if all of them say so. Not on Windows.
  public ListenOptions withReusePort(boolean newReusePort) {
    return new ListenOptions(backlog, ipv6Only, newReusePort);
  }

  TcpSockets.ListenSettings settings() {
    return new TcpSockets.ListenSettings(backlog, ipv6Only, reusePort);
  }
}
