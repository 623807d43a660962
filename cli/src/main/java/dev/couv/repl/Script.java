// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.io.BufferedReader;
import java.io.IOException;

/// Input that nobody types: a pipe or a file. The same lines as at the prompt, without one; the first that fails ends it.
final class Script {
  private final Session session;
  private final Commands commands;

  Script(Session session, Commands commands) {
    this.session = session;
    this.commands = commands;
  }

  /// Returns whether all of it went well.
  boolean run(BufferedReader in) throws IOException {
    StringBuilder typed = new StringBuilder();
    for (String line; (line = in.readLine()) != null; ) {
      if (typed.isEmpty() && Commands.isCommand(line)) {
        if (Commands.isExit(line)) {
          return true;
        }
        if (!commands.run(line)) {
          return false;
        }
        continue;
      }
      typed.append(line).append('\n');
      if (!session.isUnfinished(typed.toString())) {
        if (!session.run(typed.toString())) {
          return false;
        }
        typed.setLength(0);
      }
    }
    return session.run(typed.toString());
  }
}
