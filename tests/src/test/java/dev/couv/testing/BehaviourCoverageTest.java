// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/// Which behaviours of `rows.txt` the tests of this project show on the engine of this run. The
/// compiled test classes are asked, not a list that somebody keeps.
final class BehaviourCoverageTest {
  /// Kinds of rows whose every member must be shown, and how many there are; more with each feature.
  private static final Map<String, Integer> REQUIRED =
      Map.ofEntries(
          Map.entry("OP", 14),
          Map.entry("LP", 7),
          Map.entry("TM", 12),
          Map.entry("EV", 21),
          Map.entry("QE", 15),
          Map.entry("MX", 8),
          Map.entry("PM", 7),
          Map.entry("SP", 11),
          Map.entry("SG", 7),
          Map.entry("PR", 24),
          Map.entry("SD", 3),
          Map.entry("NA", 14),
          Map.entry("NW", 23),
          Map.entry("ST", 28),
          Map.entry("PI", 6),
          Map.entry("FI", 26),
          Map.entry("CH", 16),
          Map.entry("SC", 14),
          Map.entry("TP", 15),
          Map.entry("TA", 90));

  /// How many defects of each of the others are known: of CoUtil, of TrueAsync's documents, and those
  /// suspected in TrueAsync.
  private static final Map<String, Integer> DEFECTS = Map.of("C", 16, "D", 7, "T", 14);

  private static final Pattern TEST_NAME = Pattern.compile("\\w+Test\\.\\w+");

  /// Marks a row that makes no sense in Java.
  private static final String NO_SENSE = "\u2020";

  /// Tests with this tag do not run on the engine of this run.
  private static final String EXCLUDED_TAG =
      "hand-over".equals(System.getProperty("couv.test.engine"))
          ? "loop-scheduled-engine"
          : "hand-over-engine";

  /// A test, or a class of tests, and the rows it names.
  private record Claim(String where, boolean isTest, boolean runsHere, List<String> rows) {}

  private static Set<String> rows;
  private static List<Claim> claims;

  @BeforeAll
  static void read() throws Exception {
    rows = readRows();
    claims = readClaims();
  }

  @Test
  void everyRequiredRowIsShownByATestOfThisEngine() throws IOException {
    Set<String> missing = new TreeSet<>();
    REQUIRED.forEach(
        (kind, count) -> {
          List<String> ofKind = rows.stream().filter(row -> kind(row).equals(kind)).toList();
          assertEquals(count, ofKind.size(), "rows of " + kind);
          missing.addAll(ofKind);
        });

    for (Claim claim : claims) {
      if (claim.isTest && claim.runsHere) {
        claim.rows.forEach(missing::remove);
      }
    }
    missing.removeAll(withoutSense(listed()));

    assertEquals(Set.of(), missing, "behaviours that no test shows on this engine");
  }

  @Test
  void everyAnnotationNamesRowsThatExist() {
    List<String> unknown = new ArrayList<>();
    for (Claim claim : claims) {
      for (String row : claim.rows) {
        if (!rows.contains(row)) {
          unknown.add(claim.where + ": " + row);
        }
      }
    }

    assertEquals(List.of(), unknown);
  }

  @Test
  void everyAnnotationIsOnATest() {
    List<String> idle = claims.stream().filter(claim -> !claim.isTest).map(Claim::where).toList();

    assertEquals(List.of(), idle, "nothing is run there");
  }

  @Test
  void everyKnownDefectOfTheOthersHasATestThatExists() throws Exception {
    Set<String> tests = new TreeSet<>();
    for (Class<?> type : testClasses()) {
      for (Method method : type.getDeclaredMethods()) {
        if (AnnotationSupport.isAnnotated(method, Testable.class)) {
          tests.add(type.getSimpleName() + "." + method.getName());
        }
      }
    }
    Set<String> open = new TreeSet<>();
    DEFECTS.forEach(
        (kind, count) -> IntStream.rangeClosed(1, count).forEach(i -> open.add(kind + i)));
    Set<String> missing = new TreeSet<>();
    for (String line : Files.readAllLines(page())) {
      String[] cells = line.split(" \\| ");
      if (line.matches("\\| [CDT]\\d+ \\| .*`.*") && cells.length == 3) {
        open.remove(cells[0].substring(2));
        TEST_NAME.matcher(cells[2]).results().map(MatchResult::group).forEach(missing::add);
      }
    }
    missing.removeAll(tests);

    assertEquals(Set.of(), open, "defects without a row");
    assertEquals(Set.of(), missing, "tests that are named and do not exist");
  }

  @Test
  void everyRowIsListedOnceAndMarkedIfAndOnlyIfNoTestShowsIt() throws IOException {
    List<String> listed = listed();
    Set<String> shown = new TreeSet<>();
    claims.forEach(claim -> shown.addAll(claim.rows));
    Set<String> marked = withoutSense(listed);
    List<String> wrong = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (String each : listed) {
      String row = each.replace(NO_SENSE, "");
      if (!seen.add(row)) {
        wrong.add(row + " is listed twice");
      } else if (shown.contains(row) == marked.contains(row)) {
        wrong.add(
            row + (marked.contains(row) ? " is marked, and a test shows it" : " has no test"));
      }
    }

    assertEquals(List.of(), wrong);
  }

  /// The rows that make no sense in Java, or where Couv differs, with their marks: the first column of the
  /// tables of that page.
  private static List<String> listed() throws IOException {
    List<String> listed = new ArrayList<>();
    for (String line : Files.readAllLines(page())) {
      if (line.matches("\\| [A-Z]{2}\\d.*")) {
        listed.addAll(List.of(line.split(" \\| ", 2)[0].substring(2).split(", ")));
      }
    }
    return listed;
  }

  private static Set<String> withoutSense(List<String> listed) {
    return listed.stream()
        .filter(row -> row.endsWith(NO_SENSE))
        .map(row -> row.replace(NO_SENSE, ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Path page() {
    return Path.of(System.getProperty("couv.basedir")).resolve("docs/internals/behaviours.md");
  }

  private static String kind(String row) {
    return row.replaceAll("[0-9]+", "");
  }

  private static Set<String> readRows() throws IOException {
    try (InputStream in = BehaviourCoverageTest.class.getResourceAsStream("rows.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      List<String> ids =
          text.lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(line -> line.split(" ", 2)[0])
              .toList();
      Set<String> distinct = Set.copyOf(ids);
      assertEquals(ids.size(), distinct.size(), "a row is there twice");
      return distinct;
    }
  }

  private static List<Claim> readClaims() throws Exception {
    List<Claim> found = new ArrayList<>();
    for (Class<?> type : testClasses()) {
      List<Method> tests =
          ReflectionSupport.findMethods(
              type,
              method -> AnnotationSupport.isAnnotated(method, Testable.class),
              HierarchyTraversalMode.TOP_DOWN);
      Behaviour ofType = type.getAnnotation(Behaviour.class);
      if (ofType != null) {
        boolean runs = tests.stream().anyMatch(test -> runsHere(type, test));
        found.add(new Claim(type.getName(), !tests.isEmpty(), runs, List.of(ofType.value())));
      }
      for (Method method : type.getDeclaredMethods()) {
        Behaviour behaviour = method.getAnnotation(Behaviour.class);
        if (behaviour != null) {
          found.add(
              new Claim(
                  type.getName() + "." + method.getName(),
                  tests.contains(method),
                  runsHere(type, method),
                  List.of(behaviour.value())));
        }
      }
    }
    return found;
  }

  private static boolean runsHere(Class<?> type, Method method) {
    return Stream.<AnnotatedElement>of(type, method)
        .flatMap(
            element -> AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream())
        .noneMatch(tag -> tag.value().equals(EXCLUDED_TAG));
  }

  /// Loaded, not initialised: their static code is no business of this test.
  private static List<Class<?>> testClasses() throws Exception {
    Path root = root();
    List<Class<?>> types = new ArrayList<>();
    for (String file : classFiles(root)) {
      String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
      types.add(Class.forName(name, false, BehaviourCoverageTest.class.getClassLoader()));
    }
    return types;
  }

  private static Set<String> classFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.endsWith(".class"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Path root() throws URISyntaxException {
    return Path.of(
        BehaviourCoverageTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
