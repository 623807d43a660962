// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import java.util.List;

/// The lines that begin with a slash: what is asked of the prompt itself, not of Java.
final class Commands {
  static final List<String> NAMES = List.of("/dump", "/exit", "/help", "/vars");

  private static final String HELP =
      """
      Type Java: expressions, statements, methods, classes, imports. Each snippet is a coroutine of one loop,
      so that whatever waits can be called: Time.sleep(Duration.ofSeconds(1)). What it starts goes on meanwhile.

      /dump   who waits for what
      /vars   the variables
      /help   this
      /exit   ends, as Ctrl-D does

      Tab completes, the arrow keys go through what was typed before, Ctrl-C cancels what runs.\
      """;

  private final Session session;
  private final Answers answers;

  Commands(Session session, Answers answers) {
    this.session = session;
    this.answers = answers;
  }

  static boolean isCommand(String line) {
    return line.startsWith("/") && !line.startsWith("//") && !line.startsWith("/*");
  }

  static boolean isExit(String line) {
    return line.strip().equals("/exit");
  }

  /// Returns whether there is such a command.
  boolean run(String line) {
    switch (line.strip()) {
      case "/help", "/?" -> answers.say(HELP);
      case "/dump" -> answers.say(session.dump().stripTrailing());
      case "/vars" -> session.variables().forEach(answers::say);
      default -> {
        answers.refuse("no such command: " + line.strip() + " (/help lists them)");
        return false;
      }
    }
    return true;
  }
}
