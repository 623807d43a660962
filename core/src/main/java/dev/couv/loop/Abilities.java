// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Platform;

/// What this system can do and others cannot, for those who have to choose or to refuse. Any thread.
public final class Abilities {
  private Abilities() {}

  /// Whether local sockets can have names that are in no directory.
  public static boolean hasAbstractNames() {
    return Platform.isLinux();
  }

  /// Whether several sockets can listen on one port.
  public static boolean sharesPorts() {
    return !Platform.isWindows();
  }

  /// Whether the system spreads connections evenly over the sockets that listen on one port.
  public static boolean spreadsConnections() {
    return Platform.isLinux();
  }
}
