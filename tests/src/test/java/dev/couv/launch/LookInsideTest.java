// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `couv ps`, `dump`, `top` and `inspect`, at programs in processes of their own.
@Tag("jvm")
class LookInsideTest {
  private static final String PROGRAM =
      """
      import module dev.couv;

      void main() throws Exception {
        try (var crew = Scope.open().named("crew")) {
          var ada = crew.spawn(() -> Time.sleep(Duration.ofHours(1))).named("ada");
          crew.spawn(() -> ada.await()).named("bob");
          IO.println("open");
        }
      }
      """;

  @TempDir private Path directory;

  private Cli.Running start(Cli cli, String program) throws Exception {
    Files.writeString(directory.resolve("shop.java"), program);
    Cli.Running running = cli.in(directory).start("run", "shop.java");
    running.line("open");
    return running;
  }

  /// A JVM without Couv.
  private Cli.Running stranger() throws Exception {
    Files.writeString(
        directory.resolve("Stranger.java"),
        "void main() throws Exception { IO.println(\"open\"); System.in.read(); }");
    String java = Cli.JAVA_HOME.resolve("bin/java").toString();
    Cli.Running running =
        Cli.Running.start(List.of(java, "-Xmx64m", "Stranger.java"), directory, Map.of());
    running.line("open");
    return running;
  }

  private static String pid(Cli.Running running) {
    return Long.toString(running.process().pid());
  }

  private static List<String> threads(Cli.Running running) {
    List<String> names = new ArrayList<>();
    try (Stream<Path> tasks = Files.list(Path.of("/proc", pid(running), "task"))) {
      for (Path task : tasks.toList()) {
        try {
          names.add(Files.readString(task.resolve("comm")).strip());
        } catch (IOException ended) {
          // Between the list and the look.
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static String err(Cli.Running running) throws IOException {
    return Files.readString(running.err());
  }

  // ---- ps

  @Test
  void thoseWhoWouldComplainAreListedAndLeftAlone() throws Exception {
    try (var shop = start(new Cli(), PROGRAM);
        var quiet = start(new Cli().warning(), PROGRAM);
        var stranger = stranger()) {
      Cli.Result listed = new Cli().run("ps");

      assertEquals(0, listed.status(), listed.err()::toString);
      String title = ".* couv run shop.java";
      assertThat(listed.out())
          .anyMatch(line -> line.matches(" *" + pid(shop) + " +1 +3 +[a-z-]+ +\\d.*" + title))
          .anyMatch(line -> line.matches(" *" + pid(quiet) + " +- +- +- +\\d.*" + title))
          .noneMatch(line -> line.contains(" " + pid(stranger) + " "));
      assertThat(threads(shop)).contains("Attach Listener");
      assertThat(threads(quiet)).doesNotContain("Attach Listener");
      assertThat(threads(stranger)).doesNotContain("Attach Listener");
      assertEquals("", err(shop) + err(stranger));
      assertThat(err(quiet)).doesNotContain("agent");
    }
  }

  // ---- dump

  @Test
  void aDumpHasScopesAndAwaits() throws Exception {
    try (var shop = start(new Cli().warning(), PROGRAM)) {
      Cli.Result dump = new Cli().run("dump", pid(shop));

      assertEquals(0, dump.status(), dump.err()::toString);
      assertThat(dump.err()).singleElement().asString().contains("four lines of warning");
      assertThat(dump.out().getFirst())
          .matches(
              "loop 1 on thread main: 3 coroutines, 0 ready, 0 handles, 0 requests, .* engine");
      assertThat(dump.out().get(2)).isEqualTo("    scope crew, 2 active");
      assertThat(dump.out().get(3))
          .matches(
              " {6}ada SUSPENDED, awaiting Time.sleep until .* for \\d+ ms, spawned at"
                  + " shop.main\\(shop.java:5\\)");
      assertThat(dump.out().get(4)).startsWith("      bob SUSPENDED, awaiting the end of ada for ");
      assertThat(err(shop)).contains("A Java agent has been loaded dynamically");

      Cli.Result json = new Cli().run("dump", pid(shop), "--json");
      assertThat(json.out()).singleElement().asString().startsWith("{\"at\":").contains("\"ada\"");
      assertThat(err(shop).split("loaded dynamically", -1)).as("written each time").hasSize(3);
      Patience.until(() -> threads(shop).stream().noneMatch(name -> name.startsWith("couv-")));
    }
  }

  /// It is loaded out of memory, and no file.
  @Test
  void aProgramThatBroughtItsLibuvAlongIsFound() throws Exception {
    try (var shop = start(new Cli().withHttp().option("-Dcouv.libuv=bundled"), PROGRAM)) {
      Cli.Result dump = new Cli().run("dump", pid(shop));

      assertEquals(0, dump.status(), dump.err()::toString);
      assertThat(dump.out().get(2)).isEqualTo("    scope crew, 2 active");
    }
  }

  @Test
  void aBusyLoopIsShownWithItsStack() throws Exception {
    String busy =
        """
        void main() {
          IO.println("open");
          spin();
        }

        void spin() {
          while (true) Thread.onSpinWait();
        }
        """;
    try (var shop = start(new Cli(), busy)) {
      Cli.Result dump = new Cli().run("dump", pid(shop));

      assertEquals(0, dump.status());
      assertThat(String.join("\n", dump.out()))
          .contains("busy, 1 coroutines; it has not answered for a second")
          .contains("at shop.spin(shop.java:7)");
    }
  }

  @Test
  void aProgramWhoseLoopHasEndedIsTold() throws Exception {
    String over =
        """
        import module dev.couv;

        void main() {
          Thread.ofPlatform().daemon(false).start(() -> {
            try {
              while (!loops()) Thread.sleep(10);
              IO.println("open");
              Thread.sleep(600_000);
            } catch (InterruptedException e) {
            }
          });
        }

        boolean loops() {
          return Thread.getAllStackTraces().keySet().stream().noneMatch(t -> t.getName().equals("main"));
        }
        """;
    try (var shop = start(new Cli(), over)) {
      Cli.Result dump = new Cli().run("dump", pid(shop));

      assertEquals(List.of("no loop is open"), dump.out());
      assertEquals(0, dump.status());
    }
  }

  // ---- who cannot be looked into

  private static void assertRefused(Cli.Result refused, String message) {
    assertEquals(List.of(message), refused.err());
    assertEquals(List.of(), refused.out());
    assertEquals(1, refused.status());
  }

  @Test
  void aProcessThatIsNoneOfOurs() throws Exception {
    try (var stranger = stranger()) {
      String pid = pid(stranger);
      assertRefused(
          new Cli().run("dump", pid),
          "couv: process " + pid + " is a Java program, but has had no loop of Couv");
      assertThat(threads(stranger)).doesNotContain("Attach Listener");
      assertEquals("", err(stranger));
    }
    try (var sleeper = Cli.Running.start(List.of("sleep", "600"), directory, Map.of())) {
      String pid = pid(sleeper);
      assertRefused(new Cli().run("top", pid), "couv: process " + pid + " is not a Java program");
      sleeper.process().destroyForcibly().onExit().join();
      assertRefused(new Cli().run("inspect", pid), "couv: there is no process " + pid);
    }
  }

  @Test
  void aNumberThatIsNone() throws Exception {
    Cli.Result refused = new Cli().run("dump", "shop");

    assertEquals(2, refused.status());
    assertThat(refused.err().getFirst()).startsWith("couv: ").contains("shop");
  }

  @Test
  void aProcessOfAnotherUser() throws Exception {
    boolean root = ProcessHandle.current().info().user().orElse("").equals("root");
    Cli.Result refused =
        root
            ? new Cli().asNobody().run("dump", Long.toString(ProcessHandle.current().pid()))
            : new Cli().run("dump", "1");
    String pid = root ? Long.toString(ProcessHandle.current().pid()) : "1";

    assertRefused(refused, "couv: process " + pid + " belongs to root: ask as that user");
  }

  @Test
  void aJvmThatLetsNobodyIn() throws Exception {
    try (var shop = start(new Cli().option("-XX:+DisableAttachMechanism"), PROGRAM)) {
      Cli.Result refused =
          new Cli().option("-Dsun.tools.attach.attachTimeout=500").run("dump", pid(shop));

      assertEquals(1, refused.status());
      assertThat(refused.err()).singleElement().asString().contains("does not let anybody in");
      assertThat(shop.process().isAlive()).isTrue();
    }
    try (var shop = start(new Cli().warning().option("-XX:-EnableDynamicAgentLoading"), PROGRAM)) {
      Cli.Result refused = new Cli().run("dump", pid(shop));

      assertEquals(1, refused.status());
      assertThat(refused.err().getLast()).contains("loads no agent");
    }
  }

  // ---- top

  @Test
  void topIsWrittenOnceWhereThereIsNoTerminal() throws Exception {
    try (var shop = start(new Cli(), PROGRAM)) {
      Cli.Result top = new Cli().run("top", pid(shop));

      assertEquals(0, top.status(), top.err()::toString);
      assertThat(top.out().getFirst()).startsWith("process " + pid(shop) + ", up ");
      assertThat(top.out())
          .anyMatch(line -> line.matches("COROUTINE .* TURN +P99 +MAX +LAG LOOP"))
          .anyMatch(line -> line.matches(" +3 +0 .*%( +\\d+(\\.\\d)? [µm]?s){4} 1 main"))
          .anyMatch(line -> line.matches(" +1 +\\S+ \\S+  Time.sleep"))
          .noneMatch(line -> line.contains("\033"));
    }
  }

  @Test
  void topIsDrawnAgainAndAgainUntilAKeyEndsIt() throws Exception {
    try (var shop = start(new Cli(), PROGRAM);
        var top = new Cli().startOnTerminal("top", "--every", "0.1", pid(shop))) {
      for (int frame = 0; frame < 3; frame++) {
        top.line("\033[H");
        top.line("COROUTINE");
      }
      top.process().getOutputStream().write('q');
      top.process().getOutputStream().flush();
      Cli.Result ended = top.end();

      assertEquals(0, ended.status());
      assertThat(ended.out().getLast()).endsWith("\033[?25h\033[?1049l");
    }
  }

  // ---- inspect

  @Test
  void twoInspectorsAtOnceAndNothingIsLeftOfThem() throws Exception {
    try (var shop = start(new Cli(), PROGRAM)) {
      int before = threads(shop).size();
      try (var first = new Cli().start("inspect", pid(shop));
          var second = new Cli().start("inspect", pid(shop), "--port", "0")) {
        URI one = URI.create(first.line());
        URI two = URI.create(second.line());
        assertThat(read(one.resolve("look"))).contains("\"ada\"");
        assertThat(read(two.resolve("look"))).contains("\"ada\"");
        assertThat(threads(shop)).contains("couv-inspect", "couv-inspect-sa");
        first.signal("TERM");
        assertEquals(143, first.end().status());
        assertThat(read(two.resolve("look"))).contains("\"ada\"");
      }
      Patience.until(() -> threads(shop).stream().noneMatch(name -> name.startsWith("couv-")));
      assertThat(threads(shop).size())
          .isLessThanOrEqualTo(before + 2); // the VM's own for attaching
      assertEquals("", err(shop));
    }
  }

  @Test
  void theEndOfTheProgramEndsTheInspector() throws Exception {
    try (var shop = start(new Cli(), PROGRAM);
        var inspector = new Cli().start("inspect", pid(shop))) {
      inspector.line("http://127.0.0.1:");
      shop.signal("KILL");
      Cli.Result ended = inspector.end();

      assertEquals(List.of("couv: process " + pid(shop) + " has ended"), ended.err());
      assertEquals(0, ended.status());
    }
  }

  private static String read(URI address) throws IOException {
    try (var in = address.toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
