// SPDX-License-Identifier: Apache-2.0
package dev.couv.info;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;

/// One address of a network interface; an interface with several is there several times.
///
/// @param name as the system calls the interface
/// @param address which may have a scope, if it is one of a link
/// @param prefixBits how many bits of the address are the network's
/// @param hardwareAddress six bytes, all 0 where there is none
/// @param isInternal whether it leads nowhere but to this machine
public record NetInterface(
    String name,
    InetAddress address,
    int prefixBits,
    List<Byte> hardwareAddress,
    boolean isInternal) {
  /// The hardware address as text, such as `00:1b:63:84:45:e6`.
  public String hardwareText() {
    byte[] bytes = new byte[hardwareAddress.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = hardwareAddress.get(i);
    }
    return HexFormat.ofDelimiter(":").formatHex(bytes);
  }
}
