// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A counterpart that is missing is told at once, with the package to install.
@Tag("loop-scheduled-engine")
final class NeededTest {
  @Test
  void aProgramThatIsMissingIsNamedWithItsPackage() {
    var missing =
        assertThrows(AssertionError.class, () -> Needed.program("nc", "/no/such:/nor/this"));

    assertTrue(missing.getMessage().contains("nc"), missing.getMessage());
    assertTrue(
        missing.getMessage().contains("apt-get install netcat-openbsd"), missing.getMessage());
    assertTrue(Needed.missingHeader("uv.h").getMessage().contains("libuv1-dev"));
  }

  @Test
  void aProgramThatIsThereIsTaken() {
    assertEquals("tar", Needed.program("tar"));
  }

  @Test
  void whatIsNotInTheListCannotBeNeeded() {
    assertThrows(AssertionError.class, () -> Needed.program("whoami"));
  }

  @Test
  void theListIsWhole() {
    for (var words : Needed.list()) {
      assertEquals(3, words.size(), words::toString);
      assertTrue(
          Set.of("program", "header", "library").contains(words.getFirst()), words::toString);
    }
  }
}
