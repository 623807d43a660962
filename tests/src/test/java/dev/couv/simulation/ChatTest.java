// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteStream;
import dev.couv.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// The chat server among the examples, in simulated worlds with faults: all guests hear the same, in one order, and nobody misses
/// anything while he is there. `tools/simulate` tries ten thousand.
@SuppressWarnings("try") // closing a scope throws whatever failed in it
@Tag("storm")
final class ChatTest {
  private static final int PORT = 7000;
  private static final int INSIDE = 7001;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final PrintStream OUT = System.out;
  private static URLClassLoader classes;
  private static Constructor<?> chat;
  private static Method main;

  @BeforeAll
  static void compile(@TempDir Path directory) throws Exception {
    String modules =
        Stream.concat(
                Stream.of(System.getProperty("couv.test.core-jar")),
                Stream.of(System.getProperty("java.class.path").split(":"))
                    .filter(path -> path.contains("jspecify")))
            .collect(Collectors.joining(":"));
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                complaints,
                complaints,
                "-nowarn",
                "-d",
                directory.toString(),
                "--module-path",
                modules,
                "--add-modules",
                "dev.couv",
                System.getProperty("couv.basedir") + "/examples/chat.java");
    assertEquals(0, status, () -> complaints.toString(UTF_8));
    classes =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, Loop.class.getClassLoader());
    Class<?> type = classes.loadClass("chat");
    chat = type.getDeclaredConstructor();
    chat.setAccessible(true);
    main = type.getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    System.setOut(new Quiet());
  }

  @AfterAll
  static void close() throws IOException {
    System.setOut(OUT);
    classes.close();
  }

  /// What the example prints is not wanted ten thousand times. No lock is taken: several simulations run at once.
  private static final class Quiet extends PrintStream {
    Quiet() {
      super(OutputStream.nullOutputStream(), false, UTF_8);
    }

    @Override
    public void println(String line) {
      if (!Thread.currentThread().isVirtual()) {
        OUT.println(line);
      }
    }

    @Override
    public void println(Object line) {
      println(String.valueOf(line));
    }

    @Override
    public PrintStream printf(String format, Object... values) {
      return OUT.printf(format, values);
    }
  }

  private static void example() throws Exception {
    try {
      main.invoke(chat.newInstance(), (Object) new String[] {Integer.toString(INSIDE)});
    } catch (InvocationTargetException thrown) {
      switch (thrown.getCause()) {
        case Exception exception -> throw exception;
        case Error error -> throw error;
        default -> throw thrown;
      }
    }
  }

  /// The example listens at the loopback address alone; who comes from elsewhere is led there.
  private static void serve() throws Exception {
    Coroutine.spawn(ChatTest::example);
    try (TcpListener door = Tcp.listen(new InetSocketAddress(PORT))) {
      door.serve(
          guest -> {
            try (TcpStream inside = Tcp.connect(new InetSocketAddress("127.0.0.1", INSIDE));
                Scope both = Scope.open()) {
              both.spawn(pipe(guest, inside));
              both.spawn(pipe(inside, guest));
              both.join();
            }
          });
    }
  }

  private static Action pipe(TcpStream from, TcpStream to) {
    return () -> {
      ByteStream.copy(from, to);
      to.shutdown();
    };
  }

  /// One guest's stay under a name of its own: what was heard.
  private static final class Visit {
    private final String name;
    private final List<String> heard = new ArrayList<>();

    Visit(String name) {
      this.name = name;
    }

    void stay(RandomGenerator random) throws Exception {
      try (TcpStream stream = Time.timeout(PATIENCE, () -> Tcp.connect("chat", PORT));
          Scope scope = Scope.open()) {
        var lines = stream.lines().limit(1000);
        if (lines.next() == null) {
          return; // it has gone
        }
        stream.write(name + "\n");
        String others = lines.next();
        assertTrue(others == null || others.startsWith("With you: "), others);
        scope.spawn(() -> speak(stream, random));
        for (String line; (line = lines.next()) != null; ) {
          heard.add(line);
        }
      }
    }

    private static void speak(TcpStream stream, RandomGenerator random) {
      try {
        for (int i = 0; i < 3; i++) {
          stream.write(i + "\n");
          Time.sleep(Duration.ofMillis(random.nextInt(1000)));
        }
      } catch (IOException lost) {
        stream.close(); // who reads it notices
      }
    }

    /// It has heard its own coming first, and its own words in their order.
    boolean isInOrder() {
      List<String> own = heard.stream().filter(line -> line.startsWith(name + ":")).toList();
      for (int i = 0; i < own.size(); i++) {
        if (!own.get(i).equals(name + ": " + i)) {
          return false;
        }
      }
      return heard.isEmpty() || heard.getFirst().equals(name + " comes");
    }

    /// Both have heard pieces of the same, without a gap.
    boolean agrees(Visit other) {
      return Collections.disjoint(heard, other.heard)
          || follows(heard, other.heard)
          || follows(other.heard, heard);
    }

    private static boolean follows(List<String> first, List<String> second) {
      int start = first.indexOf(second.getFirst());
      if (start < 0) {
        return false;
      }
      int common = Math.min(first.size() - start, second.size());
      return first.subList(start, start + common).equals(second.subList(0, common));
    }
  }

  private static void visitAgainAndAgain(Simulation sim, String name, List<Visit> visits)
      throws Exception {
    for (int i = 0; ; i++) {
      Visit visit = new Visit(name + visits.size() + "." + i);
      visits.add(visit);
      Duration stay = Duration.ofMillis(sim.random().nextInt(100, 3000));
      try {
        Time.timeout(stay, () -> visit.stay(sim.random()));
      } catch (IOException | TimeoutException left) {
        Coroutine.pause();
      }
      Time.sleep(Duration.ofMillis(sim.random().nextInt(400)));
    }
  }

  @SimTest(seeds = 40)
  void allGuestsHearTheSame(Simulation sim) {
    List<Visit> visits = new ArrayList<>();
    sim.host("chat", ChatTest::serve);
    for (String guest : List.of("ann", "bob", "cat")) {
      sim.host(guest, () -> visitAgainAndAgain(sim, guest, visits));
    }
    sim.weather(sim.sometimes("storm") ? Weather.STORM : Weather.CALM);
    sim.chaos(
        Chaos.of("chat", "ann", "bob")
            .withUntil(Duration.ofSeconds(3))
            .withPace(Duration.ofMillis(600), Duration.ofMillis(500)));
    sim.client("clock", () -> Time.sleep(Duration.ofSeconds(5)));
    sim.eventually("somebody was heard", () -> visits.stream().anyMatch(v -> v.heard.size() > 1));
    sim.eventually("all are in order", () -> visits.stream().allMatch(Visit::isInOrder));
    sim.eventually(
        "all have heard the same",
        () ->
            visits.stream().allMatch(one -> visits.stream().allMatch(other -> one.agrees(other))));
  }
}
