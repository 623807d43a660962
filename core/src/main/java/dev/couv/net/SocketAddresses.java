// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;

/// What is asked of Java's socket addresses.
final class SocketAddresses {
  private SocketAddresses() {}

  static void checkResolved(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("unresolved address: " + address);
    }
  }

  static StandardProtocolFamily family(InetAddress address) {
    return address instanceof Inet6Address
        ? StandardProtocolFamily.INET6
        : StandardProtocolFamily.INET;
  }
}
