// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.time.Duration;

/// Something that is done to hosts at some moment, and is over after a while.
///
/// @param other the other host, where two are concerned; else empty
record Fault(Kind kind, String host, String other, Duration at, Duration lasting) {
  enum Kind {
    CRASH,
    PAUSE,
    PARTITION,
    ONE_WAY_PARTITION,
    RESET
  }

  @Override
  public String toString() {
    String what =
        switch (kind) {
          case CRASH -> "crash of " + host;
          case PAUSE -> "pause of " + host;
          case PARTITION -> "partition between " + host + " and " + other;
          case ONE_WAY_PARTITION -> "nothing from " + host + " to " + other;
          case RESET -> "reset of connections between " + host + " and " + other;
        };
    return Moments.text(at.toNanos())
        + "  "
        + what
        + (kind == Kind.RESET ? "" : ", for " + Moments.text(lasting.toNanos()));
  }
}
