// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `couv run --watch`: a script is started again when one of its files changes.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class WatchedRunTest {
  @TempDir private Path directory;
  private Checkout checkout;
  private Path scripts;

  @BeforeEach
  void write() throws Exception {
    checkout = new Checkout(directory);
    scripts = Files.createDirectory(directory.resolve("scripts"));
    text("one");
    Files.writeString(
        scripts.resolve("Script.java"),
        """
        import module dev.couv;

        void main() throws Exception {
          try {
            IO.println(ProcessHandle.current().pid());
            IO.println(Text.TEXT);
            Time.sleep(Duration.ofHours(1));
          } finally {
            IO.println("cleaned up");
          }
        }
        """);
  }

  @Test
  void aChangeOfAFileThatIsUsedEndsItAndStartsItAgain() throws Exception {
    try (var watched = watch()) {
      watched.line();
      assertEquals("one", watched.line());

      text("two");

      assertEquals("cleaned up", watched.line());
      long second = Long.parseLong(watched.line());
      assertEquals("two", watched.line());

      text("three;"); // does not compile
      assertEquals("cleaned up", watched.line());
      ProcessHandle.of(second).ifPresent(child -> child.onExit().join());
      text("four");
      long third = Long.parseLong(watched.line());
      assertEquals("four", watched.line());

      watched.signal("TERM");
      var end = watched.end();

      assertEquals(List.of("cleaned up"), end.out());
      assertEquals(143, end.status());
      assertFalse(ProcessHandle.of(third).isPresent(), "it ends with who started it");
    }
  }

  /// As some editors do when they save, and as one does oneself.
  @Test
  void aFileThatIsGoneForAWhileIsWaitedFor() throws Exception {
    Path script = scripts.resolve("Script.java");
    String source = Files.readString(script);
    try (var watched = watch()) {
      watched.line();
      assertEquals("one", watched.line());

      Files.delete(script);
      assertEquals("cleaned up", watched.line());
      Files.writeString(script, source.replace("Text.TEXT", "\"again\""));
      watched.line();

      assertEquals("again", watched.line());
      watched.signal("TERM");
      assertEquals(143, watched.end().status());
    }
  }

  @Test
  void whatHasEndedIsStartedAgainAsWell() throws Exception {
    Files.writeString(
        scripts.resolve("Script.java"), "void main() { IO.println(1); System.exit(3); }");
    try (var watched = watch()) {
      assertEquals("1", watched.line());
      Files.writeString(scripts.resolve("Script.java"), "void main() { IO.println(2); }");
      assertEquals("2", watched.line());
      watched.signal("INT");
      assertEquals(130, watched.end().status());
    }
  }

  private Cli.Running watch() throws Exception {
    List<String> command = new ArrayList<>(Cli.withDefaultSignals());
    command.addAll(List.of(checkout.couv().toString(), "run", "--watch", "Script.java"));
    return Cli.Running.start(command, scripts, checkout.environment);
  }

  private void text(String text) throws Exception {
    Path draft = directory.resolve("draft");
    boolean isWrong = text.endsWith(";");
    Files.writeString(
        draft,
        "class Text { static String TEXT = \"%s\"%s; }".formatted(text, isWrong ? " +" : ""));
    // As editors do.
    Files.move(draft, scripts.resolve("Text.java"), StandardCopyOption.REPLACE_EXISTING);
  }
}
