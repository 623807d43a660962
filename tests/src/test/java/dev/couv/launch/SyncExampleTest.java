// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file synchroniser in `examples`, on trees that change while it works.
@Tag("jvm")
class SyncExampleTest {
  private static final String MARK = ".copied-from";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path directory;
  private Path source;
  private Path target;

  @BeforeEach
  void makeASource() throws Exception {
    source = Files.createDirectories(directory.resolve("source"));
    target = directory.resolve("target");
    Files.createDirectories(source.resolve("a/b"));
    Files.writeString(source.resolve("a/b/deep"), "deep");
    Files.writeString(source.resolve("private"), "secret");
    mode(source.resolve("private"), "rw-r-----");
    Files.createSymbolicLink(source.resolve("link"), Path.of("a/b"));
    Files.writeString(source.resolve(MARK), "the source of somebody else");
    byte[] large = new byte[3_000_000];
    new Random(5).nextBytes(large);
    Files.write(source.resolve("large"), large);
  }

  private Cli.Running start() throws Exception {
    return new Cli().start("run", "examples/sync.java", source.toString(), target.toString());
  }

  @Test
  void theCopyBecomesWhatTheSourceIsAndStaysSo() throws Exception {
    try (var sync = start()) {
      sync.line("in step");
      assertEquals(tree(source), tree(target));

      Files.writeString(source.resolve("a/b/deep"), "deeper");
      mode(source.resolve("private"), "r--------");
      Files.createDirectories(source.resolve("new/one/two"));
      Files.writeString(source.resolve("new/one/two/file"), "text");
      Files.delete(source.resolve("large"));
      awaitSame();

      // Each becomes another kind of thing.
      Files.delete(source.resolve("link"));
      Files.createDirectory(source.resolve("link"));
      Files.writeString(source.resolve("link/file"), "no link");
      removeTree(source.resolve("new"));
      Files.writeString(source.resolve("new"), "no directory");
      Files.delete(source.resolve("private"));
      Files.createSymbolicLink(source.resolve("private"), Path.of("/no/such"));
      awaitSame();

      Files.move(source.resolve("a"), source.resolve("moved"));
      awaitSame();
      assertEquals(List.of(), sync.process().isAlive() ? List.of() : sync.end().err());
    }
  }

  @Test
  void whatIsBehindALinkIsNeitherChangedNorRemoved() throws Exception {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("file"), "theirs");
    Files.createDirectory(source.resolve("way"));
    Files.writeString(source.resolve("way/file"), "ours");
    try (var sync = start()) {
      sync.line("in step");
      for (int i = 0; i < 20; i++) {
        removeTree(source.resolve("way"));
        Files.createSymbolicLink(source.resolve("way"), outside);
        Files.delete(source.resolve("way"));
        Files.createDirectory(source.resolve("way"));
        Files.writeString(source.resolve("way/file"), "ours " + i);
      }
      Files.delete(source.resolve("way/file"));
      Files.delete(source.resolve("way"));
      Files.createSymbolicLink(source.resolve("way"), outside);
      awaitSame();

      assertEquals("theirs", Files.readString(outside.resolve("file")));
    }
  }

  @Test
  void aStormOfChangesEndsInTheSameTree() throws Exception {
    Random random = new Random(7);
    try (var sync = start()) {
      sync.line("in step");
      for (int i = 0; i < 1500; i++) {
        Path folder = source.resolve("d" + random.nextInt(4) + "/e" + random.nextInt(3));
        Path file = folder.resolve("f" + random.nextInt(5));
        switch (random.nextInt(6)) {
          case 0 -> removeTree(folder);
          case 1 -> removeTree(folder.getParent());
          default -> {
            Files.createDirectories(folder);
            Files.writeString(file, "x".repeat(random.nextInt(3)) + i);
          }
        }
      }
      awaitSame();
    }
  }

  @Test
  void aFileIsThereAsAWholeOrNotAtAll() throws Exception {
    Path whole = source.resolve("whole");
    byte[] bytes = new byte[1 << 20];
    Files.write(whole, bytes);
    try (var sync = start()) {
      sync.line("in step");
      for (byte i = 1; i < 20; i++) {
        Arrays.fill(bytes, i);
        Path next = Files.write(directory.resolve("next"), bytes);
        Files.move(next, whole, StandardCopyOption.ATOMIC_MOVE);
        for (int look = 0; look < 20; look++) {
          byte[] copy = Files.readAllBytes(target.resolve("whole"));
          assertEquals(bytes.length, copy.length);
          assertEquals(copy[0], copy[copy.length - 1]);
        }
      }
      awaitSame();
    }
  }

  @Test
  void itGoesOnWhereItWasKilled() throws Exception {
    try (var sync = start()) {
      sync.line("copied"); // the others may be missing, or half a draft
    }
    Files.writeString(target.resolve(".draft-left"), "half");
    Files.writeString(source.resolve("private"), "another secret");
    removeTree(source.resolve("a"));
    try (var sync = start()) {
      sync.line("in step");
      assertEquals(tree(source), tree(target));
    }
    try (var sync = start()) {
      assertEquals("in step", sync.line()); // nothing was copied again
    }
  }

  @Test
  void aSourceThatIsGoneIsNoReasonToRemoveTheCopy() throws Exception {
    try (var sync = start()) {
      sync.line("in step");
      Map<String, String> before = tree(source);
      Files.move(source, directory.resolve("away"));
      sync.line("again in a second");
      assertEquals(before, tree(target));

      Files.move(directory.resolve("away"), source);
      sync.line("in step");
      Files.writeString(source.resolve("more"), "more");
      awaitSame();
    }
  }

  @Test
  void whatCouldLoseSomethingIsRefused() throws Exception {
    Files.createDirectories(target);
    Path mine = Files.writeString(target.resolve("mine"), "mine");
    refused(target.toRealPath() + " is neither empty nor a copy made by this", source, target);
    assertEquals("mine", Files.readString(mine));
    refused("one is inside of the other", source, source.resolve("a/copy"));

    var end = new Cli().run("run", "examples/sync.java", source.toString());
    assertEquals(List.of("usage: sync.java SOURCE TARGET"), end.err());
    assertEquals(2, end.status());
  }

  private static void refused(String why, Path from, Path to) throws Exception {
    var end = new Cli().run("run", "examples/sync.java", from.toString(), to.toString());
    assertEquals(List.of(why), end.err());
    assertEquals(2, end.status());
  }

  // ---- trees

  private void awaitSame() throws Exception {
    long limit = System.nanoTime() + PATIENCE_NANOS;
    Map<String, String> wanted = tree(source);
    while (!wanted.equals(tree(target))) {
      assertTrue(System.nanoTime() - limit < 0, () -> wanted + "\n" + quietly(target));
      Thread.sleep(20);
    }
  }

  private static Object quietly(Path root) {
    try {
      return tree(root);
    } catch (IOException e) {
      return e;
    }
  }

  /// What is at each path: its type, permissions and contents. What vanishes meanwhile is not there.
  private static Map<String, String> tree(Path root) throws IOException {
    Map<String, String> found = new TreeMap<>();
    add(root, root, found);
    found.remove(MARK);
    return found;
  }

  private static void add(Path root, Path place, Map<String, String> found) throws IOException {
    String path = root.relativize(place).toString();
    try {
      if (Files.isSymbolicLink(place)) {
        found.put(path, "to " + Files.readSymbolicLink(place));
      } else if (Files.isDirectory(place)) {
        found.put(path, "directory " + mode(place));
        List<Path> entries;
        try (Stream<Path> all = Files.list(place)) {
          entries = all.toList();
        }
        for (Path entry : entries) {
          add(root, entry, found);
        }
      } else {
        found.put(path, mode(place) + " " + Arrays.hashCode(Files.readAllBytes(place)));
      }
    } catch (NoSuchFileException gone) {
      found.remove(path);
    }
  }

  private static String mode(Path place) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(place, LinkOption.NOFOLLOW_LINKS));
  }

  private static void mode(Path place, String permissions) throws IOException {
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(permissions));
  }

  private static void removeTree(Path place) throws IOException {
    if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
      List<Path> entries;
      try (Stream<Path> all = Files.list(place)) {
        entries = all.toList();
      }
      for (Path entry : entries) {
        removeTree(entry);
      }
    }
    Files.delete(place);
  }
}
