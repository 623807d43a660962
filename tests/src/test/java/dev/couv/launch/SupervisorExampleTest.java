// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.signal.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The supervisor in `examples`, with children that do what children do.
@Tag("jvm")
class SupervisorExampleTest {
  private static final String STEADY =
      "steady: echo up; trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done\n";

  @TempDir private Path directory;

  private Cli.Running start(String lines) throws Exception {
    Path file = Files.writeString(directory.resolve("services"), lines);
    return new Cli().start("run", "examples/supervisor.java", file.toString());
  }

  @Test
  void whatEndsIsStartedAgainLaterEachTime() throws Exception {
    try (var supervisor = start("# two\n" + STEADY + "failing: echo oops >&2; exit 3\n")) {
      assertTrue(supervisor.line("keeps").endsWith("keeps [failing, steady]"));
      supervisor.line("failing | oops");
      supervisor.line("failing ended with 3, again in 100 ms");
      supervisor.line("failing | oops");
      supervisor.line("failing ended with 3, again in 200 ms");
      supervisor.line("failing ended with 3, again in 400 ms");

      supervisor.signal("TERM");
      supervisor.line("steady | bye");
      assertEquals(0, supervisor.end().status());
    }
  }

  @Test
  void oneThatIsKilledIsStartedAgainAndToldOf() throws Exception {
    try (var supervisor = start(STEADY)) {
      long first = pid(supervisor.line("steady runs as"));
      supervisor.line("steady | up");

      Signal.send(first, Signal.KILL);

      supervisor.line("steady ended by KILL, again in 100 ms");
      long second = pid(supervisor.line("steady runs as"));
      supervisor.line("steady | up");
      supervisor.signal("USR1");
      String status = supervisor.line("; start 2, ");
      assertTrue(status.startsWith("steady runs as " + second + "; start 2, "), status);
      supervisor.signal("INT");
      assertEquals(0, supervisor.end().status());
    }
  }

  @Test
  void aFileThatIsReadAgainStartsAndEndsOnlyWhatHasChanged() throws Exception {
    Path file = directory.resolve("services");
    try (var supervisor = start(STEADY + "old: sleep 1000\nother: sleep 1001\n")) {
      long old = pid(supervisor.line("old runs as"));
      long other = pid(supervisor.line("other runs as"));
      long steady = pid(supervisor.line("steady runs as"));

      Files.writeString(file, STEADY + "new: echo here; sleep 1000\nother: sleep 1002\n");
      supervisor.signal("HUP");
      supervisor.line("read again, keeps [new, other, steady]");
      supervisor.line("new | here");
      assertFalse(isAlive(old));
      assertFalse(isAlive(other));
      assertTrue(isAlive(steady));

      Files.writeString(file, STEADY + "what is this\n");
      supervisor.signal("HUP");
      assertEquals(
          "nothing is changed: " + file + ":2: expected \"name: command\"",
          supervisor.line("nothing is changed"));
      assertTrue(isAlive(steady));

      supervisor.signal("TERM");
      assertEquals(0, supervisor.end().status());
      assertFalse(isAlive(steady));
    }
  }

  @Test
  void whoDoesNotHeedTermIsKilledWithAllThatItStarted() throws Exception {
    try (var supervisor = start("deaf: trap '' TERM; sleep 1003 & echo $!; wait; wait\n")) {
      long deaf = pid(supervisor.line("deaf runs as"));
      long grandchild = pid(supervisor.line("deaf | "));

      supervisor.signal("TERM");

      supervisor.line("deaf did not heed TERM");
      assertEquals(0, supervisor.end().status());
      assertFalse(isAlive(deaf));
      Patience.until(() -> !isAlive(grandchild));
    }
  }

  @Test
  void aLineWithoutEndDoesNotStopItsProgram() throws Exception {
    try (var supervisor =
        start("endless: head -c 200000 /dev/zero | tr '\\0' x; echo; echo behind; sleep 1000\n")) {
      assertTrue(supervisor.line("endless | xxx").endsWith("x …"));
      supervisor.line("endless | behind");
      supervisor.signal("TERM");
      assertEquals(0, supervisor.end().status());
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() throws Exception {
    var without = new Cli().run("run", "examples/supervisor.java");
    assertEquals(List.of("usage: supervisor.java FILE"), without.err());
    assertEquals(2, without.status());

    try (var twice = start("a: true\na: false\n")) {
      var end = twice.end();
      assertEquals(List.of(directory.resolve("services") + ":2: a second a"), end.err());
      assertEquals(1, end.status());
    }
  }

  /// The number at the end of the line.
  private static long pid(String line) {
    Matcher number = Pattern.compile(".* (\\d+)").matcher(line);
    assertTrue(number.matches(), line);
    return Long.parseLong(number.group(1));
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).isPresent();
  }
}
