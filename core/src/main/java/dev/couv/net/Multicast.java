// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.uv.Memory;
import dev.couv.uv.UvUdp;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// Groups of a datagram socket. libuv wants addresses as text: of an interface one of its own, for IPv4, or
/// any with its name as the scope, for IPv6.
final class Multicast {
  private Multicast() {}

  static void member(
      UdpSocket socket,
      long handle,
      InetAddress group,
      @Nullable NetworkInterface through,
      int membership)
      throws IOException {
    checkGroup(group);
    String own = own(through, group instanceof Inet6Address);
    long groupText = 0;
    long ownText = 0;
    try {
      groupText = NativeMemory.check(Memory.newString(text(group)));
      ownText = own == null ? 0 : NativeMemory.check(Memory.newString(own));
      check(
          UvUdp.uv_udp_set_membership(handle, groupText, ownText, membership),
          membership,
          socket,
          group);
    } finally {
      Memory.free(groupText);
      Memory.free(ownText);
    }
  }

  static void member(
      UdpSocket socket,
      long handle,
      InetAddress group,
      @Nullable NetworkInterface through,
      InetAddress source,
      int membership)
      throws IOException {
    checkGroup(group);
    if (source instanceof Inet6Address != group instanceof Inet6Address) {
      throw new IllegalArgumentException(
          "source and group are of two families: " + text(source) + ", " + text(group));
    }
    String own = own(through, group instanceof Inet6Address);
    long groupText = 0;
    long ownText = 0;
    long sourceText = 0;
    try {
      groupText = NativeMemory.check(Memory.newString(text(group)));
      ownText = own == null ? 0 : NativeMemory.check(Memory.newString(own));
      sourceText = NativeMemory.check(Memory.newString(text(source)));
      check(
          UvUdp.uv_udp_set_source_membership(handle, groupText, ownText, sourceText, membership),
          membership,
          socket,
          group);
    } finally {
      Memory.free(groupText);
      Memory.free(ownText);
      Memory.free(sourceText);
    }
  }

  static void outgoing(
      UdpSocket socket, long handle, @Nullable NetworkInterface through, boolean v6)
      throws IOException {
    String own = own(through, v6);
    long ownText = own == null ? 0 : NativeMemory.check(Memory.newString(own));
    try {
      Failures.check(
          UvUdp.uv_udp_set_multicast_interface(handle, ownText), "multicastInterface", socket);
    } finally {
      Memory.free(ownText);
    }
  }

  private static void check(int code, int membership, UdpSocket socket, InetAddress group)
      throws IOException {
    String call = membership == UvUdp.UV_JOIN_GROUP ? "join" : "leave";
    Failures.check(code, call, text(group) + " by " + socket);
  }

  private static void checkGroup(InetAddress group) {
    if (!group.isMulticastAddress()) {
      throw new IllegalArgumentException("not a multicast address: " + text(group));
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

  private static String text(InetAddress address) {
    return address.getHostAddress();
  }
}
