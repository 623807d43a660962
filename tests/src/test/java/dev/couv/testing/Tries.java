// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import dev.couv.coro.Action;

/// For what only the clock can tell. A busy machine may make any one try late, whatever the code does;
/// code that is wrong fails in all of them.
public final class Tries {
  private Tries() {}

  /// Tries until it passes; if it never does, the last failure is thrown.
  public static void oneOf(int most, Action attempt) throws Exception {
    for (int tries = 1; ; tries++) {
      try {
        attempt.run();
        return;
      } catch (AssertionError failed) {
        if (tries == most) {
          throw failed;
        }
      }
    }
  }
}
