// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A change of the public API is seen: `docs/api.txt` has all of it, and is committed.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class ApiDumpTest {
  private static final Path COMMITTED = Path.of(System.getProperty("couv.basedir"), "docs/api.txt");

  /// Set to write it anew.
  private static final String WRITE = "couv.api.write";

  @Test
  void thePublicApiIsTheOneThatIsWrittenDown() throws IOException {
    List<String> now = ApiDump.of("couv.test.core-jar").lines();
    if (System.getProperty(WRITE) != null) {
      Files.write(COMMITTED, now);
    }

    assertEquals(List.of(), changes(Files.readAllLines(COMMITTED), now), ApiDumpTest::advice);
  }

  @Test
  void aChangeIsNamed() {
    assertEquals(
        List.of("T  gone: a()", "T  new: c()"),
        changes(List.of("T", "  a()", "  b()"), List.of("T", "  b()", "  c()")));
  }

  private static String advice() {
    return "the public API has changed. If it was meant: mvn verify -Dtest=ApiDumpTest -D"
        + WRITE
        + "=true, commit docs/api.txt, and say it in CHANGELOG.md";
  }

  private static List<String> changes(List<String> before, List<String> after) {
    List<String> named = named(before);
    List<String> now = named(after);
    List<String> changes = new ArrayList<>();
    named.stream()
        .filter(each -> !now.contains(each))
        .forEach(each -> changes.add(word(each, "gone: ")));
    now.stream()
        .filter(each -> !named.contains(each))
        .forEach(each -> changes.add(word(each, "new: ")));
    return changes;
  }

  private static String word(String line, String what) {
    int member = line.indexOf("  ");
    return member < 0
        ? what + line
        : line.substring(0, member + 2) + what + line.substring(member + 2);
  }

  /// Each member with its type.
  private static List<String> named(List<String> lines) {
    List<String> named = new ArrayList<>();
    String type = "";
    for (String line : lines) {
      if (!line.startsWith("  ")) {
        type = line;
      }
      named.add(line.startsWith("  ") ? type + line : line);
    }
    return named;
  }
}
