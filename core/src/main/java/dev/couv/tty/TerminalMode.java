// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.world.TerminalHandle.Mode;

/// What a terminal does with keys before the program gets them.
public enum TerminalMode {
  /// As it was found: most often line by line, shown as they are typed, Ctrl-C interrupts.
  NORMAL,
  /// Every key at once, not shown, and Ctrl-C is the byte 3. A line that is written still ends with `\n`.
  RAW,
  /// Every key at once, not shown, as in `RAW`; and what is written is not changed either: a new line does not begin at the left edge
  /// unless `\r` is written, too.
  BINARY,
  /// Line by line, as in `NORMAL`; but what is typed is not shown, except the end of a line: for passwords, see
  /// [Terminal#readPassword]. Not on Windows.
  NO_ECHO;

  /// What the terminal is told: the same, by the same name.
  Mode asSet() {
    return Mode.valueOf(name());
  }

  static TerminalMode of(Mode asSet) {
    return valueOf(asSet.name());
  }
}
