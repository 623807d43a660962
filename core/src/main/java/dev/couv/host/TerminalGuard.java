// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/// A small shell beside the program that puts a terminal back when the program is gone without having done
/// so: killed, or crashed with the VM. Nothing inside of a process can do that.
///
/// It is told when the mode was changed, and looks how the terminal is set then. When the program has gone, which
/// it sees by the end of its input, and the terminal is still set so, it sets it as it was. If
/// anybody has changed it meanwhile, as a shell does that takes it over, it leaves it alone.
///
/// It outlives every signal that comes from the terminal, and ends when its input does.
final class TerminalGuard {
  private static final String PROGRAM =
      """
      trap '' HUP INT QUIT TERM TSTP TTIN TTOU
      exec 3<"$1" || exit
      was=$(stty -g <&3) || exit
      echo ready
      exec >/dev/null
      set=none
      while read -r _; do set=$(stty -g <&3); done
      [ "$set" = "$(stty -g <&3)" ] && stty "$was" <&3
      """;

  /// Never closed: it ends with the process.
  private final OutputStream told;

  private TerminalGuard(OutputStream told) {
    this.told = told;
  }

  /// Before the mode is changed. Blocks for the few milliseconds in which a shell starts. Without a shell,
  /// without `stty`, and where the terminal has no name, there is none, which does nothing.
  static TerminalGuard start(int descriptor) {
    try {
      Path terminal = Path.of("/dev/fd/" + descriptor).toRealPath();
      Process shell =
          new ProcessBuilder(List.of("sh", "-c", PROGRAM, "couv-terminal", terminal.toString()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var answer = shell.getInputStream()) {
        if (answer.read() >= 0) {
          return new TerminalGuard(shell.getOutputStream());
        }
      }
      shell.getOutputStream().close();
    } catch (IOException none) {
      // The ends of the program that it sees itself are enough.
    }
    return new TerminalGuard(OutputStream.nullOutputStream());
  }

  void changed() {
    try {
      told.write('\n');
      told.flush();
    } catch (IOException gone) {
      // Somebody has killed it.
    }
  }
}
