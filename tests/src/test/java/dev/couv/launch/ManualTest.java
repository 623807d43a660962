// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.signal.Signal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every page of the manual begins with a program that runs, and does what one expects of it.
///
/// All are compiled at once, and run in this VM but for those that need a terminal or a directory of their
/// own. The tutorial and the guides are run by `ManualProgramsTest`, what is no program is compiled by `ManualFragmentsTest`.
@Tag("loop-scheduled-engine")
final class ManualTest {
  /// By page, a pattern for all that its program prints.
  private static final Map<String, String> PRINTED =
      Map.ofEntries(
          Map.entry("awaiting", "first: bread\nboth: \\[soup, bread]\n"),
          Map.entry("channels", "0\n1\n2\n3\n4\n"),
          Map.entry("cluster", "paint, 3 times\n49\n"),
          Map.entry("closing", "done: sweep\ndone: mop\ntrue\n"),
          Map.entry("coroutines", "fast before slow\n"),
          Map.entry("datagrams", "5 bytes from /127.0.0.1:\\d+\n"),
          Map.entry("events", "heard: ding\n"),
          Map.entry("failures", "closed meanwhile\n"),
          Map.entry("files", "one\ntwo\nthree\n14 bytes\n"),
          Map.entry("http", "user 7\n404\n"),
          Map.entry("http-client", "200: user 7\n"),
          Map.entry("inside", "(?s).*ada.*bob.*"),
          Map.entry("libraries", "\\[/0, /1, /2]\n"),
          Map.entry("local", "hello from the copy\n"),
          Map.entry(
              "machine",
              "(?s).+, Linux, up \\d+ hours\n\\d+ processors, load .+\n"
                  + "\\d+ of \\d+ MiB free\n.*/\\d+\n"),
          Map.entry("bridges", "1\n4\n9\n16\n"),
          Map.entry("names", "(?s).*:80\n.*https\n"),
          Map.entry("framing", "Message\\[id=1, text=HELLO]\n"),
          Map.entry("net", "hello\n"),
          Map.entry("processes", "(?s).*\nHELLO\nCode\\[value=0]\n"),
          Map.entry("resilience", "(failed: .*\n)+the answer is 42\n"),
          Map.entry("running", "3\n2\n1\nliftoff\n"),
          Map.entry("scopes", "scope ended with no such shop\n"),
          Map.entry("signals", "reading the configuration again\nending\n"),
          Map.entry("sync", "promise kept: 7\n"),
          Map.entry("threads", "\\[0, 1, 4, 9, 16, 25, 36, 49]\n42\n"),
          Map.entry("time", "not done within PT0.05S\n(\\d+ ticks missed\n){3}"),
          Map.entry("websocket", "you said hello\n"));

  /// Pages whose programs other tests run.
  private static final Set<String> ELSEWHERE =
      Set.of("terminals", "watching", "tls", "testing", "simulation", "metrics");

  /// How a program begins on a page.
  private static final String PROGRAM = "```java\n";

  private static final Path PAGES = Cli.BASE.resolve("docs/manual");

  private static URLClassLoader programs;

  static Stream<String> pages() {
    return PRINTED.keySet().stream().sorted();
  }

  @BeforeAll
  static void compile(@TempDir Path directory) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", directory.toString()));
    arguments.addAll(List.of("--module-path", Cli.CLI_JAR.resolveSibling("lib").toString()));
    arguments.addAll(
        List.of("--add-modules", Cli.MODULES + ",dev.couv.http,dev.couv.bridge,dev.couv.cluster"));
    for (String page : PRINTED.keySet()) {
      arguments.add(write(page, directory).toString());
    }
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, complaints, complaints, arguments.toArray(String[]::new));
    assertEquals(0, status, () -> complaints.toString(UTF_8));
    programs =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, Loop.class.getClassLoader());
  }

  @AfterAll
  static void close() throws IOException {
    programs.close();
  }

  /// The first program of the page, as a file of its name.
  private static Path write(String page, Path directory) throws IOException {
    String text = Files.readString(PAGES.resolve(page + ".md"));
    String program = text.split(PROGRAM, 2)[1].split("```", 2)[0];
    return Files.writeString(directory.resolve(type(page) + ".java"), program);
  }

  /// The name of its class.
  private static String type(String page) {
    return page.replace('-', '_');
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theFirstProgramOfAPageRuns(String page) throws Exception {
    Class<?> program = programs.loadClass(type(page));
    var constructor = program.getDeclaredConstructor();
    constructor.setAccessible(true);
    Method main = program.getDeclaredMethod("main");
    main.setAccessible(true);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      Loop.run(
          () -> {
            if (page.equals("signals")) {
              Coroutine.spawn(() -> signal(printed));
            }
            try {
              main.invoke(constructor.newInstance());
            } catch (InvocationTargetException e) {
              throw e.getCause() instanceof Exception cause ? cause : e;
            }
          });
    } finally {
      System.setOut(before);
    }

    String all = printed.toString(UTF_8);
    assertTrue(all.matches(PRINTED.get(page)), all);
  }

  /// What the program waits for: when it does, and not before, because then it would be this VM's end.
  private static void signal(ByteArrayOutputStream printed) throws Exception {
    while (Loop.current().stats().handles() < 2) {
      Coroutine.pause();
    }
    Signal.send(ProcessHandle.current().pid(), Signal.HUP);
    while (printed.size() == 0) {
      Coroutine.pause();
    }
    Signal.send(ProcessHandle.current().pid(), Signal.TERM);
  }

  @Test
  @Tag("jvm")
  void theProgramOnTerminalsRuns(@TempDir Path directory) throws Exception {
    Path file = write("terminals", directory);
    try (var running = new Cli().startOnTerminal("run", file.toString());
        Writer keyboard = running.process().outputWriter(UTF_8)) {
      keyboard.write('x');
      keyboard.flush();
      String line = running.line(); // the terminal may have shown the key
      assertTrue(line.endsWith("a key of 1 bytes"), line);
      keyboard.write('q');
      keyboard.flush();
      assertEquals(0, running.end().status());
    }
  }

  @Test
  @Tag("jvm")
  void theProgramOnWatchingRuns(@TempDir Path directory, @TempDir Path watched) throws Exception {
    Path file = write("watching", directory);
    try (var running = new Cli().in(watched).start("run", file.toString())) {
      // Again and again: nobody knows when it begins to watch.
      while (!running.out().ready() && running.process().isAlive()) {
        Files.writeString(watched.resolve("file"), "text");
        Files.delete(watched.resolve("file"));
        Thread.sleep(20);
      }
      assertTrue(running.line().endsWith(" ./file"));
    }
  }

  /// Of those that have one: some pages are prose, or for the shell.
  @Test
  void everyPageIsHereOrElsewhere() throws IOException {
    Set<String> unknown = new TreeSet<>();
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        if (Files.readString(file).contains(PROGRAM)) {
          unknown.add(file.getFileName().toString().replace(".md", ""));
        }
      }
    }
    unknown.removeAll(PRINTED.keySet());
    unknown.removeAll(ELSEWHERE);

    assertEquals(Set.of(), unknown, "pages whose first program nobody runs");
  }
}
