// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/// How addresses are written in names and messages.
public final class AddressText {
  private AddressText() {}

  /// Host and port without a name lookup: `127.0.0.1:80`, `[::1]:80`.
  public static String of(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host)
        + ":"
        + address.getPort();
  }
}
