// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// `couv demo`: what it lists is there, and runs.
@Tag("jvm")
@Tag("loop-scheduled-engine")
class DemoTest {
  @Test
  void listsEachWithASentenceAndEachIsThere() throws Exception {
    var result = new Cli().run("demo");

    assertEquals(List.of(), result.err());
    for (Demo demo : Demo.ALL) {
      assertTrue(
          result.out().stream()
              .anyMatch(line -> line.startsWith(demo.name() + " ") && line.endsWith(".")),
          demo.name());
      assertTrue(Files.exists(Cli.BASE.resolve("examples/" + demo.name() + ".java")), demo.name());
    }
  }

  @Test
  void runsOneWithItsArguments() throws Exception {
    var result = new Cli().run("demo", "jobs", "echo here");

    assertTrue(result.out().contains("[echo here] here"), result.out()::toString);
    assertEquals(0, result.status());
  }

  @Test
  void oneThatIsNotThereIsAMistake() throws Exception {
    var result = new Cli().run("demo", "nothing");

    assertEquals(List.of("couv: no such demo: nothing", "Try: couv demo"), result.err());
    assertEquals(2, result.status());
  }
}
