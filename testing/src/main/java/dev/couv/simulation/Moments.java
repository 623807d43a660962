// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.Locale;

/// How lengths of time are written.
final class Moments {
  private Moments() {}

  /// `12.345678 s`.
  static String text(long nanos) {
    return String.format(Locale.ROOT, "%d.%06d s", nanos / 1_000_000_000, nanos / 1000 % 1_000_000);
  }
}
