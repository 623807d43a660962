// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs in `examples` that are about files, as a visitor runs them.
@Tag("jvm")
class FileExamplesTest {
  @TempDir Path dir;

  @Test
  void tailFollowsAFileThatGrowsAndIsReplaced() throws Exception {
    Path log = Files.writeString(dir.resolve("log"), "one\ntwo\nthree\n");
    try (var tail = new Cli().start("run", "examples/tail.java", log.toString(), "2")) {
      assertEquals("two", tail.line());
      assertEquals("three", tail.line());
      Files.writeString(log, "four\n", StandardOpenOption.APPEND);
      assertEquals("four", tail.line());

      Path next = Files.writeString(dir.resolve("next"), "five\n");
      Files.move(next, log, StandardCopyOption.REPLACE_EXISTING);
      assertEquals("five", tail.line());

      tail.signal("INT");
      assertEquals(130, tail.end().status());
    }
  }

  @Test
  void rebuildRunsTheCommandAgainWhenAFileChanges() throws Exception {
    Path source = Files.writeString(dir.resolve("source"), "one\n");
    String command = "cat " + source;
    try (var rebuild =
        new Cli().start("run", "examples/rebuild.java", dir.toString(), "sh", "-c", command)) {
      assertEquals("$ sh -c " + command, rebuild.line());
      assertEquals("one", rebuild.line());
      assertEquals("ok", rebuild.line());

      Files.writeString(source, "two\n");

      assertEquals("modified: " + source, rebuild.line());
      assertEquals("$ sh -c " + command, rebuild.line());
      assertEquals("two", rebuild.line());
      rebuild.signal("INT");
      assertEquals(130, rebuild.end().status());
    }
  }

  @Test
  void grepWithoutWordsIsAMistake() throws Exception {
    var end = new Cli().run("run", "examples/grep.java");

    assertEquals(2, end.status());
    assertEquals(List.of(), end.out());
    assertEquals(List.of("usage: grep.java [-j FILES] PATTERN DIRECTORY"), end.err());
  }

  @Test
  void grepFindsWhatIsThereAndCountsTheFiles() throws Exception {
    Files.writeString(dir.resolve("a"), "nothing\nneedle\n");
    Path below = Files.createDirectory(dir.resolve("below"));
    Files.writeString(below.resolve("b"), "a needle\n");
    Files.writeString(below.resolve("c"), "");

    var end = new Cli().run("run", "examples/grep.java", "-j", "2", "needle", dir.toString());

    assertEquals(0, end.status());
    assertEquals("2 lines in 3 files", end.out().getLast());
    assertTrue(
        end.out().containsAll(List.of(dir + "/a:2:needle", below + "/b:1:a needle")),
        () -> end.out().toString());
    assertEquals(List.of(), end.err(), "no bar where there is no terminal");

    try (var terminal =
        new Cli().startOnTerminal("run", "examples/grep.java", "needle", dir.toString())) {
      List<String> shown = terminal.end().out();
      assertTrue(shown.stream().anyMatch(line -> line.contains("#] 3/3")), () -> shown.toString());
    }
  }
}
