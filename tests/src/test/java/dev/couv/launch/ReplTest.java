// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `couv repl`, from a pipe and on a real pseudo-terminal.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class ReplTest {
  private static final String CTRL_C = "\u0003";
  private static final String CTRL_D = "\u0004";

  /// How an editor of lines moves the cursor and sets modes.
  private static final Pattern ESCAPES =
      Pattern.compile("\u001b(\\[[0-?]*[ -/]*[@-~]|[()].|[=>78]|][^\u0007]*\u0007)");

  @TempDir private Path directory;

  @Test
  void snippetsAreCoroutinesOfOneLoop() throws Exception {
    var result =
        piped(
            """
            var server = Tcp.listen(new InetSocketAddress("127.0.0.1", 0));
            var serving = Coroutine.spawn(() -> server.serve(peer -> ByteStream.copy(peer, peer)));
            String ask(String text) throws Exception {
              try (var client = Tcp.connect(server.local())) {
                client.write(text);
                return StandardCharsets.UTF_8.decode(client.read()).toString();
              }
            }
            ask("hello")
            Time.sleep(Duration.ofMillis(1))
            /vars
            """);

    assertEquals(List.of(), result.err());
    assertTrue(result.out().contains("created method ask(String)"), result.out()::toString);
    assertTrue(result.out().contains("$1 ==> \"hello\""), result.out()::toString);
    assertTrue(result.out().contains("String $1 = \"hello\""), result.out()::toString);
    assertEquals(0, result.status());
  }

  /// JShell writes its type out, which is annotated.
  @Test
  void aValueWithoutANameIsRunAndShown() throws Exception {
    var result = piped("Coroutine.spawn(() -> IO.println(\"ran\"))\nTime.sleep(Duration.ZERO)\n");

    assertEquals(List.of(), result.err());
    // Which of the two comes first is up to the coroutine.
    assertEquals(
        Set.of("$1 ==> coroutine-", "ran"), Set.copyOf(cut(result.out(), "$1 ==> coroutine-")));
    assertEquals(0, result.status());
  }

  @Test
  void aVariableOfATypeThatIsNotDeclaredYetIsTold() throws Exception {
    var result = piped("Later x\n/vars\nclass Later {}\nx\n");

    assertEquals(List.of(), result.err());
    assertEquals(
        List.of(
            "created variable x, usable when there is class Later",
            "Later x = (not yet usable)",
            "created class Later",
            "x ==> null"),
        result.out());
  }

  @Test
  void theFirstFailureEndsAPipeWithOneMessage() throws Exception {
    var result = piped("int x = 5\nthrow new IOException(\"no luck\");\nx\n");

    assertEquals(List.of("x ==> 5"), result.out());
    assertEquals(List.of("java.io.IOException: no luck"), result.err());
    assertEquals(1, result.status());
  }

  @Test
  void whatDoesNotCompileIsMarked() throws Exception {
    var result = piped("int x = \"a\"\n");

    assertEquals(
        List.of(
            "error: incompatible types: java.lang.String cannot be converted to int",
            "  int x = \"a\";",
            "          ^^^"),
        result.err());
    assertEquals(1, result.status());
  }

  @Test
  void aFailureThatNobodyAwaitsIsToldAndEndsNothing() throws Exception {
    var result =
        piped(
            """
            Coroutine.spawn(() -> { throw new IOException("behind"); });
            Time.sleep(Duration.ofMillis(10))
            int left = 7
            """);

    assertEquals(List.of("a coroutine has failed: java.io.IOException: behind"), result.err());
    assertTrue(result.out().contains("left ==> 7"), result.out()::toString);
    assertEquals(0, result.status());
  }

  /// What goes on behind it is not touched by Ctrl-C, although it is the code of a snippet as well.
  @Test
  void onATerminalCtrlCCancelsWhatRunsAndCtrlDEnds() throws Exception {
    Path state = directory.resolve("state");
    Cli cli = cli().variable("XDG_STATE_HOME", state.toString()).variable("TERM", "xterm");
    try (var terminal = cli.startOnTerminal("repl");
        Writer keyboard = terminal.process().outputWriter(UTF_8)) {
      await(terminal, "/help tells more");
      type(keyboard, "int ticks = 0\r");
      await(terminal, "ticks ==> 0");
      type(
          keyboard,
          "Coroutine.spawn(() -> { while (true) { ticks++; Time.sleep(Duration.ofMillis(1)); }"
              + " })\r");
      await(terminal, "$1 ==> coroutine-");
      type(keyboard, "IO.println(1 + \" go\"); Time.sleep(Duration.ofHours(1))\r");
      await(terminal, "1 go");
      type(keyboard, CTRL_C);
      await(terminal, "cancelled");
      type(keyboard, "IO.println(1 + \" busy\"); while (true) ;\r");
      await(terminal, "1 busy");
      type(keyboard, CTRL_C);
      await(terminal, "cancelled");
      type(
          keyboard,
          "int before = ticks; while (ticks == before) Time.sleep(Duration.ofMillis(1));\r");
      type(keyboard, "int f() {\rreturn 40 + 2;\r}\r");
      await(terminal, "created method f()");
      type(keyboard, "f()\r");
      await(terminal, "==> 42");
      await(terminal, "couv> "); // before that it would be the system's to read it
      type(keyboard, CTRL_D);

      var end = terminal.end();
      assertEquals(0, end.status());
      assertEquals(0, end.out().stream().filter(line -> line.contains("failed")).count());
    }
    Path history = state.resolve("couv/history");
    assertTrue(Files.readString(history).contains("f()"));
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(history)));
  }

  /// For each line the handler of the one before is taken away, and another put in its place: so many come that some meet
  /// the moment in between. The VM tells of signals one by one, those with lower numbers first: when it tells of the last
  /// one, none is left that could meet the end of the prompt, where Ctrl-C has its usual meaning again.
  @Test
  void ctrlCBetweenTwoLinesEndsNothing() throws Exception {
    Cli cli = cli().variable("XDG_STATE_HOME", directory.toString()).variable("TERM", "xterm");
    try (var terminal = cli.startOnTerminal("repl");
        Writer keyboard = terminal.process().outputWriter(UTF_8)) {
      await(terminal, "couv> ");
      type(
          keyboard,
          "void raise(String name) { sun.misc.Signal.raise(new sun.misc.Signal(name)); }\r");
      await(terminal, "created method raise(String)");
      type(
          keyboard,
          "void told(sun.misc.Signal last) { IO.println(1 + \" over\"); }\r"
              + "sun.misc.Signal.handle(new sun.misc.Signal(\"URG\"), last -> told(last))\r"
              + "IO.println(1 + \" ready\")\r");
      await(terminal, "1 ready");
      type(
          keyboard,
          "Thread.startVirtualThread(() -> { for (int i = 0; i < 2000; i++) raise(\"INT\");"
              + " raise(\"URG\"); })\r");
      await(terminal, "1 over");
      leave(terminal, keyboard);

      assertEquals(0, terminal.end().status());
    }
  }

  /// Until the text is on the screen. What is typed is, too: it must differ.
  private static void await(Cli.Running terminal, String text) throws Exception {
    StringBuilder seen = new StringBuilder();
    while (!ESCAPES.matcher(seen).replaceAll("").contains(text)) {
      int next = terminal.out().read();
      if (next < 0) {
        throw new AssertionError("it ended without \"" + text + "\": " + seen);
      }
      seen.append((char) next);
    }
  }

  /// By Ctrl-D, and again at each prompt that comes: between two of them it is the system's to read it.
  private static void leave(Cli.Running terminal, Writer keyboard) throws Exception {
    type(keyboard, CTRL_D);
    StringBuilder seen = new StringBuilder();
    for (int next; (next = terminal.out().read()) >= 0; ) {
      seen.append((char) next);
      if (ESCAPES.matcher(seen).replaceAll("").endsWith("couv> ")) {
        seen.setLength(0);
        try {
          type(keyboard, CTRL_D);
        } catch (IOException ended) {
          // By the one before: the end of what it says comes next.
        }
      }
    }
  }

  /// The lines, those that begin so without what follows.
  private static List<String> cut(List<String> lines, String beginning) {
    return lines.stream().map(line -> line.startsWith(beginning) ? beginning : line).toList();
  }

  private static void type(Writer keyboard, String keys) throws Exception {
    keyboard.write(keys);
    keyboard.flush();
  }

  private Cli.Result piped(String text) throws Exception {
    try (var running = cli().start("repl")) {
      try (Writer in = running.process().outputWriter(UTF_8)) {
        in.write(text);
      }
      return running.end();
    }
  }

  private Cli cli() {
    return new Cli().in(directory).option("--enable-native-access=ALL-UNNAMED");
  }
}
