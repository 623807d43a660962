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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A change of the public API is seen: `docs/api.txt` has all of it, `docs/api-….txt` that of a module built on it, and they
/// are committed.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class ApiDumpTest {
  private static final Path BASE = Path.of(System.getProperty("couv.basedir"));

  /// Set to write it anew.
  private static final String WRITE = "couv.api.write";

  @ParameterizedTest
  @CsvSource({
    "core, docs/api.txt",
    "resilience, docs/api-resilience.txt",
    "bridge, docs/api-bridge.txt",
    "metrics, docs/api-metrics.txt",
    "http, docs/api-http.txt",
    "cluster, docs/api-cluster.txt"
  })
  void thePublicApiIsTheOneThatIsWrittenDown(String module, String file) throws IOException {
    Path committed = BASE.resolve(file);
    List<String> now = ApiDump.of("couv.test." + module + "-jar").lines();
    if (System.getProperty(WRITE) != null) {
      Files.write(committed, now);
    }

    assertEquals(List.of(), changes(Files.readAllLines(committed), now), () -> advice(file));
  }

  @Test
  void aChangeIsNamed() {
    assertEquals(
        List.of("T  gone: a()", "T  new: c()"),
        changes(List.of("T", "  a()", "  b()"), List.of("T", "  b()", "  c()")));
  }

  private static String advice(String file) {
    return "the public API has changed. If it was meant: mvn verify -Dtest=ApiDumpTest -D"
        + WRITE
        + "=true, commit "
        + file
        + ", and say it in CHANGELOG.md";
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
