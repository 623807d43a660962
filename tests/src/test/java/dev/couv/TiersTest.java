// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which tests run when: every one is in a tier, the everyday build starts no JVM, and `.ci/run` leaves nothing out.
@Tag("loop-scheduled-engine")
final class TiersTest {
  private static final Set<String> TAGS =
      Set.of("jvm", "storm", "servers", "loop-scheduled-engine", "hand-over-engine");

  /// What starts a JVM.
  private static final Set<String> STARTERS =
      Set.of(
          "dev.couv.coro.FreshJvm",
          "dev.couv.uv.ChildJvm",
          "dev.couv.tty.PtyProgram",
          "dev.couv.launch.Cli");

  private static final Path ROOT = Path.of(System.getProperty("couv.basedir"));

  private static List<TestClass> all;

  @BeforeAll
  static void read() throws Exception {
    URI place = TiersTest.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    all = TestClass.below(Path.of(place));
    assertTrue(all.size() > 250, () -> all.size() + " classes");
  }

  @Test
  void everyTagIsOneThatTheBuildKnows() {
    Set<String> tags = new TreeSet<>();
    for (TestClass type : all) {
      tags.addAll(type.tags());
      type.tests().forEach(test -> tags.addAll(test.tags()));
    }

    assertEquals(TAGS, tags);
  }

  @Test
  void everyClassRunsOnAnEngine() {
    List<String> nowhere =
        all.stream()
            .filter(type -> Stream.of(TestEngine.values()).noneMatch(each -> each.runs(type)))
            .map(TestClass::name)
            .toList();

    assertEquals(List.of(), nowhere);
  }

  /// Surefire knows test classes by their names.
  @Test
  void everyClassWithTestsIsNamedSo() {
    assertEquals(
        List.of(),
        all.stream().map(TestClass::name).filter(name -> !name.endsWith("Test")).toList());
  }

  @Test
  void whatStartsAJvmIsNotForEveryDay() {
    List<String> untagged =
        all.stream()
            .filter(type -> type.mentioned().stream().anyMatch(STARTERS::contains))
            .filter(type -> !type.has("jvm"))
            .map(TestClass::name)
            .toList();

    // It starts a shell, by what starts programs in terminals and checkouts.
    assertEquals(List.of("dev.couv.launch.TestCommandTest"), untagged);
  }

  /// One that was renamed would be left out without a word.
  @Test
  void theClassesThatTheBuildNamesAreThere() throws Exception {
    String build = Files.readString(ROOT.resolve("tests/pom.xml"));
    String named = build.split("<couv.test.hand-over>", 2)[1].split("<", 2)[0];
    List<String> missing = new ArrayList<>(List.of(named.strip().split("[,\\s]+")));
    missing.removeIf(pattern -> pattern.contains("*"));
    assertEquals(12, missing.size(), "one class of each feature");
    for (TestClass type : all) {
      missing.remove(type.name().substring(type.name().lastIndexOf('.') + 1));
    }

    assertEquals(List.of(), missing);
  }

  @Test
  void everythingIsWhatTheLastCheckRuns() throws Exception {
    List<String> commands = Files.readAllLines(ROOT.resolve(".ci/run"));

    assertEquals("exec tools/test -Peverything", commands.getLast());
  }

  // ---- the report behind the tests

  private static void report(Path folder, String name, String time, Instant written)
      throws Exception {
    Path file = folder.resolve("TEST-" + name + ".xml");
    Files.writeString(
        file,
        "<testsuite version=\"3\" name=\"%s\" time=\"%s\" tests=\"2\" errors=\"0\">"
            .formatted(name, time));
    Files.setLastModifiedTime(file, FileTime.from(written));
  }

  @Test
  void theReportTellsTheSlowestOfThisBuild(@TempDir Path folder) throws Exception {
    Instant start = Instant.now().minusSeconds(60);
    report(folder, "a.Quick", "0.25", start.plusSeconds(1));
    report(folder, "a.Slow", "1,000.5", start.plusSeconds(2));
    report(folder, "a.Older", "7", start.minusSeconds(1));

    List<SuiteReport.Ran> ran = SuiteReport.read(folder, start);

    assertEquals(
        List.of(
            "loop-scheduled engine: 4 tests of 2 classes, 1001 s; the slowest:",
            "  1000.5 s a.Slow",
            "     0.3 s a.Quick"),
        SuiteReport.summary(TestEngine.LOOP_SCHEDULED, ran).lines().toList());
    assertEquals(List.of(), SuiteReport.read(folder.resolve("none"), start));
  }

  @Test
  void theReportMissesWhatDidNotRun() {
    List<SuiteReport.Ran> ran = new ArrayList<>();
    all.forEach(type -> ran.add(new SuiteReport.Ran(type.name(), 1, 1)));
    assertEquals(List.of(), SuiteReport.leftOut(TestEngine.HAND_OVER, all, ran));

    ran.removeIf(each -> each.name().equals("dev.couv.time.TimeSleepTest"));
    ran.removeIf(each -> each.name().startsWith("dev.couv.launch."));

    assertEquals(
        List.of("hand-over engine: dev.couv.time.TimeSleepTest"),
        SuiteReport.leftOut(TestEngine.HAND_OVER, all, ran));
    assertFalse(SuiteReport.leftOut(TestEngine.LOOP_SCHEDULED, all, ran).size() < 2);
  }
}
