// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Changes.change;
import static dev.couv.fs.Changes.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Paths that lead through symbolic links, which may be turned elsewhere: `current` leads to a release, as
/// deployments have it.
@InLoop
class WatchLinksTest {
  @TempDir Path dir;

  private Path one;
  private Path two;
  private Path current;

  @BeforeEach
  void twoReleases() throws IOException {
    one = Files.createDirectory(dir.resolve("one"));
    two = Files.createDirectory(dir.resolve("two"));
    current = Files.createSymbolicLink(dir.resolve("current"), Path.of("one"));
  }

  /// As `ln -sfn` does it.
  private void turn(Path link, Path target) throws IOException {
    Path draft = Files.createSymbolicLink(dir.resolve("draft"), target);
    Files.move(draft, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void aFileIsWatchedByWayOfALink() throws Exception {
    Path real = Files.writeString(one.resolve("real"), "1");
    Path link = Files.createSymbolicLink(dir.resolve("link"), Path.of("current/real"));
    try (Watch watch = Watch.path(link)) {
      Files.writeString(real, "2", StandardOpenOption.APPEND);
      assertEquals(change(link, ChangeKind.MODIFIED), watch.next());
      Files.writeString(link, "3", StandardOpenOption.APPEND);
      assertEquals(change(link, ChangeKind.MODIFIED), watch.next());
      Files.delete(real);
      until(watch, change(link, ChangeKind.REMOVED));
      Files.createFile(real);
      until(watch, change(link, ChangeKind.CREATED));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLinkThatIsTurnedElsewhereIsFollowed(boolean recursive) throws Exception {
    Files.createDirectory(one.resolve("below"));
    Files.createFile(Files.createDirectory(two.resolve("below")).resolve("there"));
    try (Watch watch = Watch.path(current, WatchOptions.DEFAULT.withRecursive(recursive));
        Watch around = Watch.path(dir)) {
      Files.createFile(one.resolve("before"));
      assertEquals(change(current.resolve("before"), ChangeKind.CREATED), watch.next());

      turn(current, Path.of("two"));
      assertEquals(change(current, ChangeKind.REMOVED), watch.next());
      assertEquals(change(current, ChangeKind.CREATED), watch.next());
      until(watch, change(current.resolve("below"), ChangeKind.CREATED));
      if (recursive) {
        until(watch, change(current.resolve("below/there"), ChangeKind.CREATED));
      }

      Files.createFile(one.resolve("old"));
      Files.createFile(one.resolve("below/old"));
      Path fresh = Files.createFile(two.resolve("fresh")).getFileName();
      List<PathChange> told = until(watch, change(current.resolve(fresh), ChangeKind.CREATED));
      assertTrue(told.stream().noneMatch(each -> each.path().endsWith("old")), told::toString);
      Files.createFile(dir.resolve("end"));
      until(around, change(dir.resolve("end"), ChangeKind.CREATED));
    }
  }

  @Test
  void aLinkInTheMiddleOfThePathIsFollowedToo() throws Exception {
    Files.createDirectory(one.resolve("conf"));
    Files.createFile(Files.createDirectory(two.resolve("conf")).resolve("there"));
    Path conf = current.resolve("conf");
    try (Watch watch = Watch.path(conf)) {
      turn(current, two); // by its absolute path
      until(watch, change(conf.resolve("there"), ChangeKind.CREATED));
      Files.createFile(two.resolve("conf/fresh"));
      until(watch, change(conf.resolve("fresh"), ChangeKind.CREATED));
    }
  }

  @Test
  void aLinkToAFileThatIsTurnedElsewhereIsTold() throws Exception {
    Files.writeString(one.resolve("file"), "1");
    Path other = Files.writeString(two.resolve("file"), "2");
    Path file = current.resolve("file");
    try (Watch watch = Watch.path(file)) {
      turn(current, Path.of("two"));
      assertEquals(change(file, ChangeKind.CREATED), watch.next());
      Files.writeString(one.resolve("file"), "not told", StandardOpenOption.APPEND);
      Files.writeString(other, "3", StandardOpenOption.APPEND);
      assertEquals(change(file, ChangeKind.MODIFIED), watch.next());
      Files.delete(current);
      assertEquals(change(file, ChangeKind.REMOVED), watch.next());
      Files.createSymbolicLink(current, Path.of("one"));
      assertEquals(change(file, ChangeKind.CREATED), watch.next());
    }
  }

  @Test
  void aFileThatIsReplacedByALinkIsWatchedWhereThatLeads() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "1");
    Path real = Files.writeString(one.resolve("real"), "2");
    try (Watch watch = Watch.path(file)) {
      turn(file, Path.of("one/real"));
      assertEquals(change(file, ChangeKind.CREATED), watch.next());
      Files.writeString(real, "3", StandardOpenOption.APPEND);
      assertEquals(change(file, ChangeKind.MODIFIED), watch.next());
    }
  }

  @Test
  void aLinkThatIsTurnedToWhereItLeadsChangesNothing() throws Exception {
    try (Watch watch = Watch.path(current)) {
      turn(current, one);
      Files.createFile(one.resolve("file"));
      assertEquals(change(current.resolve("file"), ChangeKind.CREATED), watch.next());
      turn(current, two);
      assertEquals(change(current, ChangeKind.REMOVED), watch.next());
    }
  }

  @Test
  void aLinkThatLeadsNowhereForAWhileIsWatchedAgainWhenItDoesNot() throws Exception {
    try (Watch watch = Watch.path(current)) {
      Files.delete(one);
      until(watch, change(current, ChangeKind.REMOVED));
      turn(current, Path.of("three/deep"));
      Files.createDirectory(dir.resolve("three"));
      Files.createDirectory(dir.resolve("three/deep"));
      until(watch, change(current, ChangeKind.CREATED));
      Files.createFile(dir.resolve("three/deep/file"));
      until(watch, change(current.resolve("file"), ChangeKind.CREATED));
    }
  }

  @Test
  void whatAllAboveWasRemovedOfIsWatchedAgainWhenItComes() throws Exception {
    Path deep = Files.createDirectories(one.resolve("a/b/c"));
    try (Watch watch = Watch.path(deep)) {
      Fs.removeTree(one.resolve("a"));
      until(watch, change(deep, ChangeKind.REMOVED));
      Files.createDirectories(deep);
      until(watch, change(deep, ChangeKind.CREATED));
      Files.createFile(deep.resolve("file"));
      until(watch, change(deep.resolve("file"), ChangeKind.CREATED));
    }
  }

  @Test
  void aLinkThatLeadsInACircleIsRefusedAndOneThatComesToIsWaitedFor() throws Exception {
    Path circle = Files.createSymbolicLink(dir.resolve("circle"), Path.of("circle"));
    assertThrows(IOException.class, () -> Watch.path(circle));
    assertThrows(NoSuchFileException.class, () -> Watch.path(current.resolve("no")));
    try (Watch watch = Watch.path(current)) {
      turn(current, Path.of("current"));
      assertEquals(change(current, ChangeKind.REMOVED), watch.next());
      turn(current, Path.of("two"));
      assertEquals(change(current, ChangeKind.CREATED), watch.next());
    }
  }

  @Test
  void dotsInThePathLeadWhereTheSystemLeads() throws Exception {
    Files.createDirectories(one.resolve("x"));
    Path odd = dir.resolve("./current/x/../../two/.");
    try (Watch watch = Watch.path(odd)) {
      Files.createFile(two.resolve("file"));
      assertEquals(change(odd.resolve("file"), ChangeKind.CREATED), watch.next());
    }
  }

  /// While it is open, something happens each time before a directory is watched.
  private static NativeCalls.Replacement beforeWatching(Runnable action) throws Exception {
    String call = "inotify_add_watch";
    MethodHandle run =
        MethodHandles.lookup()
            .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
            .bindTo(action);
    return NativeCalls.replace(call, MethodHandles.foldArguments(NativeCalls.target(call), run));
  }

  @Test
  void aFileThatComesWhileItsDirectoryIsFoundAgainIsTold() throws Exception {
    Path file = Files.writeString(one.resolve("file"), "1");
    try (Watch watch = Watch.path(file)) {
      Files.move(one, dir.resolve("away"));
      until(watch, change(file, ChangeKind.REMOVED));
      File early = file.toFile();
      try (var _ = beforeWatching(() -> make(early))) {
        Files.createDirectory(one);
        while (!early.exists()) {
          Coroutine.pause();
        }
      }
      Files.writeString(file, "2", StandardOpenOption.APPEND);

      assertEquals(change(file, ChangeKind.CREATED), watch.next());
    }
  }

  private static void make(File file) {
    try {
      assertTrue(!file.getParentFile().exists() || file.createNewFile() || file.exists());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDirectoryThatGoesWhileItIsFoundAgainIsStillWaitedFor() throws Exception {
    try (Watch watch = Watch.path(one)) {
      Files.delete(one);
      until(watch, change(one, ChangeKind.REMOVED));
      try (var _ = beforeWatching(() -> one.toFile().delete())) {
        Files.createDirectory(one);
        while (Files.exists(one)) {
          Coroutine.pause();
        }
      }
      Files.createDirectory(one);
      PathChange told = Time.timeout(Duration.ofSeconds(60), watch::next);

      assertEquals(change(one, ChangeKind.CREATED), told);
    }
  }
}
