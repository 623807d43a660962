// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Puts the terminal back as it was before the script. The shell script `couv` asks `stty` for the
/// modes and hands them on, as a property, where standard input is a terminal.
final class TerminalModes {
  private static final String PROPERTY = "couv.terminal";

  /// On Linux only.
  private static final Path STATUS = Path.of("/proc/self/stat");

  private TerminalModes() {}

  /// Loads the class, so that it is there when it is needed, even if its jar is not any more.
  static void prepare() {}

  /// In the background the terminal is the shell's. Whoever touches it there is stopped by the system, with all of
  /// its group: this process would not end.
  static boolean isInForeground() {
    try {
      String status = Files.readString(STATUS, ISO_8859_1); // a name need not be text
      // Behind the name: state, parent, group, session, terminal, the group that has the terminal.
      String[] words = status.substring(status.lastIndexOf(')') + 2).split(" ", -1);
      return words[2].equals(words[5]);
    } catch (IOException | IndexOutOfBoundsException unknown) {
      return true;
    }
  }

  static void restore() {
    String modes = System.getProperty(PROPERTY, "");
    if (modes.isEmpty() || !isInForeground()) {
      return;
    }
    try {
      Process stty = new ProcessBuilder("stty", modes).inheritIO().start();
      // It may have come to the background just now.
      if (!stty.waitFor(1, TimeUnit.SECONDS)) {
        stty.destroyForcibly();
      }
    } catch (IOException e) {
      System.err.println("couv: the terminal may not be as it was: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
