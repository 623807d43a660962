// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// How to listen.
///
/// @param backlog how many connections the system keeps waiting
/// @param ipv6Only whether an IPv6 listener leaves IPv4 alone
/// @param reusePort whether several listeners may share the address, also of other loops and
///     processes of the same user, if all of them say so: the system spreads connections over them
public record ListenOptions(int backlog, boolean ipv6Only, boolean reusePort) {
  public static final ListenOptions DEFAULT = new ListenOptions(511, false, false);

  public ListenOptions {
    if (backlog < 0) {
      throw new IllegalArgumentException("negative backlog: " + backlog);
    }
  }

  public ListenOptions withBacklog(int newBacklog) {
    return new ListenOptions(newBacklog, ipv6Only, reusePort);
  }

  public ListenOptions withIpv6Only(boolean newIpv6Only) {
    return new ListenOptions(backlog, newIpv6Only, reusePort);
  }

  /// Not on Windows.
  public ListenOptions withReusePort(boolean newReusePort) {
    return new ListenOptions(backlog, ipv6Only, newReusePort);
  }
}
