// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.Needed;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ctrl-C on a real pseudo-terminal, which the `script` of util-linux opens.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class TerminalTest {
  @TempDir private Path directory;

  /// There the terminal is not its own, and the system stops a whole group of processes of which one touches it.
  @Test
  void inTheBackgroundASignalEndsTheScriptAndLeavesTheTerminalAlone() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("Sleep.java"),
            """
            import module dev.couv;

            void main() throws Exception {
              IO.println("ready");
              Time.sleep(Duration.ofHours(1));
            }
            """);
    try (var terminal =
            new Cli().option("-Dcouv.terminal=sane").startInBackground("run", file.toString());
        Writer keyboard = terminal.process().outputWriter(UTF_8)) {
      for (String line = ""; !line.endsWith("ready"); ) {
        line = terminal.line();
      }
      keyboard.write("\n");
      keyboard.flush();

      assertEquals("ended 143", terminal.end().out().getLast());
    }
  }

  @Test
  void ctrlCRestoresWhatTheScriptHasChanged() throws Exception {
    var checkout = new Checkout(directory);
    Files.writeString(
        directory.resolve("Secret.java"),
        """
        import module dev.couv;

        void main() throws Exception {
          new ProcessBuilder("stty", "-echo", "-icanon").inheritIO().start().waitFor();
          IO.println("ready");
          Time.sleep(Duration.ofHours(1));
        }
        """);
    // The shell gets the signal too, and must outlive it; a trap, unlike a disposition of "ignore",
    // is not inherited.
    String session =
        "trap : INT; stty -g; '%s' run Secret.java; echo $?; stty -g".formatted(checkout.couv());

    try (var terminal =
            Cli.Running.start(
                List.of(Needed.program("script"), "-qec", session, "/dev/null"),
                directory,
                checkout.environment);
        Writer keyboard = terminal.process().outputWriter(UTF_8)) {
      String before = terminal.line();
      assertEquals("ready", terminal.line());
      keyboard.write(3);
      keyboard.flush();

      var end = terminal.end();

      // Before the first of them the terminal shows the key, if it was set to.
      assertEquals(List.of("130", before), end.out().reversed().subList(0, 2).reversed());
    }
  }
}
