// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Changes.RECURSIVE;
import static dev.couv.fs.Changes.change;
import static dev.couv.fs.Changes.overflow;
import static dev.couv.fs.Changes.until;
import static dev.couv.fs.Faults.failing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchTest {
  @TempDir Path dir;

  @Test
  void everyKindOfChangeIsToldInOrder() throws Exception {
    Path file = dir.resolve("file");
    Path other = dir.resolve("other");
    List<PathChange> seen = new ArrayList<>();
    Loop.run(
        () -> {
          try (Watch watch = Watch.path(dir)) {
            Files.createFile(file);
            Files.writeString(file, "text", StandardOpenOption.APPEND);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            Files.move(file, other);
            Files.delete(other);
            seen.addAll(until(watch, change(other, ChangeKind.REMOVED)));
          }
        });

    assertEquals(
        List.of(
            change(file, ChangeKind.CREATED),
            change(file, ChangeKind.MODIFIED),
            change(file, ChangeKind.ATTRIBUTES),
            change(file, ChangeKind.REMOVED),
            change(other, ChangeKind.CREATED)),
        seen);
  }

  @InLoop
  @Test
  void aFileIsWatchedAlsoWhenItIsReplaced() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "one");
    try (Watch watch = Watch.path(file)) {
      Files.createFile(dir.resolve("unrelated"));
      for (int i = 0; i < 2; i++) {
        Path draft = Files.writeString(dir.resolve("draft"), "two");
        Files.move(draft, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        until(watch, change(file, ChangeKind.CREATED));
      }
      Files.delete(file);
      List<PathChange> before = until(watch, change(file, ChangeKind.REMOVED));
      assertTrue(before.stream().allMatch(each -> each.path().equals(file)), before::toString);
    }
  }

  @InLoop
  @Test
  void directoriesThatComeAreWatchedAndThoseThatGoAreNot(@TempDir Path outside) throws Exception {
    Path old = Files.createDirectories(dir.resolve("old/deep"));
    try (Watch watch = Watch.path(dir, RECURSIVE)) {
      Files.createFile(old.resolve("file"));
      assertEquals(change(old.resolve("file"), ChangeKind.CREATED), watch.next());

      Path made = Files.createDirectories(dir.resolve("new/deeper"));
      Files.createFile(made.resolve("early"));
      until(watch, change(made.resolve("early"), ChangeKind.CREATED));
      Files.createFile(made.resolve("late"));
      until(watch, change(made.resolve("late"), ChangeKind.CREATED));

      Path moved = outside.resolve("moved");
      Files.move(dir.resolve("old"), moved);
      until(watch, change(dir.resolve("old"), ChangeKind.REMOVED));
      Files.createFile(moved.resolve("deep/unseen"));
      Files.move(moved, dir.resolve("back"));
      List<PathChange> before =
          until(watch, change(dir.resolve("back/deep/unseen"), ChangeKind.CREATED));
      assertTrue(
          before.stream().noneMatch(each -> each.path().startsWith(outside)), before::toString);

      Fs.removeTree(dir.resolve("back"));
      until(watch, change(dir.resolve("back"), ChangeKind.REMOVED));
    }
  }

  @InLoop
  @Test
  void changesAreKeptWhileNobodyWaits() throws Exception {
    try (Watch watch = Watch.path(dir)) {
      for (int i = 0; i < 500; i++) {
        Fs.writeBytes(dir.resolve("file" + i), new byte[0]);
      }
      Set<Path> seen = new HashSet<>();
      while (seen.size() < 500) {
        seen.add(watch.next().path());
      }
    }
  }

  @InLoop
  @Test
  void whatTheSystemLosesIsTold() throws Exception {
    try (Watch watch = Watch.path(dir)) {
      overflow(dir); // without an await, so nobody takes it out
      until(watch, change(dir, ChangeKind.OVERFLOW));
      Files.createFile(dir.resolve("after"));
      until(watch, change(dir.resolve("after"), ChangeKind.CREATED));
    }
  }

  @InLoop
  @Test
  void whatCannotBeReadIsToldAsLost() throws Exception {
    try (Watch watch = Watch.path(dir);
        var _ = failing("uv_fs_read", "EIO", 1)) {
      Path file = Files.createFile(dir.resolve("file"));
      assertEquals(change(dir, ChangeKind.OVERFLOW), watch.next());
      until(watch, change(file, ChangeKind.CREATED)); // it was not lost, as it happens
    }
  }

  /// Nobody takes them, and memory is not without end.
  @InLoop
  @Test
  void changesThatNobodyTakesAreKeptUpToALimitAndTheRestIsToldAsLost() throws Exception {
    int limit = 1 << 16;
    Path one = Files.createFile(dir.resolve("one"));
    Path two = Files.createFile(dir.resolve("two"));
    ByteBuffer x = ByteBuffer.wrap(new byte[] {'x'});
    try (FileChannel first = FileChannel.open(one, StandardOpenOption.WRITE);
        FileChannel second = FileChannel.open(two, StandardOpenOption.WRITE);
        Watch watch = Watch.path(dir)) {
      // In turn, so that the system does not merge them; and few enough for its own queue.
      for (int i = 0; i < limit / 2 + 1000; i++) {
        first.write(x.rewind(), 0);
        second.write(x.rewind(), 0);
        if (i % 500 == 0) {
          Time.sleep(Duration.ofNanos(1)); // only to poll
          Time.sleep(Duration.ofNanos(1));
        }
      }
      int kept = 0;
      while (watch.next().kind() == ChangeKind.MODIFIED) {
        kept++;
      }
      assertEquals(limit, kept);
      until(watch, change(Files.createFile(dir.resolve("after")), ChangeKind.CREATED));
    }
  }

  @Test
  @Behaviour("TA111")
  void changesWithinTheTimeOfGatheringAreToldOnce() throws Exception {
    Path file = dir.resolve("file");
    WatchOptions options = WatchOptions.DEFAULT.withDebounce(Duration.ofMillis(200));
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          try (Watch watch = Watch.path(dir, options)) {
            for (int i = 0; i < 8; i++) {
              Files.writeString(file, "text" + i);
            }
            assertEquals(change(file, ChangeKind.CREATED), watch.next());

            for (int i = 0; i < 8; i++) {
              Files.writeString(file, "text" + i);
            }
            assertEquals(change(file, ChangeKind.MODIFIED), watch.next());

            Files.writeString(file, "text");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            assertEquals(change(file, ChangeKind.MODIFIED), watch.next(), "what says more is told");
            Files.delete(file);
            assertEquals(change(file, ChangeKind.REMOVED), watch.next());
          }
        });
  }

  @InLoop
  @Test
  void aWatchIsSelectedAmong() throws Exception {
    try (Watch watch = Watch.path(dir);
        var timer = Time.after(Duration.ofHours(1))) {
      Files.createFile(dir.resolve("file"));
      assertSame(watch, Await.select(timer, watch).source());
    }
  }

  @InLoop
  @Test
  void cancellingLosesNothingAndClosingWakes() throws Exception {
    Watch watch = Watch.path(dir);
    Coroutine<PathChange> waiting = Coroutine.spawn(watch::next);
    Coroutine.pause();
    waiting.cancel();
    assertThrows(CancellationException.class, waiting::await);
    Files.createFile(dir.resolve("file"));
    assertEquals(change(dir.resolve("file"), ChangeKind.CREATED), watch.next());

    Coroutine<PathChange> last = Coroutine.spawn(watch::next);
    Coroutine.pause();
    watch.close();
    assertThrows(AsynchronousCloseException.class, last::await);
    assertThrows(ClosedChannelException.class, watch::next);
  }

  @InLoop
  @Test
  @Behaviour("TA110")
  void closingEndsALoopOverTheChangesAndWhatNobodyTookGoesWithIt() throws Exception {
    Watch watch = Watch.path(dir);
    List<PathChange> seen = new ArrayList<>();
    Coroutine<?> loop =
        Coroutine.spawn(
            () -> {
              while (true) {
                seen.add(watch.next());
              }
            });
    Files.createFile(dir.resolve("one"));
    Files.createFile(dir.resolve("two"));
    while (seen.size() < 2) {
      Coroutine.pause();
    }
    watch.close();

    assertThrows(AsynchronousCloseException.class, loop::await);
    assertEquals(
        List.of(
            change(dir.resolve("one"), ChangeKind.CREATED),
            change(dir.resolve("two"), ChangeKind.CREATED)),
        seen);

    Watch forgotten = Watch.path(dir);
    try (Watch witness = Watch.path(dir)) {
      Files.createFile(dir.resolve("three"));
      witness.next();
    }
    forgotten.close();
    assertThrows(ClosedChannelException.class, forgotten::next);
  }

  @InLoop
  @Test
  void theEndOfWhatIsWatchedIsToldAndMissingOnesAreRefused() throws Exception {
    Path sub = Files.createDirectory(dir.resolve("sub"));
    assertThrows(NoSuchFileException.class, () -> Watch.path(dir.resolve("missing")));
    try (Watch watch = Watch.path(sub)) {
      Files.delete(sub);
      until(watch, change(sub, ChangeKind.REMOVED));
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(
      strings = {
        "inotify_init1",
        "inotify_add_watch",
        "uv_poll_init",
        "uv_poll_start",
        "uv_fs_opendir"
      })
  void whatIsRefusedLeavesNothingBehind(String call) throws Exception {
    try (var _ = failing(call, "ENOSPC")) {
      UvException thrown = assertThrows(UvException.class, () -> Watch.path(dir, RECURSIVE));
      assertEquals("ENOSPC", thrown.code());
      assertEquals(dir.toString(), thrown.subject());
    }
    Watch.path(dir, RECURSIVE).close();
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"uv_fs_poll_init", "uv_fs_poll_start"})
  void aPollThatIsRefusedLeavesNothingBehind(String call) throws Exception {
    try (var _ = failing(call, "ENOMEM")) {
      UvException thrown =
          assertThrows(UvException.class, () -> Watch.poll(dir, Duration.ofMillis(10)));
      assertEquals("watch", thrown.call());
    }
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, () -> Watch.poll(dir, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> Watch.poll(dir, longest));
    Watch.path(dir, WatchOptions.DEFAULT.withDebounce(longest)).close();
  }

  @InLoop
  @Test
  void pollingComparesWhatIsKnown() throws Exception {
    Path file = dir.resolve("file");
    Files.writeString(file, "one");
    try (Watch watch = Watch.poll(file, Duration.ofMillis(5))) {
      // Two changes between two looks are one, and those before the first are none.
      Coroutine<?> modified =
          Coroutine.spawn(() -> until(watch, change(file, ChangeKind.MODIFIED)));
      while (modified.status() != Status.DONE) {
        Files.writeString(file, "x", StandardOpenOption.APPEND);
        Coroutine.pause();
      }
      Coroutine<?> allowed =
          Coroutine.spawn(() -> until(watch, change(file, ChangeKind.ATTRIBUTES)));
      for (int mode = 0600; allowed.status() != Status.DONE; mode ^= 0004) {
        Fs.chmod(file, mode);
      }
      Files.delete(file);
      until(watch, change(file, ChangeKind.REMOVED));
      assertFalse(watch.isClosed());
    }
  }
}
