// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shell script `couv`: what it finds, what it builds and what it says.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class LauncherTest {
  @TempDir private Path directory;
  private Checkout checkout;

  @BeforeEach
  void checkOut() throws Exception {
    checkout = new Checkout(directory);
  }

  @Test
  void worksFromAnyDirectoryThroughALink() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("else where"));
    Files.createSymbolicLink(elsewhere.resolve("first"), checkout.couv());
    Files.createSymbolicLink(elsewhere.resolve("link"), Path.of("first"));
    Files.writeString(
        elsewhere.resolve("Engine.java"),
        """
        import module dev.couv;

        void main(String[] args) {
          IO.println(Loop.current().stats().engine() + List.of(args));
          System.exit(5);
        }
        """);

    var result = checkout.run(elsewhere, "./link", "run", "Engine.java", "a b", "");

    assertEquals(List.of(), result.err());
    assertEquals(List.of("loop-scheduled[a b, ]"), result.out());
    assertEquals(5, result.status());
  }

  /// What the user says of the heap is not mixed with what couv would say: the two might contradict each other.
  @Test
  void aHeapBeginsSmallUnlessTheUserSaysSomethingOfIt() throws Exception {
    Files.writeString(
        directory.resolve("Heap.java"),
        """
        void main() {
          IO.println(ProcessHandle.current().info().commandLine().orElseThrow().contains("-Xms"));
        }
        """);
    String script = directory.resolve("Heap.java").toString();

    assertEquals(List.of("true"), couv("run", script).out());
    checkout.environment.put("JAVA_TOOL_OPTIONS", "-Dx=y -XX:+UseSerialGC");
    assertEquals(List.of("false"), couv("run", script).out());
    checkout.environment.put("JAVA_TOOL_OPTIONS", "-Dx=y");
    assertEquals(List.of("true"), couv("run", script).out());
  }

  /// Where the VM would take its serial collector.
  @Test
  void onOneProcessorTheParallelCollectorIsChosenUnlessTheUserChooses() throws Exception {
    Path chosen = directory.resolve("Chosen.java");
    Files.writeString(
        chosen,
        """
        void main() {
          IO.println(ProcessHandle.current().info().commandLine().orElseThrow().contains("Parallel"));
        }
        """);
    String[] onAny = {checkout.couv().toString(), "run", chosen.toString()};
    String[] onOne =
        Stream.concat(Stream.of("taskset", "-c", processor()), Stream.of(onAny))
            .toArray(String[]::new);

    assertEquals(List.of("true"), checkout.run(directory, onOne).out());
    checkout.environment.put("JAVA_TOOL_OPTIONS", "-Xmx200m");
    assertEquals(List.of("false"), checkout.run(directory, onOne).out());
    checkout.environment.remove("JAVA_TOOL_OPTIONS");
    boolean isOne = Runtime.getRuntime().availableProcessors() == 1;
    assertEquals(List.of(String.valueOf(isOne)), checkout.run(directory, onAny).out());
  }

  /// One that this process may run on.
  private static String processor() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> line.replaceAll("[^\\d]+(\\d+).*", "$1"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void optionsOfTheVmComeFromTheFileAndFromTheCommandLine() throws Exception {
    Path script =
        Files.writeString(
            directory.resolve("Options.java"),
            """
            //JAVA -Da=1 -Xmx90m
            //JAVA\t-Db=2
            void main(String[] args) {
              var command = ProcessHandle.current().info().commandLine().orElseThrow();
              IO.println(System.getProperty("a") + System.getProperty("b") + System.getProperty("c")
                  + System.getProperty("d") + command.contains("-Xms") + List.of(args));
            }
            """);

    var result =
        couv(
            "run",
            "--java-option",
            "-Dc=3 4",
            "--java-option=-Dd=5",
            script.toString(),
            "--java-option",
            "-De=6");

    assertEquals(List.of(), result.err());
    assertEquals(List.of("123 45false[--java-option, -De=6]"), result.out());
  }

  @Test
  void saysWhereItLookedForAJdkAndHowToGetOne() throws Exception {
    Path nothing = Files.createDirectory(directory.resolve("nothing"));
    // The places that it looks at are this machine's; here they are empty.
    String script =
        Files.readString(checkout.couv())
            .replaceAll("(?<=[\\s{,])/(usr|opt|Library)/", nothing + "/");
    Files.writeString(checkout.couv(), script);
    checkout.environment.put("JAVA25_HOME", "");
    checkout.environment.put("JAVA_HOME", "");
    checkout.environment.put("HOME", nothing.toString());
    checkout.environment.put("PATH", pathWithoutMaven().toString());

    var result = couv("run", "Any.java");

    assertEquals(
        "couv: no JDK 25 found: looked at JAVA25_HOME, JAVA_HOME, PATH and the usual directories.",
        result.err().getFirst());
    assertTrue(result.err().get(1).startsWith("couv: Install one: "), result.err()::toString);
    assertEquals(3, result.err().size());
    assertEquals(1, result.status());
  }

  @Test
  void buildsAgainWhenTheSourcesHaveChanged() throws Exception {
    Path called = directory.resolve("called");
    checkout.mvn("echo $JAVA_HOME $@ >'" + called + "'");
    checkout.edit();

    var first = couv("--version");
    boolean isBuilt = Files.deleteIfExists(called);
    var second = couv("--version");

    assertEquals(List.of("couv: building (the sources have changed) …"), first.err());
    assertEquals(0, first.status());
    assertTrue(isBuilt);
    assertEquals(List.of(), second.err());
    assertEquals(first.out(), second.out());
    assertFalse(Files.exists(called));
  }

  /// A copy has other times, and is the same all the same.
  @Test
  void aCopyIsNotBuiltAgainUnlessSomethingElseIsInIt() throws Exception {
    assertEquals(List.of(), couv("--version").err());
    Path copy = directory.resolve("copy");
    for (String part : List.of("cli/target", ".")) { // so that the sources are newer than the jars
      run("mkdir", "-p", copy.resolve(part).toString());
      run("cp", "-r", checkout.root().resolve(part) + "/.", copy.resolve(part).toString());
    }
    Path source = copy.resolve("core/src/Some.java");
    run("touch", copy.resolve("core/pom.xml").toString());

    assertEquals(List.of(), run(copy.resolve("couv").toString(), "--version").err());
    assertEquals(List.of(), run(copy.resolve("couv").toString(), "--version").err());

    Files.writeString(source, "other");
    Files.setLastModifiedTime(source, FileTime.fromMillis(0)); // as if it came out of an archive
    assertEquals(
        "couv: building (the sources have changed) …",
        run(copy.resolve("couv").toString(), "--version").err().getFirst());
  }

  @Test
  void jarsThatMavenItselfHasBuiltSinceAreTaken() throws Exception {
    assertEquals(List.of(), couv("--version").err());
    checkout.edit();
    Files.write(checkout.cliJar, new byte[] {0}, StandardOpenOption.APPEND);
    FileTime later = FileTime.from(Instant.now().plusSeconds(1));
    Files.setLastModifiedTime(checkout.coreJar, later);
    Files.setLastModifiedTime(checkout.cliJar, later);

    assertEquals(List.of(), couv("--version").err());
  }

  @Test
  void aJarThatMavenIsWritingIsWaitedFor() throws Exception {
    byte[] whole = Files.readAllBytes(checkout.cliJar);
    Files.write(checkout.cliJar, Arrays.copyOf(whole, whole.length / 2));
    List<String> command = List.of(checkout.couv().toString(), "--version");
    try (var running = Cli.Running.start(command, directory, checkout.environment)) {
      while (Files.size(running.err()) == 0 && running.process().isAlive()) {
        Thread.sleep(10);
      }
      Files.write(checkout.cliJar, whole);
      Files.setLastModifiedTime(checkout.cliJar, FileTime.from(Instant.now()));

      var end = running.end();
      assertEquals(1, end.err().size(), end.err()::toString);
      assertTrue(end.err().getFirst().endsWith("is not whole, Maven may be writing it: waiting …"));
      assertEquals(0, end.status());
    }
  }

  @Test
  void runsWhereThePathHasAColon() throws Exception {
    var colon = new Checkout(directory, "a:b");
    Path file = Files.writeString(directory.resolve("s.java"), "void main() { IO.println(1); }");

    var result = colon.run(directory, colon.couv().toString(), "run", file.toString());

    assertEquals(List.of(), result.err());
    assertEquals(List.of("1"), result.out());
    colon.edit();
    var stale = colon.run(directory, colon.couv().toString(), "run", file.toString());
    assertTrue(stale.err().getLast().contains("Java separates paths by the colon"));
    assertEquals(1, stale.status());
  }

  private Cli.Result run(String... command) throws Exception {
    return checkout.run(directory, command);
  }

  @Test
  void buildsOnFirstUseWithTheJdkItFound() throws Exception {
    Path saved = directory.resolve("saved.jar");
    Path called = directory.resolve("called");
    Files.move(checkout.cliJar, saved);
    checkout.mvn(
        "echo $JAVA_HOME $@ >'" + called + "' && cp '" + saved + "' '" + checkout.cliJar + "'");

    var result = couv("--version");

    assertEquals(List.of("couv: building (first use) …"), result.err());
    assertEquals(0, result.status());
    assertEquals(
        Cli.JAVA_HOME + " -B -DskipTests -Dspotless.check.skip=true -pl cli -am package",
        Files.readString(called).strip());
  }

  @Test
  void showsWhatMavenSaysOfABuildThatFails() throws Exception {
    checkout.mvn("echo noise && echo '[ERROR] New.java:[1,1] no such thing' && exit 1");
    checkout.edit();

    var result = couv("--version");

    assertEquals("couv: building (the sources have changed) …", result.err().getFirst());
    assertEquals("[ERROR] New.java:[1,1] no such thing", result.err().get(1));
    assertTrue(result.err().getLast().startsWith("couv: the build failed; all that Maven said"));
    assertEquals(3, result.err().size(), () -> result.err().toString());
    assertEquals(1, result.status());
  }

  @Test
  void saysHowToGetMaven() throws Exception {
    checkout.edit();
    checkout.environment.put("PATH", pathWithoutMaven().toString());

    var result = couv("--version");

    assertEquals(
        "couv: no Maven found: \"mvn\" is needed once, to build Couv.", result.err().getFirst());
    assertTrue(result.err().getLast().startsWith("couv: Install it: "));
    assertEquals(1, result.status());
  }

  @Test
  void looksElsewhereIfItIsSentToTheWrongPlace() throws Exception {
    checkout.environment.put("JAVA25_HOME", "/nowhere");
    checkout.environment.put("JAVA_HOME", Cli.JAVA_HOME.toString());

    var result = couv("--version");

    assertEquals(
        List.of("couv: JAVA25_HOME is not a JDK 25, looking elsewhere: /nowhere"), result.err());
    assertEquals(0, result.status());
  }

  private Cli.Result couv(String... arguments) throws Exception {
    return checkout.run(
        directory,
        Stream.concat(Stream.of(checkout.couv().toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  /// What the script needs to come that far, and no more.
  private Path pathWithoutMaven() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    for (String program : List.of("bash", "dirname", "readlink", "find", "sort", "cksum", "mv")) {
      String place = checkout.run(directory, "sh", "-c", "command -v " + program).out().getFirst();
      Path wrapper = bin.resolve(program);
      Files.writeString(wrapper, "#!/bin/sh\nexec " + place + " \"$@\"\n");
      Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return bin;
  }
}
