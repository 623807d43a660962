// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.testing.Tries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What signals do to a script that runs.
@Tag("jvm")
class InterruptionTest {
  @TempDir private Path directory;

  @Test
  void aSignalCancelsAllCoroutinesAndLetsThemCleanUp() throws Exception {
    Path script =
        script(
            """
            import module dev.couv;

            void main() throws Exception {
              Coroutine.spawn(() -> sleep("child"));
              try (var scope = Scope.open()) {
                scope.spawn(() -> sleep("grandchild"));
                scope.spawn(() -> IO.println("ready"));
              } finally {
                Coroutine.protect(() -> {
                  Time.sleep(Duration.ofMillis(1));
                  IO.println("main");
                });
              }
            }

            void sleep(String name) throws Exception {
              try {
                Time.sleep(Duration.ofHours(1));
              } finally {
                IO.println(name);
              }
            }
            """);
    try (var running = new Cli().start("run", script.toString())) {
      assertEquals("ready", running.line());

      running.signal("TERM");
      var end = running.end();

      assertEquals(List.of("child", "grandchild", "main"), end.out().stream().sorted().toList());
      assertEquals("main", end.out().getLast());
      assertEquals(List.of(), end.err());
      assertEquals(143, end.status());
    }
  }

  @Test
  void aSecondSignalEndsAtOnceWhatIgnoresTheFirst() throws Exception {
    Tries.oneOf(5, this::interruptTwice); // the second must come in time
  }

  private void interruptTwice() throws Exception {
    Path script =
        script(
            """
            import module dev.couv;

            void main() throws Exception {
              Coroutine.spawn(() -> {
                try {
                  Time.sleep(Duration.ofHours(1));
                } finally {
                  IO.println("told");
                }
              });
              Coroutine.protect(() -> {
                IO.println("ready");
                Time.sleep(Duration.ofHours(1));
              });
            }
            """);
    try (var running = new Cli().start("run", script.toString())) {
      assertEquals("ready", running.line());
      running.signal("INT");
      assertEquals("told", running.line());

      running.signal("INT");
      var end = running.end();

      assertEquals(List.of(), end.err(), "what is ended by force after a grace period says so");
      assertEquals(130, end.status());
    }
  }

  private Path script(String text) throws Exception {
    return Files.writeString(directory.resolve("Script.java"), text);
  }
}
