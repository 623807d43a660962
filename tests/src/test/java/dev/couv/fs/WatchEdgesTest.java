// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import static dev.couv.fs.Changes.RECURSIVE;
import static dev.couv.fs.Changes.change;
import static dev.couv.fs.Changes.until;
import static dev.couv.fs.Faults.failing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.host.HostWorld;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import dev.couv.world.DirectoryEvents;
import dev.couv.world.PathEvent;
import dev.couv.world.Watching;
import dev.couv.world.World;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Watching while the loop ends, the limit is reached, or what is watched moves.
class WatchEdgesTest {
  @TempDir Path dir;

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndOfTheLoopEndsWatchesThatNobodyClosed(boolean polled) throws Exception {
    WatchOptions gathering = RECURSIVE.withDebounce(Duration.ofHours(1));
    Watch watch = polled ? Watch.poll(dir, Duration.ofMillis(1)) : Watch.path(dir, gathering);
    Files.createFile(dir.resolve("file")); // is being gathered when the loop ends
    Coroutine.pause();
    assertTrue(!watch.isClosed());
    // the leak check sees neither handle nor descriptor
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHaltEndsTheWait(boolean polled) throws Exception {
    Watch watch = polled ? Watch.poll(dir, Duration.ofHours(1)) : Watch.path(dir, RECURSIVE);
    Coroutine.spawn(watch::next);
    Coroutine.pause();
    Loop.current().halt();
  }

  @InLoop
  @Test
  void aDirectoryThatCannotBeWatchedIsToldAsOverflow() throws Exception {
    try (Watch watch = Watch.path(dir, RECURSIVE)) {
      try (var _ = failing("inotify_add_watch", "ENOSPC")) {
        Files.createDirectory(dir.resolve("unwatched"));
        until(watch, change(dir, ChangeKind.OVERFLOW));
      }
      Files.createDirectory(dir.resolve("watched"));
      until(watch, change(dir.resolve("watched"), ChangeKind.CREATED));
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsMovedAwayAtTheTopIsNotWatchedElsewhere(boolean recursive) throws Exception {
    Path top = Files.createDirectories(dir.resolve("top/below")).getParent();
    Path elsewhere = dir.resolve("elsewhere");
    try (Watch watch = Watch.path(top, WatchOptions.DEFAULT.withRecursive(recursive));
        Watch around = Watch.path(dir)) {
      Files.move(top, elsewhere);
      assertEquals(change(top, ChangeKind.REMOVED), watch.next());
      List<PathChange> told = new ArrayList<>();
      Coroutine<?> next = Coroutine.spawn(() -> told.add(watch.next()));
      Files.createFile(elsewhere.resolve("file"));
      Files.createFile(dir.resolve("last"));
      until(around, change(dir.resolve("last"), ChangeKind.CREATED));
      assertEquals(List.of(), told, "of the place it is at now");
      next.cancel();
    }
  }

  /// The system goes on telling of it then, of a directory that is none of the watch's any more.
  @InLoop
  @Test
  void aDirectoryThatMovesAwayIsForgottenAlsoIfTheSystemKeepsItsWatch(@TempDir Path outside)
      throws Exception {
    Path below = Files.createDirectory(dir.resolve("below"));
    try (Watch watch = Watch.path(dir, RECURSIVE);
        var _ = failing("inotify_rm_watch", "EINVAL")) {
      Files.move(below, outside.resolve("moved"));
      assertEquals(new PathChange(below, ChangeKind.REMOVED), watch.next());
      Files.createFile(outside.resolve("moved/unseen"));
      Path seen = Files.createFile(dir.resolve("seen"));
      assertEquals(new PathChange(seen, ChangeKind.CREATED), watch.next());
    }
  }

  @InLoop
  @Test
  void closingEndsTheWatchWhateverTheSystemAnswers() throws Exception {
    int code = UvErrors.code("EIO");
    Watch watch = Watch.path(dir);
    try (var _ = NativeCalls.replace("uv_poll_stop", NativeCalls.failing("uv_poll_stop", code));
        var _ = NativeCalls.replace("close", NativeCalls.failingAfterwards("close", code))) {
      watch.close();
      Coroutine.pause();
    }
    assertThrows(ClosedChannelException.class, watch::next);
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatComesAgainAtTheTopIsWatchedAgain(boolean recursive) throws Exception {
    Path top = Files.createDirectory(dir.resolve("top"));
    Path elsewhere = dir.resolve("elsewhere");
    Path one = top.resolve("one");
    Path two = top.resolve("two");
    try (Watch watch = Watch.path(top, WatchOptions.DEFAULT.withRecursive(recursive))) {
      for (int i = 0; i < 2; i++) {
        Files.delete(top);
        if (i == 0) {
          // At once, so that nobody can have seen that it was not there.
          Files.createDirectory(top);
          Files.createFile(one);
        }
        until(watch, change(top, ChangeKind.REMOVED));
        if (i == 1) {
          Files.createDirectory(top);
          Files.createFile(one);
        }
        until(watch, change(top, ChangeKind.CREATED));
        until(watch, change(one, ChangeKind.CREATED));
        Files.createFile(two);
        until(watch, change(two, ChangeKind.CREATED));
        Files.delete(one);
        Files.delete(two);
        until(watch, change(two, ChangeKind.REMOVED));
      }
      Files.move(top, elsewhere);
      until(watch, change(top, ChangeKind.REMOVED));
      Files.createFile(elsewhere.resolve("one"));
      Files.move(elsewhere, top);
      until(watch, change(one, ChangeKind.CREATED));
    }
  }

  @InLoop
  @Test
  void whatIsRemovedWhileItIsListedDoesNotComeBack(@TempDir Path outside) throws Exception {
    Path file = dir.resolve("new/file");
    Files.createFile(Files.createDirectory(outside.resolve("new")).resolve("file"));
    IntUnaryOperator removing =
        code -> {
          try {
            awaitListed(file.getParent());
            Files.deleteIfExists(file);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          return code;
        };
    MethodHandle real = NativeCalls.target("uv_fs_readdir");
    MethodHandle thenRemoving =
        MethodHandles.filterReturnValue(
            real,
            MethodHandles.lookup()
                .findVirtual(
                    IntUnaryOperator.class,
                    "applyAsInt",
                    MethodType.methodType(int.class, int.class))
                .bindTo(removing));
    try (Watch watch = Watch.path(dir, RECURSIVE)) {
      try (var _ = NativeCalls.replace("uv_fs_readdir", thenRemoving)) {
        Files.move(outside.resolve("new"), file.getParent());
        until(watch, change(file, ChangeKind.REMOVED));
      }
      // To be found by listing, as the other was.
      Path last = Files.createFile(Files.createDirectory(dir.resolve("end")).resolve("last"));
      assertFalse(
          until(watch, change(last, ChangeKind.CREATED))
              .contains(change(file, ChangeKind.CREATED)));
    }
  }

  /// Until the thread that lists the directory has come further than its start.
  private static void awaitListed(Path directory) throws IOException {
    while (true) {
      for (File each : Objects.requireNonNull(new File("/proc/self/fd").listFiles())) {
        try {
          if (Files.readSymbolicLink(each.toPath()).equals(directory.toRealPath())
              && !Files.readAllLines(Path.of("/proc/self/fdinfo", each.getName()))
                  .contains("pos:\t0")) {
            return;
          }
        } catch (IOException gone) {
          continue;
        }
      }
    }
  }

  /// Nobody can unmount anything here, so the event is made up.
  @Test
  void whatIsUnmountedIsTold() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    Files.createDirectory(dir.resolve("below"));
    List<DirectoryEvents.Listener> listeners = new ArrayList<>();
    Loop.run(
        LoopOptions.DEFAULT.withWorld(noting(listeners)),
        () -> {
          EventLoop loop = Suspension.loop("test");
          for (Path path : List.of(file, dir)) {
            List<PathChange> told = new ArrayList<>();
            Debounce changes = new Debounce(loop, Duration.ZERO, told::add);
            listeners.clear();
            WatchedTree tree =
                WatchedTree.open(Loop.current(), loop, path, path.equals(dir), changes);
            tree.watchBelow();
            listeners.getLast().happened(PathEvent.UNMOUNTED, false, null);
            tree.close();
            assertEquals(
                change(path, path.equals(dir) ? ChangeKind.OVERFLOW : ChangeKind.REMOVED),
                told.getFirst());
          }
        });
  }

  /// The host's world, but it notes who listens to directories.
  private static World noting(List<DirectoryEvents.Listener> listeners) {
    Watching watching = new NotingWatching(HostWorld.INSTANCE.watching(), listeners);
    return (World)
        Proxy.newProxyInstance(
            World.class.getClassLoader(),
            new Class<?>[] {World.class},
            (_, method, arguments) ->
                method.getName().equals("watching")
                    ? watching
                    : method.invoke(HostWorld.INSTANCE, arguments));
  }

  private record NotingWatching(Watching host, List<DirectoryEvents.Listener> listeners)
      implements Watching {
    @Override
    public DirectoryEvents join(EventLoop loop, DirectoryEvents.Member member) throws IOException {
      return new NotingEvents(host.join(loop, member), listeners);
    }

    @Override
    public Runnable poll(EventLoop loop, Path path, int millis, Consumer<PathEvent> told)
        throws IOException {
      return host.poll(loop, path, millis, told);
    }
  }

  private record NotingEvents(DirectoryEvents host, List<DirectoryEvents.Listener> listeners)
      implements DirectoryEvents {
    @Override
    public int listen(Path directory, Interest interest, Listener listener) {
      listeners.add(listener);
      return host.listen(directory, interest, listener);
    }

    @Override
    public void unlisten(int number, Listener listener) {
      host.unlisten(number, listener);
    }

    @Override
    public long mark() {
      return host.mark();
    }

    @Override
    public boolean hasTold(long mark) {
      return host.hasTold(mark);
    }

    @Override
    public boolean isOpen() {
      return host.isOpen();
    }

    @Override
    public void leave(Member member) {
      host.leave(member);
    }
  }

  @InLoop
  @Test
  void aFileWhoseDirectoryIsMovedIsGone() throws Exception {
    Path file = Files.createFile(Files.createDirectory(dir.resolve("sub")).resolve("file"));
    try (Watch watch = Watch.path(file)) {
      Files.move(dir.resolve("sub"), dir.resolve("moved"));
      assertEquals(change(file, ChangeKind.REMOVED), watch.next());
    }
  }

  @InLoop
  @Test
  void directoriesThatComeAndGoQuicklyEndAsTheyAre() throws Exception {
    try (Watch watch = Watch.path(dir, RECURSIVE)) {
      for (int i = 0; i < 30; i++) {
        Path made = Files.createDirectories(dir.resolve("a" + i + "/b/c"));
        Files.createFile(made.resolve("file"));
        if (i % 2 == 0) {
          Fs.removeTree(dir.resolve("a" + i));
        } else {
          Files.move(dir.resolve("a" + i), dir.resolve("z" + i));
        }
      }
      // Those that are left are watched, down to the last; each is listed by itself, so they
      // come in
      // any order.
      Set<PathChange> missing = new HashSet<>();
      for (int i = 1; i < 30; i += 2) {
        missing.add(change(dir.resolve("z" + i + "/b/c/file"), ChangeKind.CREATED));
      }
      while (!missing.isEmpty()) {
        missing.remove(watch.next());
      }
      Path last = dir.resolve("z29/b/c/last");
      Files.createFile(last);
      until(watch, change(last, ChangeKind.CREATED));
    }
  }

  @InLoop
  @Test
  void aLinkToADirectoryBelowIsNotFollowed(@TempDir Path outside) throws Exception {
    Files.createSymbolicLink(dir.resolve("link"), outside);
    try (Watch watch = Watch.path(dir, RECURSIVE)) {
      Files.createFile(outside.resolve("unseen"));
      Files.createSymbolicLink(dir.resolve("later"), outside);
      assertEquals(change(dir.resolve("later"), ChangeKind.CREATED), watch.next());
      Files.createFile(dir.resolve("end"));
      assertEquals(change(dir.resolve("end"), ChangeKind.CREATED), watch.next());
    }
  }

  @Test
  @Behaviour("TA110")
  void closingEndsTheIteration() throws Exception {
    List<PathChange> seen = new ArrayList<>();
    Loop.run(
        () -> {
          Watch watch = Watch.path(dir);
          Coroutine<?> taker =
              Coroutine.spawn(
                  () -> {
                    try {
                      while (true) {
                        seen.add(watch.next());
                      }
                    } catch (ClosedChannelException end) {
                      seen.add(null);
                    }
                  });
          Coroutine.pause();
          Files.createFile(dir.resolve("file"));
          Fs.info(dir); // lets the loop look
          while (seen.isEmpty()) {
            Coroutine.pause();
          }
          watch.close();
          taker.await();
        });

    assertEquals(change(dir.resolve("file"), ChangeKind.CREATED), seen.getFirst());
    assertEquals(null, seen.getLast());
  }

  @Test
  void anotherThreadIsRefused() throws Exception {
    Loop.run(
        () -> {
          try (Watch watch = Watch.path(dir)) {
            Loop.offload(() -> assertThrows(IllegalStateException.class, watch::next));
          }
          assertThrows(
              IllegalArgumentException.class,
              () -> WatchOptions.DEFAULT.withDebounce(Duration.ofMillis(-1)));
        });
    assertThrows(IllegalStateException.class, () -> Watch.path(dir));
  }
}
