// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Java typed line by line, at a terminal or from a pipe, where each snippet is a coroutine of one loop.
public final class Repl {
  private Repl() {}

  /// Returns when the input ends: whether all went well, which is asked for of a pipe only.
  public static boolean run(Surroundings surroundings, String title) throws Exception {
    Answers answers = new Answers(System.out, System.err);
    try (Session session = Session.open(surroundings, answers)) {
      Commands commands = new Commands(session, answers);
      if (!isTerminal()) {
        return new Script(session, commands).run(input());
      }
      System.out.println(title + ". Snippets are coroutines; /help tells more, Ctrl-D ends.");
      new Prompt(session, commands).run(history());
      return true;
    }
  }

  @SuppressWarnings("SystemConsoleNull") // it is declared to be able to
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private static BufferedReader input() {
    Charset charset = Charset.forName(System.getProperty("stdin.encoding", "UTF-8"), UTF_8);
    return new BufferedReader(new InputStreamReader(System.in, charset));
  }

  /// Where what was typed is kept, for the user's eyes only: there may be passwords in it.
  private static Path history() throws IOException {
    String state = System.getenv("XDG_STATE_HOME");
    Path base =
        state == null || state.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(state);
    Path file = base.resolve("couv").resolve("history");
    Files.createDirectories(base.resolve("couv"));
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return file;
  }
}
