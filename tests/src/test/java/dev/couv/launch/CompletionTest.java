// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Needed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `couv completion`, in a real bash and a real fish.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class CompletionTest {
  @TempDir private Path directory;

  @Test
  void bashCompletesCommandsOptionsAndDemos() throws Exception {
    var script = new Cli().run("completion", "bash");
    assertEquals(List.of(), script.err());
    Path file = Files.write(directory.resolve("completion"), script.out());

    assertEquals(List.of("doctor"), completions(file, "couv", "do"));
    assertTrue(completions(file, "couv", "").containsAll(List.of("run", "repl", "new", "demo")));
    assertEquals(List.of("--flight"), completions(file, "couv", "run", "--fl"));
    assertEquals(List.of("bash"), completions(file, "couv", "completion", "b"));
    assertEquals(List.of("philosophers"), completions(file, "couv", "demo", "ph"));
  }

  @Test
  void fishCompletesCommandsOptionsAndDemos() throws Exception {
    var script = new Cli().run("completion", "fish");
    assertEquals(List.of(), script.err());
    Path file = Files.write(directory.resolve("completion"), script.out());

    assertEquals(List.of("doctor"), fishCompletions(file, "couv do"));
    assertTrue(fishCompletions(file, "couv ").containsAll(List.of("run", "repl", "new", "demo")));
    assertEquals(List.of("--flight"), fishCompletions(file, "couv run --fl"));
    assertEquals(List.of("bash"), fishCompletions(file, "couv completion b"));
    assertEquals(List.of("philosophers"), fishCompletions(file, "couv demo ph"));
  }

  /// The words, without what fish tells of them after a tab.
  private List<String> fishCompletions(Path file, String line) throws Exception {
    String fish = "source '%s'; complete -C '%s'".formatted(file, line);
    var command = List.of(Needed.program("fish"), "--no-config", "-c", fish);
    try (var running = Cli.Running.start(command, directory, Map.of())) {
      var end = running.end();
      assertEquals(List.of(), end.err());
      return end.out().stream().map(each -> each.split("\t", 2)[0]).toList();
    }
  }

  @Test
  void aShellThatIsNotKnownIsAMistake() throws Exception {
    var result = new Cli().run("completion", "tcsh");

    assertEquals(2, result.status());
    assertTrue(result.err().getFirst().contains("tcsh"), result.err()::toString);
  }

  /// What bash would offer for the last of the words.
  private List<String> completions(Path file, String... words) throws Exception {
    String quoted = String.join(" ", Arrays.stream(words).map(word -> "'" + word + "'").toList());
    String bash =
        """
        source '%s'
        COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        complete -p couv | grep -q -- '-F _complete_couv' || exit 9
        _complete_couv
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(file, quoted, words.length - 1);
    try (var running = Cli.Running.start(List.of("bash", "-c", bash), directory, Map.of())) {
      var end = running.end();
      assertEquals(0, end.status(), end.err()::toString);
      return end.out().stream().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
  }
}
