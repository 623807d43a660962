// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scripts that something is wrong with: one clear message each, and the right exit code.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class BadScriptsTest {
  @TempDir private Path directory;

  /// By `System.out`, which hides it, and by Couv's own stream, which throws. The `finally` block still runs.
  @ParameterizedTest
  @ValueSource(strings = {"IO.println(i)", "Terminal.stdout().write(i + \"\\n\")"})
  void whoeverWritesIntoAClosedPipeEndsQuietly(String statement) throws Exception {
    Path cleaned = directory.resolve("cleaned");
    script(
        """
        import module dev.couv;

        void main() throws Exception {
          try {
            for (long i = 0; true; i++) {
              %s;
              if (i %% 100 == 0) Coroutine.pause();
            }
          } finally {
            Files.createFile(Path.of("%s"));
          }
        }
        """
            .formatted(statement, cleaned));
    try (var running = new Cli().in(directory).start("run", "Script.java")) {
      assertEquals("0", running.line());
      running.process().getInputStream().close();

      assertEquals(141, running.process().waitFor());
      assertEquals(List.of(), Files.readAllLines(running.err()));
      assertEquals(true, Files.exists(cleaned));
    }
  }

  /// None of them waits, so nothing but the write itself can end it: main, one of its coroutines, one of another loop, a
  /// call on another thread, which main does not wait for.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "print()",
        "try (var scope = Scope.open()) { scope.spawn(this::print); }",
        "try (var pool = LoopPool.open(1)) { pool.submit(this::print).await(); }",
        "Loop.offload(() -> { print(); return 0; })"
      })
  void whoeverOnlyPrintsIntoAClosedPipeUnwinds(String statement) throws Exception {
    script(
        """
        import module dev.couv;

        void main() throws Exception {
          try {
            %s;
          } finally {
            IO.println("dropped");
            Files.createFile(Path.of("main"));
          }
        }

        void print() throws IOException {
          try {
            while (true) IO.println("on and on");
          } finally {
            IO.println("dropped");
            Files.createFile(Path.of("printer"));
          }
        }
        """
            .formatted(statement));
    try (var running = new Cli().in(directory).start("run", "Script.java")) {
      assertEquals("on and on", running.line());
      running.process().getInputStream().close();

      assertEquals(141, running.process().waitFor());
      assertEquals(List.of(), Files.readAllLines(running.err()));
      assertEquals(true, Files.exists(directory.resolve("main")));
      assertEquals(
          true, statement.startsWith("Loop.offload") || Files.exists(directory.resolve("printer")));
    }
  }

  @Test
  void whoeverNeverEndsNorWaitsIsEndedByForce() throws Exception {
    script("void main() { IO.println(\"ready\"); while (true) { Thread.onSpinWait(); } }");
    try (var running = new Cli().in(directory).start("run", "Script.java")) {
      assertEquals("ready", running.line());

      running.signal("TERM");
      var end = running.end();

      assertEquals(List.of("couv: still running 3 s after SIGTERM, ended by force"), end.err());
      assertEquals(143, end.status());
    }
  }

  @Test
  void aLineThatNamesNoLibraryIsTold() throws Exception {
    script("// a comment\n//DEPS a:b\nvoid main() {}");

    var result = new Cli().in(directory).run("run", "Script.java");

    assertEquals(List.of("couv: Script.java:2: not group:artifact:version: a:b"), result.err());
    assertEquals(2, result.status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"no/such/x.jfr", "."})
  void aRecordThatCannotBeWrittenIsTold(String file) throws Exception {
    script("void main() { IO.println(\"not reached\"); }");

    var result = new Cli().in(directory).run("run", "--flight", file, "Script.java");

    assertEquals(List.of(), result.out());
    assertEquals(1, result.err().size(), result.err()::toString);
    assertEquals(true, result.err().getFirst().startsWith("couv: cannot record in " + file));
    assertEquals(2, result.status());
  }

  private void script(String text) throws Exception {
    Files.writeString(directory.resolve("Script.java"), text);
  }
}
