// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The page about closing says for every type that can be closed what that does.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class ClosingTableTest {
  private static final Path DOCS = Path.of(System.getProperty("couv.basedir"), "docs");
  private static final Pattern TYPE = Pattern.compile("public .*class (dev\\.couv[\\w.]+).*");
  private static final Pattern QUOTED = Pattern.compile("`([A-Z]\\w*(?:\\.\\w+)?)`");

  @Test
  void everyTypeThatCanBeClosedIsInTheTable() throws Exception {
    Set<String> told = told();
    Set<String> missing = new TreeSet<>();
    int closeable = 0;
    for (String name : types()) {
      Class<?> type = Class.forName(name);
      if (AutoCloseable.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
        closeable++;
        if (!told.contains(type.getSimpleName())) {
          missing.add(name);
        }
      }
    }

    assertEquals(Set.of(), missing);
    assertTrue(closeable > 40, "only " + closeable + " were found");
  }

  private static List<String> types() throws IOException {
    try (Stream<Path> files = Files.list(DOCS)) {
      return files
          .filter(file -> file.getFileName().toString().matches("api.*\\.txt"))
          .flatMap(ClosingTableTest::lines)
          .map(TYPE::matcher)
          .filter(Matcher::matches)
          .map(line -> line.group(1))
          .toList();
    }
  }

  private static Set<String> told() {
    Set<String> told = new TreeSet<>();
    lines(DOCS.resolve("manual/closing.md"))
        .filter(line -> line.startsWith("| "))
        .flatMap(line -> QUOTED.matcher(line.split("\\|", 3)[1]).results())
        .forEach(name -> told.add(name.group(1).replaceFirst(".*\\.", "")));
    return told;
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
