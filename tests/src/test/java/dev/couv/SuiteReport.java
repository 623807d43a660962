// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The program that the build runs behind the tests. It tells how many there were on each engine, and which classes
/// were the slowest; where everything was to run it fails if a class with tests was left out.
final class SuiteReport {
  private static final int SLOWEST = 10;
  private static final Pattern SUITE =
      Pattern.compile("<testsuite [^>]*\\bname=\"([^\"]+)\" time=\"([^\"]+)\" tests=\"(\\d+)\"");

  /// What surefire has written about one class.
  record Ran(String name, double seconds, int tests) {}

  private SuiteReport() {}

  /// Arguments: how much was to run, when the build began, the folder where each engine has its folder of
  /// reports, and that of the compiled tests.
  public static void main(String[] arguments) throws IOException {
    boolean everything = arguments[0].equals("everything");
    Instant since = Instant.parse(arguments[1]);
    List<TestClass> all = TestClass.below(Path.of(arguments[3]));
    List<String> leftOut = new ArrayList<>();
    for (TestEngine engine : TestEngine.values()) {
      List<Ran> ran = read(Path.of(arguments[2], engine.toString()), since);
      System.out.print(summary(engine, ran));
      if (everything) {
        leftOut.addAll(leftOut(engine, all, ran));
      }
    }
    if (!leftOut.isEmpty()) {
      System.err.println("Tests that did not run:\n" + String.join("\n", leftOut));
      System.exit(1);
    }
  }

  /// Of this build: the folder may hold reports of earlier ones.
  static List<Ran> read(Path reports, Instant since) throws IOException {
    List<Ran> ran = new ArrayList<>();
    if (Files.isDirectory(reports)) {
      try (Stream<Path> files = Files.list(reports)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".xml")).toList()) {
          Matcher suite = SUITE.matcher(Files.readString(file));
          if (!Files.getLastModifiedTime(file).toInstant().isBefore(since) && suite.find()) {
            double seconds = Double.parseDouble(suite.group(2).replace(",", ""));
            ran.add(new Ran(suite.group(1), seconds, Integer.parseInt(suite.group(3))));
          }
        }
      }
    }
    return ran;
  }

  static String summary(TestEngine engine, List<Ran> ran) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s engine: %d tests of %d classes, %.0f s; the slowest:%n",
            engine,
            ran.stream().mapToInt(Ran::tests).sum(),
            ran.size(),
            ran.stream().mapToDouble(Ran::seconds).sum()));
    ran.stream()
        .sorted(Comparator.comparingDouble(Ran::seconds).reversed())
        .limit(SLOWEST)
        .forEach(
            each ->
                text.append(String.format(Locale.ROOT, "%8.1f s %s%n", each.seconds, each.name)));
    return text.toString();
  }

  static List<String> leftOut(TestEngine engine, List<TestClass> all, List<Ran> ran) {
    Set<String> names = ran.stream().map(Ran::name).collect(Collectors.toSet());
    return all.stream()
        .filter(type -> engine.runs(type) && !names.contains(type.name()))
        .map(type -> engine + " engine: " + type.name())
        .toList();
  }
}
