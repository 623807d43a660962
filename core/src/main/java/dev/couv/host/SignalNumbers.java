// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.UvSignal;
import java.util.ArrayList;
import java.util.List;

/// The numbers by which the system knows its signals.
final class SignalNumbers {
  private static final int LAST = 64;

  /// Each at its number.
  private static final List<String> NAMES = names();

  private SignalNumbers() {}

  private static List<String> names() {
    List<String> names = new ArrayList<>(UvSignal.NAMES);
    if (names.contains("STKFLT")) { // Linux, which has signals without a name, too
      for (int number = names.size(); number <= LAST; number++) {
        names.add("SIG" + number);
      }
    }
    return List.copyOf(names);
  }

  /// 0 if the system has no such signal.
  static int of(String name) {
    return Math.max(0, NAMES.indexOf(name));
  }

  /// @throws IllegalArgumentException if the system has none
  static String name(int number) {
    if (number < 0 || number >= NAMES.size() || NAMES.get(number).equals(UvSignal.NONE)) {
      throw new IllegalArgumentException("there is no signal " + number);
    }
    return NAMES.get(number);
  }
}
