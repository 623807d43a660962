// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.loop.Abilities;

/// How connections come to the loops of a pool that serves.
public enum Spread {
  /// Each loop listens on the port, and the system chooses which of them gets a connection
  /// (`SO_REUSEPORT`). It stays there. On Linux the choice is even; elsewhere one listener may get all.
  SYSTEM,

  /// One loop listens, and hands each connection to the one that serves the fewest.
  HAND_OVER;

  /// What works on this system.
  public static Spread best() {
    return Abilities.spreadsConnections() ? SYSTEM : HAND_OVER;
  }

  /// Whether several listeners can have the port here at all.
  static boolean isPortShareable() {
    return Abilities.sharesPorts();
  }
}
