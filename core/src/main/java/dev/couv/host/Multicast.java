// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Memory;
import dev.couv.uv.UvUdp;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// Groups of a datagram socket. libuv wants addresses as text: of an interface one of its own, for IPv4, or
/// any with its name as the scope, for IPv6.
final class Multicast {
  private Multicast() {}

  /// Joins a group or leaves it, as `membership` says. libuv's code.
  static int member(
      long handle,
      InetAddress group,
      @Nullable NetworkInterface through,
      @Nullable InetAddress source,
      int membership) {
    String own = own(through, group instanceof Inet6Address);
    long groupText = 0;
    long ownText = 0;
    long sourceText = 0;
    try {
      groupText = Answers.newText(group.getHostAddress());
      ownText = Answers.newText(own);
      sourceText = Answers.newText(source == null ? null : source.getHostAddress());
      return source == null
          ? UvUdp.uv_udp_set_membership(handle, groupText, ownText, membership)
          : UvUdp.uv_udp_set_source_membership(handle, groupText, ownText, sourceText, membership);
    } finally {
      Memory.free(groupText);
      Memory.free(ownText);
      Memory.free(sourceText);
    }
  }

  /// Sends to groups through that interface. libuv's code.
  static int outgoing(long handle, @Nullable NetworkInterface through, boolean v6) {
    long own = Answers.newText(own(through, v6));
    try {
      return UvUdp.uv_udp_set_multicast_interface(handle, own);
    } finally {
      Memory.free(own);
    }
  }

  private static @Nullable String own(@Nullable NetworkInterface through, boolean v6) {
    if (through == null) {
      return null;
    }
    if (v6) {
      return "::%" + through.getName();
    }
    return through
        .inetAddresses()
        .filter(Inet4Address.class::isInstance)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(through.getName() + " has no IPv4 address"))
        .getHostAddress();
  }
}
