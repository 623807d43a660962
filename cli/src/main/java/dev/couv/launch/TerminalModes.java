// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// Puts the terminal back as it was before the script. The shell script `couv` asks `stty` for the
/// modes and hands them on, as a property, where standard input is a terminal.
final class TerminalModes {
  private static final String PROPERTY = "couv.terminal";

  private TerminalModes() {}

  /// Loads the class, so that it is there when it is needed, even if its jar is not any more.
  static void prepare() {}

  static void restore() {
    String modes = System.getProperty(PROPERTY, "");
    if (modes.isEmpty()) {
      return;
    }
    try {
      Process stty = new ProcessBuilder("stty", modes).inheritIO().start();
      // In the background it would be stopped for touching the terminal, which is not ours then.
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
