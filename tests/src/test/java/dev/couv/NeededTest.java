// SPDX-License-Identifier: Apache-2.0
package dev.couv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void aServerIsFoundOffThePath(@TempDir Path versions) throws Exception {
    var missing =
        assertThrows(AssertionError.class, () -> Needed.server("initdb", "/no/such", versions));
    assertTrue(missing.getMessage().contains("apt-get install postgresql"), missing::getMessage);

    Path older = program(versions.resolve("postgresql/15/bin"));
    Path newer = program(versions.resolve("postgresql/17/bin"));

    assertEquals(newer, Needed.server("initdb", "/no/such", versions));
    assertEquals(older, Needed.server("initdb", older.getParent().toString(), versions));
  }

  private static Path program(Path folder) throws Exception {
    Path file = Files.createFile(Files.createDirectories(folder).resolve("initdb"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
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
          Set.of("program", "server", "header", "library").contains(words.getFirst()),
          words::toString);
    }
  }
}
