// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// How to listen: how many connections the system keeps waiting, and whether an IPv6 listener leaves
/// IPv4 alone.
public record ListenOptions(int backlog, boolean ipv6Only) {
  public static final ListenOptions DEFAULT = new ListenOptions(511, false);

  public ListenOptions {
    if (backlog < 0) {
      throw new IllegalArgumentException("negative backlog: " + backlog);
    }
  }

  public ListenOptions withBacklog(int newBacklog) {
    return new ListenOptions(newBacklog, ipv6Only);
  }

  public ListenOptions withIpv6Only(boolean newIpv6Only) {
    return new ListenOptions(backlog, newIpv6Only);
  }
}
