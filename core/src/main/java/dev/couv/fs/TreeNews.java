// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.error.UvException;
import dev.couv.loop.Failures;
import dev.couv.world.FileCalls;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is found by listing the directories of a tree that is watched: those below, and what had been put into one before
/// it was listened to. That may be told twice: better than never.
final class TreeNews {
  private final Loop coroutines;
  private final Path path;
  private final boolean recursive;
  private final Debounce changes;
  private final WatchedDirs dirs;

  /// Those of the coroutine's world: what happens is told outside of one.
  private final FileCalls files;

  /// What is to be listed, because it may have got entries before it was listened to.
  private final ArrayDeque<WatchedDir> unseen = new ArrayDeque<>();

  private boolean lists;

  TreeNews(
      Loop coroutines,
      Path path,
      boolean recursive,
      Debounce changes,
      WatchedDirs dirs,
      FileCalls files) {
    this.coroutines = coroutines;
    this.path = path;
    this.recursive = recursive;
    this.changes = changes;
    this.dirs = dirs;
    this.files = files;
  }

  /// Waits until all directories below that one are listened to; nothing there is news.
  void listenBelow(WatchedDir directory) throws IOException {
    ArrayDeque<WatchedDir> left = new ArrayDeque<>(List.of(directory));
    while (!left.isEmpty()) {
      look(left.pop(), left, false);
    }
  }

  /// Listing waits, so a coroutine does it: one, however much there is. What it cannot watch is as good as
  /// lost, and told so.
  void listLater(WatchedDir directory) {
    unseen.add(directory);
    if (!lists) {
      try {
        lists = true;
        coroutines.spawn(this::listUnseen).named("watching " + path);
      } catch (ClosedException loopEnds) {
        lists = false; // nobody is left to be told
      }
    }
  }

  private void listUnseen() {
    try {
      while (!unseen.isEmpty()) {
        try {
          look(unseen.pop(), unseen, true);
        } catch (IOException e) {
          changes.changed(path, ChangeKind.OVERFLOW);
        }
      }
    } finally {
      lists = false;
    }
  }

  /// Nobody wants to know any more.
  void clear() {
    unseen.clear();
  }

  /// Listens to the directories below, and tells of what is in them if that may be news.
  private void look(WatchedDir directory, ArrayDeque<WatchedDir> left, boolean news)
      throws IOException {
    Path where = dirs.where(directory);
    Listing entries = where == null ? null : listIfThere(where);
    if (entries == null) {
      return;
    }
    try (entries) {
      for (DirEntry entry; (entry = entries.next()) != null; ) {
        boolean below = recursive && isDirectory(entry);
        Path shown = dirs.shown(directory);
        if (shown == null) {
          return; // nobody watches it any more
        }
        Path name = entry.path().getFileName();
        if (news && isStillThere(entry.path())) {
          changes.changed(shown.resolve(name), ChangeKind.CREATED);
        }
        if (below) {
          lookBelow(directory, name, left);
        }
      }
    }
  }

  private void lookBelow(WatchedDir directory, Path name, ArrayDeque<WatchedDir> left)
      throws IOException {
    WatchedDir known = directory.below.get(name);
    int code = dirs.listen(directory, name);
    if (WatchedDirs.isRefusal(code)) {
      throw Failures.ofFile(code, "watch", path.toString());
    }
    WatchedDir found = directory.below.get(name);
    if (found != null && found != known) {
      left.add(found);
    }
  }

  /// Null if it is gone already, or something else in its place: its parent tells.
  private static @Nullable Listing listIfThere(Path directory) throws IOException {
    try {
      return Listing.open(directory, Way.AWAITED);
    } catch (NoSuchFileException goneAlready) {
      return null;
    } catch (UvException e) {
      if (e.code().equals("ENOTDIR")) {
        return null;
      }
      throw e;
    }
  }

  /// At once: whatever removes it after this is told after this. What was removed since it was listed
  /// may have been told already, and must not come back.
  private boolean isStillThere(Path entry) {
    try {
      files.lstat(entry, FileInfo::new).now();
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    } catch (IOException e) {
      return !(e instanceof UvException failure && failure.code().equals("ENOTDIR"));
    }
  }

  private boolean isDirectory(DirEntry entry) throws IOException {
    return entry.type() == FileType.UNKNOWN
        ? Asking.isDirectory(Way.AWAITED, files.lstat(entry.path(), FileInfo::new))
        : entry.isDirectory();
  }
}
