// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.fs.Fifo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    CompiledScript found = cache.find(List.of(main), List.of()).orElseThrow();

    assertEquals("Main", found.mainClass());
    assertArrayEquals(BYTES, found.classes().get("Main"));
    assertEquals(List.of(main, part), found.sources());
  }

  @Test
  void doesNotFindAScriptOfOtherFiles() {
    assertEquals(Optional.empty(), cache.find(List.of(main, part), List.of()));
    assertEquals(Optional.empty(), cache.find(List.of(part), List.of()));
  }

  @Test
  void forgetsAScriptWhenAFileThatItNeedsHasChanged() throws Exception {
    Files.writeString(part, "PART");

    assertEquals(Optional.empty(), cache.find(List.of(main), List.of()));
  }

  @Test
  void forgetsAScriptWhenAFileThatItNeedsIsGone() throws Exception {
    Files.delete(part);

    assertEquals(Optional.empty(), cache.find(List.of(main), List.of()));
  }

  @Test
  void forgetsAScriptWhenANewFileMayHideAnImport() throws Exception {
    Files.createFile(directory.resolve("unrelated.txt"));
    assertTrue(cache.find(List.of(main), List.of()).isPresent());

    Files.createFile(directory.resolve("Scope.java"));

    assertEquals(Optional.empty(), cache.find(List.of(main), List.of()));
  }

  @Test
  void doesNotKeepWhatHasChangedWhileItWasCompiled() throws Exception {
    Files.writeString(main, "edited");
    keep(Files.getLastModifiedTime(main).toInstant());

    assertEquals(Optional.empty(), cache.find(List.of(main), List.of()));
  }

  /// A name for the entry that is only a number, computed from the paths, may be the same for both.
  @Test
  void twoScriptsWhosePathsAreAlikeAreTwo() throws Exception {
    Path first = script("Aa");
    Path second = script("BB");
    assertEquals(first.getParent().hashCode(), second.getParent().hashCode());
    keep(first, "First");

    assertEquals(Optional.empty(), cache.find(List.of(second), List.of()));

    keep(second, "Second");
    assertEquals("First", cache.find(List.of(first), List.of()).orElseThrow().mainClass());
    assertEquals("Second", cache.find(List.of(second), List.of()).orElseThrow().mainClass());
  }

  @Test
  void anEntryInThePlaceOfAnotherIsNotTakenForIt() throws Exception {
    Path mine = entry();
    byte[] ofMain = Files.readAllBytes(mine);
    Files.delete(mine);
    Path other = script("other");
    keep(other, "Other");
    Files.write(entry(), ofMain);

    assertEquals(Optional.empty(), cache.find(List.of(other), List.of()));
  }

  @Test
  void anEntryThatIsCutOrChangedAnywhereIsNone() throws Exception {
    Path entry = entry();
    byte[] whole = Files.readAllBytes(entry);
    for (int i = 0; i < whole.length; i++) {
      Files.write(entry, Arrays.copyOf(whole, i));
      assertEquals(Optional.empty(), cache.find(List.of(main), List.of()), "cut at " + i);
      byte[] changed = whole.clone();
      changed[i] ^= 0x40;
      Files.write(entry, changed);
      assertEquals(Optional.empty(), cache.find(List.of(main), List.of()), "changed at " + i);
    }
    Files.write(entry, whole);
    assertTrue(cache.find(List.of(main), List.of()).isPresent());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ln -s /dev/zero", "mkfifo", "mkdir", "ln -s /proc/self/mem", "truncate -s 1T"})
  void whatIsNoFileOfTheCacheIsNone(String make) throws Exception {
    Path entry = entry();
    Files.delete(entry);
    assertEquals(
        0, new ProcessBuilder("sh", "-c", make + " '" + entry + "'").start().waitFor(), make);

    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertEquals(Optional.empty(), cache.find(List.of(main), List.of())));

    keep(Instant.now().plusSeconds(1));
    assertEquals(!make.equals("mkdir"), cache.find(List.of(main), List.of()).isPresent());
    assertEquals(List.of(entry), entries(), "no draft is left");
  }

  /// It comes once, and is for javac.
  @Test
  void aSourceThatIsNoFileIsNotRead() throws Exception {
    Path pipe = Fifo.at(directory.resolve("Pipe.java"));

    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          assertEquals(Optional.empty(), cache.find(List.of(pipe), List.of()));
          cache.keep(
              List.of(pipe),
              new CompiledScript("Pipe", Map.of(), List.of(pipe), List.of()),
              Instant.MAX);
        });
    assertEquals(1, entries().size());
  }

  @Test
  void whatWasNotUsedForLongestIsForgottenAndOtherFilesAreLeftAlone() throws Exception {
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(30)));
    Path foreign = Files.createFile(directory.resolve("cache/notes.txt"));
    Path draft = Files.createFile(directory.resolve("cache/draft123.script"));
    Files.setLastModifiedTime(foreign, old);
    Files.setLastModifiedTime(draft, old);
    Files.setLastModifiedTime(entry(), old);
    for (int i = 0; i < 250; i++) {
      Path stale = Files.createFile(directory.resolve("cache/%016x.script".formatted(i)));
      Files.setLastModifiedTime(stale, old);
    }
    assertTrue(cache.find(List.of(main), List.of()).isPresent()); // it is used

    keep(script("new"), "New");

    assertEquals(201, entries().size());
    assertTrue(Files.exists(foreign) && !Files.exists(draft));
    assertTrue(cache.find(List.of(main), List.of()).isPresent());
  }

  private Path script(String name) throws Exception {
    Path folder = Files.createDirectory(directory.resolve(name));
    return Files.writeString(folder.resolve("s.java"), "void main() {}");
  }

  private List<Path> entries() throws Exception {
    try (var entries = Files.list(directory.resolve("cache"))) {
      return entries.toList();
    }
  }

  /// The only one.
  private Path entry() throws Exception {
    return entries().stream()
        .filter(entry -> entry.toString().matches(".*/[0-9a-f]{16}.script"))
        .findFirst()
        .orElseThrow();
  }

  private void keep(Path source, String name) {
    cache.keep(
        List.of(source),
        new CompiledScript(name, Map.of(name, BYTES), List.of(source), List.of()),
        Instant.now().plusSeconds(1));
  }

  @Test
  void withoutADirectoryNothingIsKept() {
    ScriptCache none = new ScriptCache(null);
    none.keep(List.of(main), script(), Instant.now().plusSeconds(1));

    assertEquals(Optional.empty(), none.find(List.of(main), List.of()));
  }

  private void keep(Instant started) {
    cache.keep(List.of(main), script(), started);
  }

  private CompiledScript script() {
    return new CompiledScript("Main", Map.of("Main", BYTES), List.of(main, part), List.of());
  }
}
