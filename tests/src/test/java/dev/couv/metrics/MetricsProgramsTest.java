// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.FreshJvm;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What is decided once per process: where contexts are kept, and which of the libraries is there.
@Tag("jvm")
class MetricsProgramsTest {
  /// The program's lines, in a JVM without the jars of that name.
  private static List<String> run(Class<?> program, String without, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    for (String word : FreshJvm.command(program)) {
      boolean isPath = word.equals(System.getProperty("java.class.path"));
      command.add(isPath ? without(word, without) : word);
    }
    command.addAll(List.of(arguments));
    return FreshJvm.run(command);
  }

  private static String without(String path, String jar) {
    return Stream.of(path.split(File.pathSeparator))
        .filter(entry -> !new File(entry).getName().startsWith(jar))
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void librariesSeeTheSpanOfTheScopeWhereItIsInstalled() throws Exception {
    assertEquals(
        List.of("root: true", "inside: true"), run(TracedProgram.class, "micrometer", "install"));
  }

  @Test
  void elsewhereTheySeeTheThreadsOnly() throws Exception {
    assertEquals(List.of("root: true", "inside: false"), run(TracedProgram.class, "micrometer"));
  }

  @Test
  void metersNeedNoTraces() throws Exception {
    assertEquals(List.of("1.0"), run(MeteredProgram.class, "opentelemetry"));
  }
}
