// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the command line says of itself, and of words it does not know.
@Tag("loop-scheduled-engine")
class UsageTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''           | a command is missing           | couv --help
          walk         | no such command: walk          | couv --help
          --fast       | no such option: --fast         | couv --help
          doctor --all | no such option: --all          | couv doctor --help
          doctor me    | doctor takes no argument: me   | couv doctor --help
          run --fast   | no such option: --fast         | couv run --help
          """)
  void explainsAMistakeInTwoLines(String line, String message, String next) {
    int status = execute(line.isEmpty() ? new String[0] : line.split(" "));

    assertEquals("couv: " + message + "\nTry: " + next + "\n", err.toString());
    assertEquals("", out.toString());
    assertEquals(2, status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "run --help", "doctor -h"})
  void helpIsNoMistake(String line) {
    int status = execute(line.split(" "));

    assertTrue(out.toString().contains("Usage: couv "), out.toString());
    assertEquals("", err.toString());
    assertEquals(0, status);
  }

  @Test
  void tellsTheVersionThatMavenBuilt() {
    int status = execute("--version");

    assertTrue(out.toString().matches("couv \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n"), out.toString());
    assertEquals(0, status);
  }

  private int execute(String... args) {
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
