// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Changes.RECURSIVE;
import static dev.couv.fs.Changes.change;
import static dev.couv.fs.Changes.overflow;
import static dev.couv.fs.Changes.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.loop.CallCount;
import dev.couv.testing.InLoop;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many watches on one loop, which have one descriptor of the system together; and large trees.
@SuppressWarnings("try") // closed early is what is tested
class WatchSharedTest {
  @TempDir Path dir;

  /// How many directories the system watches for this process.
  private static long watched() throws IOException {
    long count = 0;
    for (File each : Objects.requireNonNull(new File("/proc/self/fdinfo").listFiles())) {
      try {
        count +=
            Files.readAllLines(each.toPath()).stream()
                .filter(line -> line.startsWith("inotify"))
                .count();
      } catch (IOException gone) {
        continue;
      }
    }
    return count;
  }

  @InLoop
  @Test
  void thousandWatchesNeedOneDescriptor() throws Exception {
    List<Watch> watches = new ArrayList<>();
    try (CallCount descriptors = new CallCount("inotify_init1")) {
      for (int i = 0; i < 1000; i++) {
        watches.add(Watch.path(dir));
      }
      Path file = Files.createFile(dir.resolve("file"));
      for (Watch each : watches) {
        assertEquals(change(file, ChangeKind.CREATED), each.next());
      }
      assertEquals(1, descriptors.get());
      assertEquals(1, watched());
      watches.forEach(Watch::close);
      Watch.path(dir).close();
      assertEquals(2, descriptors.get(), "it goes with the last");
    }
  }

  @InLoop
  @Test
  void eachIsToldOfWhatItWatchesUntilItIsClosed() throws Exception {
    Path sub = Files.createDirectories(dir.resolve("sub/deep")).getParent();
    try (Watch all = Watch.path(dir, RECURSIVE)) {
      Watch inner = Watch.path(sub);
      Watch closed = Watch.path(sub, RECURSIVE);
      closed.close();
      Path file = Files.createFile(sub.resolve("file"));
      assertEquals(change(file, ChangeKind.CREATED), inner.next());
      assertEquals(change(file, ChangeKind.CREATED), all.next());
      Path deep = Files.createFile(sub.resolve("deep/file"));
      assertEquals(change(deep, ChangeKind.CREATED), all.next());
      inner.close();
      Files.delete(file);
      assertEquals(change(file, ChangeKind.REMOVED), all.next());
    }
  }

  @InLoop
  @Test
  void oneThatComesLaterIsNotToldOfWhatWasBefore() throws Exception {
    try (Watch first = Watch.path(dir)) {
      for (int i = 0; i < 2000; i++) {
        Files.createFile(dir.resolve("early" + i)); // without an await, so nobody has heard
      }
      try (Watch second = Watch.path(dir)) {
        Path late = Files.createFile(dir.resolve("late"));
        assertEquals(change(late, ChangeKind.CREATED), second.next());
        assertEquals(2000, until(first, change(late, ChangeKind.CREATED)).size());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatNobodyWatchesAnyMoreIsGivenBack(boolean byMoving) throws Exception {
    Path tree = dir.resolve("tree");
    for (int i = 0; i < 1000; i++) {
      Files.createDirectories(tree.resolve("a" + i % 7 + "/b" + i));
    }
    Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
    Path kept = Files.createDirectory(elsewhere.resolve("kept"));
    Loop.run(
        () -> {
          try (Watch other = Watch.path(kept)) {
            Watch watch = Watch.path(tree, RECURSIVE);
            assertTrue(watched() > 1000);
            if (byMoving) {
              Files.move(tree, elsewhere.resolve("tree"));
              until(watch, change(tree, ChangeKind.REMOVED));
            } else {
              watch.close();
            }
            while (watched() > 3) {
              Coroutine.pause();
            }
            Path file = Files.createFile(kept.resolve("file"));
            assertEquals(change(file, ChangeKind.CREATED), other.next());
            watch.close();
          }
        });
  }

  @InLoop
  @Test
  void whatWasMovedAwayUnseenIsNotToldOf() throws Exception {
    Path top = Files.createDirectories(dir.resolve("top"));
    Path sub = Files.createDirectories(top.resolve("sub/below")).getParent();
    Path out = dir.resolve("out");
    try (Watch watch = Watch.path(top, RECURSIVE)) {
      overflow(top);
      Files.move(sub, out);
      until(watch, change(top, ChangeKind.OVERFLOW));
      Files.createFile(out.resolve("stale"));
      Files.createFile(out.resolve("below/stale"));
      Path fresh = Files.createFile(top.resolve("fresh"));
      List<PathChange> told = until(watch, change(fresh, ChangeKind.CREATED));
      assertTrue(told.stream().noneMatch(each -> each.path().endsWith("stale")), told::toString);
    }
  }

  @InLoop
  @Test
  void whatTookThePlaceOfTheTopUnseenIsWatched() throws Exception {
    Path top = Files.createDirectories(dir.resolve("top"));
    Path old = dir.resolve("old");
    try (Watch watch = Watch.path(top, RECURSIVE)) {
      overflow(top);
      Files.move(top, old);
      Files.createDirectory(top);
      until(watch, change(top, ChangeKind.OVERFLOW));
      Files.createFile(old.resolve("stale"));
      Path fresh = Files.createFile(top.resolve("fresh"));
      List<PathChange> told = until(watch, change(fresh, ChangeKind.CREATED));
      assertTrue(told.stream().noneMatch(each -> each.path().endsWith("stale")), told::toString);
    }
  }

  @InLoop
  @Test
  void everybodyIsToldWhatIsLost() throws Exception {
    Path noisy = Files.createDirectory(dir.resolve("noisy"));
    Path quiet = Files.createDirectory(dir.resolve("quiet"));
    try (Watch first = Watch.path(noisy);
        Watch second = Watch.path(quiet)) {
      overflow(noisy);
      until(first, change(noisy, ChangeKind.OVERFLOW));
      assertEquals(change(quiet, ChangeKind.OVERFLOW), second.next());
      Path file = Files.createFile(quiet.resolve("file"));
      assertEquals(change(file, ChangeKind.CREATED), second.next());
    }
  }

  /// What a rename costs depends on what moves, and not on what else is watched.
  @Tag("storm")
  @Test
  void renamesAmongManyDirectoriesCostNoMoreThanAmongFew() throws Exception {
    renames("warm", 300, 300);
    long few = renames("few", 300, 300);
    long many = renames("many", 6_000, 300);

    assertTrue(many < 8 * few, () -> "among few " + few + " ns, among many " + many);
  }

  /// The processor time of this thread until those renames are told, without what it takes to make them.
  private long renames(String name, int directories, int renamed) throws Exception {
    Path top = Files.createDirectory(dir.resolve(name));
    for (int i = 0; i < directories; i++) {
      Files.createDirectory(top.resolve("d" + i));
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long[] cost = new long[1];
    Loop.run(
        () -> {
          EventsOfLoop events = new EventsOfLoop();
          try (Watch watch = Watch.path(top, RECURSIVE)) {
            for (int i = 0; i < renamed; i++) {
              Files.move(top.resolve("d" + i), top.resolve("m" + i));
            }
            long before = events.nanos(threads);
            until(watch, change(top.resolve("m" + (renamed - 1)), ChangeKind.CREATED));
            cost[0] = events.nanos(threads) - before;
          }
        });
    return cost[0];
  }

  /// The loop's thread, on either engine.
  private static final class EventsOfLoop {
    private final long thread =
        Objects.requireNonNull(dev.couv.strand.Suspension.loop("test").thread()).threadId();

    long nanos(ThreadMXBean threads) {
      return threads.getThreadCpuTime(thread);
    }
  }
}
