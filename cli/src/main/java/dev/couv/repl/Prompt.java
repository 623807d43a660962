// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.io.IOException;
import java.nio.file.Path;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.Signals;

/// The prompt on a terminal, edited by JLine: history, completion, statements of several lines.
final class Prompt {
  private static final Terminal.Signal INTERRUPT = Terminal.Signal.INT;
  private static final String PROMPT = "couv> ";
  private static final String CONTINUED = " ...> ";

  private final Session session;
  private final Commands commands;

  Prompt(Session session, Commands commands) {
    this.session = session;
    this.commands = commands;
  }

  /// Returns when the user wants no more. A mistake at the prompt is no failure.
  void run(Path history) throws IOException {
    // For each line JLine puts its handler of Ctrl-C in place of ours and takes it away again, and
    // what it finds between
    // the two is the one that was there before it came: that of the JVM would end us.
    Object before = Signals.register(INTERRUPT.name(), session::stop);
    try {
      prompt(history);
    } finally {
      Signals.unregister(INTERRUPT.name(), before);
    }
  }

  private void prompt(Path history) throws IOException {
    try (Terminal terminal = terminal()) {
      LineReader reader =
          LineReaderBuilder.builder()
              .terminal(terminal)
              .appName("couv")
              .parser(new JavaLines(session))
              .completer(new JavaCompletion(session))
              .variable(LineReader.HISTORY_FILE, history)
              .variable(LineReader.SECONDARY_PROMPT_PATTERN, CONTINUED)
              .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
              .option(LineReader.Option.INSERT_TAB, false)
              .build();
      while (true) {
        try {
          String line = reader.readLine(PROMPT);
          if (Commands.isExit(line)) {
            return;
          }
          if (Commands.isCommand(line)) {
            commands.run(line);
          } else {
            session.run(line);
          }
        } catch (UserInterruptException cleared) {
          // Ctrl-C with nothing running: the line is given up.
        } catch (EndOfFileException end) {
          return;
        }
      }
    }
  }

  /// Does not ask the terminal what it can do with letters of several code points: JLine takes what is typed ahead
  /// for the answer, and loses it.
  private Terminal terminal() throws IOException {
    Terminal terminal =
        TerminalBuilder.builder()
            .signalHandler(signal -> stop(signal))
            .system(true)
            .ffm(true)
            .exec(true)
            .jni(false)
            .dumb(true)
            .nativeSignals(true)
            .graphemeCluster(false)
            .build();
    for (Terminal.Signal signal : Terminal.Signal.values()) {
      if (signal != INTERRUPT) {
        terminal.handle(signal, Terminal.SignalHandler.SIG_DFL); // Ctrl-Z, for example
      }
    }
    return terminal;
  }

  private void stop(Terminal.Signal signal) {
    if (signal == INTERRUPT) {
      session.stop();
    }
  }
}
