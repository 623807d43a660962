// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.uv.UvTty;

/// What a terminal does with keys before the program gets them.
public enum TerminalMode {
  /// As it was found: most often line by line, shown as they are typed, Ctrl-C interrupts.
  NORMAL(UvTty.UV_TTY_MODE_NORMAL),
  /// Every key at once, not shown, and Ctrl-C is the byte 3. A line that is written still ends with `\n`.
  RAW(UvTty.UV_TTY_MODE_RAW),
  /// As raw, and what is written is not changed either: a new line does not begin at the left edge
  /// unless `\r` is written, too.
  BINARY(UvTty.UV_TTY_MODE_IO),
  /// As normal, but what is typed is not shown, except the end of a line: for passwords, see
  /// [Terminal#readPassword]. Not on Windows.
  NO_ECHO(UvTty.UV_TTY_MODE_NORMAL);

  private final int number;

  TerminalMode(int number) {
    this.number = number;
  }

  /// What it is for libuv, which knows the first three.
  int number() {
    return number;
  }
}
