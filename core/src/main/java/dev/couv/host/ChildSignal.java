// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

/// The signal that tells of a child's end, which libuv and the JDK both have an interest in.
final class ChildSignal {
  private ChildSignal() {}

  /// The JDK sets the default action for it when it is about to start its first process. If that came
  /// later, it would take the signal away from libuv: so it happens now.
  static void settle() {
    try {
      Class.forName("java.lang.ProcessImpl");
    } catch (ClassNotFoundException e) {
      // Another JDK, with another way to start processes.
    }
  }
}
