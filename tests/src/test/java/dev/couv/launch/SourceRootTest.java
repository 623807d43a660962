// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("loop-scheduled-engine")
class SourceRootTest {
  @TempDir private Path directory;

  @Test
  void findsThePackageBehindAnyComments() {
    assertEquals("a.b", SourceRoot.packageOf("package a.b;"));
    assertEquals("a", SourceRoot.packageOf("// package x;\n/* package y; */\n\npackage  a ;"));
    assertEquals("a", SourceRoot.packageOf("/**/" + "// line\n".repeat(100_000) + "package a;"));
  }

  @Test
  void aFileWithoutAPackageHasNone() {
    assertEquals("", SourceRoot.packageOf(""));
    assertEquals("", SourceRoot.packageOf("/* not closed\npackage a;"));
    assertEquals("", SourceRoot.packageOf("void main() {}\n// package a;\npackage a;"));
  }

  @Test
  void theRootIsAboveThePackage() throws Exception {
    assertEquals(Optional.of(directory), rootOf("A.java", ""));
    assertEquals(Optional.of(directory), rootOf("a/b/A.java", "package a.b;"));
  }

  @Test
  void aMisplacedFileHasNoRoot() throws Exception {
    assertEquals(Optional.empty(), rootOf("A.java", "package a;"));
    assertEquals(Optional.empty(), rootOf("b/A.java", "package a.b;"));
  }

  private Optional<Path> rootOf(String name, String text) throws Exception {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return SourceRoot.of(Files.writeString(file, text));
  }
}
