// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.cluster.link.DialTest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the manual promises of clusters, it names tests for, and they are there.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class ClusterManualTest {
  private static final Path PAGE =
      Path.of(System.getProperty("couv.basedir"), "docs/manual/cluster.md");

  /// In the table, a test is what stands in quotes and has no dot, no parentheses and no space.
  private static final Pattern NAMED = Pattern.compile("`([a-z][A-Za-z]{11,})`");

  @Test
  void everyTestThatIsNamedIsThere() throws IOException {
    Set<String> named = named(Files.readString(PAGE));
    Set<String> missing = new TreeSet<>(named);
    missing.removeAll(tests());

    assertTrue(named.size() > 20, named::toString);
    assertEquals(Set.of(), missing);
  }

  @Test
  void oneThatIsNotThereIsFound() {
    String page = "## What holds when something fails\n| x | y (`aTestThatNobodyWrote`) |\n## Next";

    assertEquals(Set.of("aTestThatNobodyWrote"), named(page));
  }

  private static Set<String> named(String page) {
    String table = page.split("## What holds when something fails", 2)[1].split("\n## ", 2)[0];
    return NAMED
        .matcher(
            table.lines().filter(line -> line.startsWith("|")).collect(Collectors.joining("\n")))
        .results()
        .map((MatchResult each) -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> tests() {
    return Stream.of(
            Conformance.class,
            ClusterStormTest.class,
            DialTest.class,
            HostilePeerTest.class,
            LinkLossTest.class,
            ProcessLossTest.class,
            ServerLossTest.class)
        .flatMap(type -> tests(type).stream())
        .collect(Collectors.toSet());
  }

  private static List<String> tests(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(Method::getName)
        .toList();
  }
}
