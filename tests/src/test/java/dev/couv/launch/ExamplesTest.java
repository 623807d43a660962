// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs in `examples`, as a visitor runs them.
@Tag("jvm")
class ExamplesTest {
  @Test
  void tourTellsWhatItDoesAndEnds() throws Exception {
    try (var tour = new Cli().start("run", "examples/tour.java")) {
      assertEquals("1. Timers", tour.line());

      var end = tour.end();

      assertEquals(List.of(), end.err());
      assertEquals(0, end.status());
      assertTrue(end.out().contains("   echoed: hello"), () -> end.out().toString());
    }
  }

  @Test
  void histogramCountsEveryByteOnce() throws Exception {
    var end = new Cli().run("run", "examples/histogram.java", "2");

    assertEquals(List.of(), end.err());
    assertEquals(0, end.status());
    assertEquals("2097152 bytes", end.out().getLast());
    assertEquals(9, end.out().size());
  }

  @Test
  void pipelinePassesEverythingThroughItsStages() throws Exception {
    var end = new Cli().run("run", "examples/pipeline.java", "200");

    assertEquals(List.of(), end.err());
    assertEquals(0, end.status());
    assertEquals("200 numbers, 10 primes", end.out().getLast());
  }

  @Test
  void mandelbrotWritesAPicture(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("m.png");

    var end = new Cli().run("run", "examples/mandelbrot.java", file.toString(), "120");

    assertEquals(List.of(), end.err());
    assertEquals(0, end.status());
    assertEquals(file + ": 120 × 80", end.out().getLast());
    byte[] head = Arrays.copyOf(Files.readAllBytes(file), 4);
    assertArrayEquals(new byte[] {(byte) 0x89, 'P', 'N', 'G'}, head);
  }

  @Test
  void coresServesAClientAndEndsOnInterrupt() throws Exception {
    try (var cores = new Cli().start("run", "examples/cores.java")) {
      int port = cores.port();

      try (var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
        client.getOutputStream().write("hello".getBytes(UTF_8));
        client.shutdownOutput();
        assertEquals("hello", new String(client.getInputStream().readAllBytes(), UTF_8));
      }
      assertTrue(cores.line().startsWith("echoed 5 bytes on pool "));

      cores.signal("INT");
      var end = cores.end();
      assertEquals(List.of("closed"), end.out());
      assertEquals(List.of(), end.err());
      assertEquals(0, end.status());
    }
  }

  @Test
  void echoServesAClientAndCleansUpOnInterrupt() throws Exception {
    try (var echo = new Cli().start("run", "examples/echo.java")) {
      int port = echo.port();

      try (var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
        client.getOutputStream().write("hello".getBytes(UTF_8));
        client.shutdownOutput();
        assertEquals("hello", new String(client.getInputStream().readAllBytes(), UTF_8));
      }
      assertEquals("echoed 5 bytes", echo.line());

      echo.signal("INT");
      var end = echo.end();
      assertEquals(List.of("closed"), end.out());
      assertEquals(List.of(), end.err());
      assertEquals(130, end.status());
    }
  }

  @Test
  void echoOutlivesAConnectionThatFails() throws Exception {
    try (var echo = new Cli().start("run", "examples/echo.java")) {
      int port = echo.port();

      try (var rude = new Socket(InetAddress.getLoopbackAddress(), port)) {
        rude.setSoLinger(true, 0); // closing resets the connection
        rude.getOutputStream().write('x');
        assertEquals('x', rude.getInputStream().read());
      }
      try (var polite = new Socket(InetAddress.getLoopbackAddress(), port)) {
        polite.shutdownOutput();
        assertEquals(-1, polite.getInputStream().read());
      }

      assertEquals("echoed 0 bytes", echo.line());
      echo.signal("INT");
      var lost = echo.end().err();
      assertTrue(lost.getLast().contains("127.0.0.1:" + port + ", has failed: "), lost::toString);
    }
  }

  @Test
  void fanoutKeepsItsLimit() throws Exception {
    var end = new Cli().run("run", "examples/fanout.java");

    assertEquals(List.of(), end.err());
    assertEquals(0, end.status());
    assertTrue(
        end.out().contains("the server never had more than 3 at a time"),
        () -> end.out().toString());
    assertEquals("one failed, the others were cancelled: no secret for you", end.out().getLast());
  }

  @Test
  void workersAreStartedAgainAndGivenUp() throws Exception {
    var end = new Cli().run("run", "examples/workers.java");

    assertEquals(List.of(), end.err());
    assertEquals(0, end.status());
    List<String> out = end.out();
    assertEquals(4, out.stream().filter("kitchen opens"::equals).count(), out::toString);
    assertEquals(4, out.stream().filter("kitchen is clean"::equals).count(), out::toString);
    assertEquals(8, out.stream().filter(line -> line.startsWith("ada starts again")).count());
    assertEquals("closed: kitchen fails too often (ada fails too often)", out.getLast());
  }

  @Test
  void mirrorsTakesTheFirstAnswer() throws Exception {
    try (var mirrors = new Cli().start("run", "examples/mirrors.java")) {
      var end = mirrors.end();

      assertEquals(List.of(), end.err());
      assertEquals(
          List.of(
              "the first answer: from quick",
              "a race: from quick",
              "one after the other: from quick"),
          end.out());
      assertEquals(0, end.status());
    }
  }

  @Test
  void jobsRunsCommandsAndEndsThoseThatAreTooSlow() throws Exception {
    List<String> out = jobs("60", "echo hello", "exit 3");
    assertTrue(out.contains("[echo hello] hello"), out::toString);
    assertTrue(out.stream().anyMatch(line -> line.startsWith("[echo hello] ok after")));
    assertTrue(out.stream().anyMatch(line -> line.startsWith("[exit 3] failed with 3 after")));
    assertEquals("2 jobs, 1 failed", out.getLast());

    assertEquals("1 jobs, 0 failed", jobs("60", "true").getLast());

    out = jobs("1", "trap '' TERM; sleep 100 & wait; wait");
    assertTrue(out.getFirst().contains("too slow, KILL after "), out::toString);
    assertEquals("1 jobs, 1 failed", out.getLast());
  }

  private static List<String> jobs(String seconds, String... commands) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("run", "examples/jobs.java", "-t", seconds));
    arguments.addAll(List.of(commands));
    var end = new Cli().run(arguments.toArray(String[]::new));
    assertEquals(List.of(), end.err());
    assertEquals(end.out().getLast().endsWith(" 0 failed") ? 0 : 1, end.status());
    return end.out();
  }

  @Test
  void chatTellsEverybodyWhatEverybodySays() throws Exception {
    try (var chat = new Cli().start("run", "examples/chat.java")) {
      int port = chat.port();
      try (var ada = new Socket(InetAddress.getLoopbackAddress(), port);
          var bob = new Socket(InetAddress.getLoopbackAddress(), port)) {
        ada.setSoTimeout(120_000);
        bob.setSoTimeout(120_000);
        var toAda = new BufferedReader(new InputStreamReader(ada.getInputStream(), UTF_8));
        var toBob = new BufferedReader(new InputStreamReader(bob.getInputStream(), UTF_8));
        ada.getOutputStream().write("ada\n".getBytes(UTF_8));
        assertEquals("Your name?", toAda.readLine());
        assertEquals("With you: ", toAda.readLine());
        assertEquals("ada comes", toAda.readLine());
        bob.getOutputStream().write("bob\r\nhello\r\n".getBytes(UTF_8));
        assertEquals("Your name?", toBob.readLine());
        assertEquals("With you: ada", toBob.readLine());
        assertEquals("bob comes", toAda.readLine());
        assertEquals("bob: hello", toAda.readLine());
        assertEquals("bob comes", toBob.readLine());
        assertEquals("bob: hello", toBob.readLine());
        bob.shutdownOutput();
        assertEquals("bob leaves", toAda.readLine());
      }
    }
  }

  @Test
  void forwardPassesBothDirectionsAndTheirEnds() throws Exception {
    try (var target = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var forward =
            new Cli()
                .start(
                    "run",
                    "examples/forward.java",
                    "localhost",
                    String.valueOf(target.getLocalPort()))) {
      String line = forward.line();
      Matcher port = Pattern.compile("listening at 127\\.0\\.0\\.1:(\\d+), .*").matcher(line);
      assertTrue(port.matches(), line);
      try (var client =
              new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));
          var server = target.accept()) {
        client.setSoTimeout(120_000);
        server.setSoTimeout(120_000);
        client.getOutputStream().write("question".getBytes(UTF_8));
        client.shutdownOutput();
        assertEquals("question", new String(server.getInputStream().readAllBytes(), UTF_8));
        server.getOutputStream().write("answer".getBytes(UTF_8));
        server.shutdownOutput();
        assertEquals("answer", new String(client.getInputStream().readAllBytes(), UTF_8));
      }
      assertEquals("there 8 bytes, back 6 bytes", forward.line());
    }
  }

  @Test
  void limiterLetsABurstThroughAndThenOneAtATime() throws Exception {
    var end = new Cli().run("run", "examples/limiter.java");

    assertEquals(List.of(), end.err());
    assertEquals(0, end.status());
    List<String> out = end.out();
    assertEquals(8, out.size(), out::toString);
    for (int i = 1; i <= 8; i++) {
      assertTrue(out.get(i - 1).startsWith("call " + i + " goes out after "), out::toString);
    }
    assertFalse(out.get(3).contains(" 0 hundred"), out::toString);
  }

  @Test
  void philosophersStarveWithoutMannersAndTheReportTellsWhy() throws Exception {
    var end = new Cli().run("run", "examples/philosophers.java");

    assertEquals(1, end.status());
    assertEquals(1, end.out().stream().filter("  they have all eaten"::equals).count());
    String report = String.join("\n", end.err());
    assertTrue(report.contains("Deadlock"), report);
    assertTrue(
        report.contains("Zeno SUSPENDED, awaiting the mutex of the fork left of Hypatia"), report);
    assertTrue(report.contains("locked by Hypatia"), report);
  }

  @Test
  void keysShowsWhatIsTyped() throws Exception {
    try (var keys = new Cli().startOnTerminal("run", "examples/keys.java");
        var keyboard = keys.process().outputWriter(UTF_8)) {
      assertEquals("press keys, q ends; TerminalSize[columns=60, rows=20]", keys.line());
      keyboard.write("\u001b[A");
      keyboard.flush();
      assertEquals("up         1b 5b 41", keys.line());
      keyboard.write("q");
      keyboard.flush();
      assertEquals("q          71", keys.line());
      assertEquals(0, keys.end().status());
    }
  }

  @Test
  void topDrawsTheMachineOnATerminalAndElsewhere() throws Exception {
    var end = new Cli().run("run", "examples/top.java", "--once");

    assertEquals(List.of(), end.err());
    assertEquals(0, end.status());
    assertTrue(end.out().get(1).startsWith("load "), () -> end.out().toString());
    assertTrue(end.out().stream().anyMatch(line -> line.startsWith("cpu 0 ")));

    try (var top = new Cli().startOnTerminal("run", "examples/top.java", "--count", "100");
        var keyboard = top.process().outputWriter(UTF_8)) {
      assertTrue(top.line().startsWith("\u001b[H\u001b[J"));
      keyboard.write("q");
      keyboard.flush();
      var rest = top.end();
      assertEquals(0, rest.status(), () -> rest.out().toString());
      assertTrue(rest.out().stream().allMatch(line -> line.length() <= 66), rest.out()::toString);
    }
  }
}
