// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The drawings of `docs/internals/state-diagrams.md` are those of the enums.
@Tag("loop-scheduled-engine") // it does not depend on the engine
class StateDiagramsTest {
  private static final Path PAGE =
      Path.of(System.getProperty("couv.basedir"), "docs/internals/state-diagrams.md");

  /// Set to write the page anew.
  private static final String WRITE = "couv.diagrams.write";

  @Test
  void theDrawingsAreThoseOfTheEnums() throws IOException {
    List<String> now = StateDiagrams.page(CoreClasses.all());
    if (System.getProperty(WRITE) != null) {
      Files.write(PAGE, now);
    }

    long drawn = now.stream().filter(line -> line.startsWith("## ")).count();
    assertTrue(drawn >= 5, "only " + drawn + " enums with transitions were found");
    assertEquals(
        String.join("\n", now),
        String.join("\n", Files.readAllLines(PAGE)),
        "states have changed: mvn verify -Dtest=StateDiagramsTest -D"
            + WRITE
            + "=true, and commit");
  }

  @Test
  void anArgumentIsNamedWhereItMatters() {
    assertEquals(
        List.of(
            "SHUT --> OPEN : push(true)", "SHUT --> SHUT : push(false)", "OPEN --> SHUT : push"),
        StateDiagrams.moves(Door.class));
  }

  enum Door {
    SHUT,
    OPEN;

    Door push(boolean hard) {
      return this == SHUT && hard ? OPEN : SHUT;
    }

    Door lock() {
      throw new IllegalStateException("there is no key");
    }
  }
}
