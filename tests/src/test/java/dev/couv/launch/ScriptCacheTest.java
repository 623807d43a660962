// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compiled scripts are used again while all that javac saw is as it was.
@Tag("loop-scheduled-engine")
class ScriptCacheTest {
  private static final byte[] BYTES = {1, 2, 3};

  @TempDir private Path directory;
  private ScriptCache cache;
  private Path main;
  private Path part;

  @BeforeEach
  void keepAScript() throws Exception {
    cache = new ScriptCache(directory.resolve("cache"));
    main = Files.writeString(directory.resolve("Main.java"), "main");
    part =
        Files.writeString(Files.createDirectory(directory.resolve("p")).resolve("P.java"), "part");
    keep(Instant.now().plusSeconds(1));
  }

  @Test
  void findsWhatItKept() {
    CompiledScript found = cache.find(List.of(main)).orElseThrow();

    assertEquals("Main", found.mainClass());
    assertArrayEquals(BYTES, found.classes().get("Main"));
    assertEquals(List.of(main, part), found.sources());
  }

  @Test
  void doesNotFindAScriptOfOtherFiles() {
    assertEquals(Optional.empty(), cache.find(List.of(main, part)));
    assertEquals(Optional.empty(), cache.find(List.of(part)));
  }

  @Test
  void forgetsAScriptWhenAFileThatItNeedsHasChanged() throws Exception {
    Files.writeString(part, "PART");

    assertEquals(Optional.empty(), cache.find(List.of(main)));
  }

  @Test
  void forgetsAScriptWhenAFileThatItNeedsIsGone() throws Exception {
    Files.delete(part);

    assertEquals(Optional.empty(), cache.find(List.of(main)));
  }

  @Test
  void forgetsAScriptWhenANewFileMayHideAnImport() throws Exception {
    Files.createFile(directory.resolve("unrelated.txt"));
    assertTrue(cache.find(List.of(main)).isPresent());

    Files.createFile(directory.resolve("Scope.java"));

    assertEquals(Optional.empty(), cache.find(List.of(main)));
  }

  @Test
  void doesNotKeepWhatHasChangedWhileItWasCompiled() throws Exception {
    Files.writeString(main, "edited");
    keep(Files.getLastModifiedTime(main).toInstant());

    assertEquals(Optional.empty(), cache.find(List.of(main)));
  }

  @Test
  void aDamagedEntryIsNone() throws Exception {
    try (var entries = Files.list(directory.resolve("cache"))) {
      for (Path entry : entries.toList()) {
        Files.write(entry, new byte[] {0, 9});
      }
    }

    assertEquals(Optional.empty(), cache.find(List.of(main)));
  }

  @Test
  void withoutADirectoryNothingIsKept() {
    ScriptCache none = new ScriptCache(null);
    none.keep(List.of(main), script(), Instant.now().plusSeconds(1));

    assertEquals(Optional.empty(), none.find(List.of(main)));
  }

  private void keep(Instant started) {
    cache.keep(List.of(main), script(), started);
  }

  private CompiledScript script() {
    return new CompiledScript("Main", Map.of("Main", BYTES), List.of(main, part));
  }
}
