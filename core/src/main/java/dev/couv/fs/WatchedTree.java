// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.error.UvException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.PathBytes;
import dev.couv.uv.Inotify;
import dev.couv.uv.Memory;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A directory that is watched, with those below it if that is wanted, or one file in it.
///
/// ## Directories that come and go
///
/// A directory that appears is watched at once; what had been put into it before that is found by listing
/// it, and told. It may be told twice: better than never. One that is moved away is not watched any more,
/// with all below it; one that is removed, the system forgets by itself. When that is the one at the top,
/// the directory it was in is watched until it comes again.
///
/// ## One file
///
/// Its directory is watched: a file that is replaced, as editors do, would otherwise be lost.
final class WatchedTree implements InotifyHandle.Receiver {
  private static final int MASK =
      Inotify.IN_CREATE
          | Inotify.IN_MODIFY
          | Inotify.IN_ATTRIB
          | Inotify.IN_DELETE
          | Inotify.IN_MOVED_FROM
          | Inotify.IN_MOVED_TO
          | Inotify.IN_DELETE_SELF
          | Inotify.IN_MOVE_SELF
          | Inotify.IN_EXCL_UNLINK;

  private static final int NOWHERE = -1;

  private final Loop coroutines;
  private final Path path;

  /// The one file that is watched, by name, or null for all.
  private final @Nullable Path only;

  private final boolean recursive;
  private final Debounce changes;
  private final InotifyHandle inotify;
  private final Map<Integer, Path> directories = new HashMap<>();

  /// Where the directory at the top is awaited after it has gone: the number of the one it was in, or
  /// [#NOWHERE].
  private int awaitedIn = NOWHERE;

  private WatchedTree(
      Loop coroutines,
      EventLoop loop,
      Path path,
      @Nullable Path only,
      boolean recursive,
      Debounce changes)
      throws IOException {
    this.coroutines = coroutines;
    this.path = path;
    this.only = only;
    this.recursive = recursive;
    this.changes = changes;
    this.inotify = InotifyHandle.open(loop, path.toString());
  }

  static WatchedTree open(
      Loop coroutines,
      EventLoop loop,
      Path path,
      FileInfo info,
      boolean recursive,
      Debounce changes)
      throws IOException {
    boolean directory = info.isDirectory();
    WatchedTree tree =
        new WatchedTree(
            coroutines,
            loop,
            path,
            directory ? null : path.getFileName(),
            recursive && directory,
            changes);
    try {
      Path parent = path.getParent();
      Path watched = directory ? path : parent == null ? Path.of("") : parent;
      int code = tree.add(watched);
      if (code < 0) {
        throw Failures.ofFile(code, "watch", path.toString());
      }
      tree.inotify.start(tree);
    } catch (Throwable failed) {
      tree.close();
      throw failed;
    }
    return tree;
  }

  /// Waits until all directories below are watched, too.
  void watchBelow() throws IOException {
    if (recursive) {
      descend(path, false);
    }
  }

  /// Watches the directories below, and tells of what is in them if that may be news.
  private void descend(Path from, boolean news) throws IOException {
    ArrayDeque<Path> left = new ArrayDeque<>(List.of(from));
    while (!left.isEmpty() && inotify.isOpen()) {
      Path directory = left.removeFirst();
      Listing entries = listIfThere(directory);
      if (entries != null) {
        try (entries) {
          look(entries, left, news);
        }
      }
    }
  }

  /// Null if it is gone already, or something else in its place: its parent tells.
  private static @Nullable Listing listIfThere(Path directory) throws IOException {
    try {
      return Fs.list(directory);
    } catch (NoSuchFileException goneAlready) {
      return null;
    } catch (UvException e) {
      if (e.code().equals("ENOTDIR")) {
        return null;
      }
      throw e;
    }
  }

  private void look(Listing entries, ArrayDeque<Path> left, boolean news) throws IOException {
    for (DirEntry entry; (entry = entries.next()) != null; ) {
      if (news && isStillThere(entry.path())) {
        changes.changed(entry.path(), ChangeKind.CREATED);
      }
      if (recursive && isDirectory(entry) && inotify.isOpen()) {
        int code = add(entry.path());
        if (code >= 0) {
          left.add(entry.path());
        } else if (!isGone(code)) {
          throw Failures.ofFile(code, "watch", entry.path().toString());
        }
      }
    }
  }

  /// At once: whatever removes it after this is told after this. What was removed since it was listed
  /// may have been told already, and must not come back.
  private static boolean isStillThere(Path entry) {
    try {
      FileCalls.lstat(entry).now();
      return true;
    } catch (NoSuchFileException gone) {
      return false;
    } catch (IOException e) {
      return !(e instanceof UvException failure && failure.code().equals("ENOTDIR"));
    }
  }

  private static boolean isGone(int code) {
    return code == UvErrors.code("ENOENT")
        || code == UvErrors.code("ENOTDIR")
        || code == UvErrors.code("ELOOP");
  }

  private static boolean isDirectory(DirEntry entry) throws IOException {
    try {
      return entry.type() == FileType.UNKNOWN
          ? Fs.infoOfLink(entry.path()).isDirectory()
          : entry.isDirectory();
    } catch (NoSuchFileException goneAlready) {
      return false;
    }
  }

  /// A negative code if the system refused.
  private int add(Path directory) {
    long name = PathBytes.allocate(directory);
    try {
      // A link may lead to what is watched. One that takes the place of a directory below is none.
      int mask = directory.equals(path) || only != null ? MASK : MASK | Inotify.IN_DONT_FOLLOW;
      int number = inotify.add(name, mask | Inotify.IN_ONLYDIR);
      if (number >= 0) {
        directories.put(number, directory);
      }
      return number;
    } finally {
      Memory.free(name);
    }
  }

  @Override
  public void happened(int number, int mask, @Nullable Path name) {
    if ((mask & Inotify.IN_Q_OVERFLOW) != 0) {
      overflow();
      return;
    }
    if (number == awaitedIn) {
      ofParent(mask, name);
      return;
    }
    Path directory = directories.get(number);
    if (directory == null) {
      return; // moved away before this came
    }
    if ((mask & Inotify.IN_IGNORED) != 0) {
      directories.remove(number);
    } else if (name == null) {
      ofDirectoryItself(directory, mask);
    } else if (only == null || only.equals(name)) {
      ofEntry(only == null ? directory.resolve(name) : path, mask);
    }
  }

  private void ofParent(int mask, @Nullable Path name) {
    if ((mask & (Inotify.IN_IGNORED | Inotify.IN_UNMOUNT)) != 0) {
      awaitedIn = NOWHERE;
    } else if (path.getFileName().equals(name)) {
      cameAgain();
    }
  }

  /// Only the one at the top is told by its own event: of the others, their parents tell.
  private void ofDirectoryItself(Path directory, int mask) {
    boolean moved = (mask & Inotify.IN_MOVE_SELF) != 0;
    boolean gone = moved || (mask & (Inotify.IN_DELETE_SELF | Inotify.IN_UNMOUNT)) != 0;
    if (only != null) {
      if (moved || (mask & Inotify.IN_UNMOUNT) != 0) {
        changes.changed(path, ChangeKind.REMOVED); // with the directory it is in
        forget(directory);
      }
    } else if (directory.equals(path)) {
      if (gone) {
        changes.changed(path, ChangeKind.REMOVED);
        forget(path); // what happens elsewhere now is none of its changes
        awaitAgain();
      } else if ((mask & Inotify.IN_ATTRIB) != 0) {
        changes.changed(path, ChangeKind.ATTRIBUTES);
      }
    } else if ((mask & Inotify.IN_UNMOUNT) != 0) {
      overflow(); // what is there now is another directory
    }
  }

  /// A directory may be among what was lost, and the one at the top may be another.
  private void overflow() {
    changes.changed(path, ChangeKind.OVERFLOW);
    if (only == null && isGone(add(path))) {
      awaitAgain();
    } else if (recursive) {
      later(path);
    }
  }

  /// The one at the top has gone. If the one it was in has gone, too, that was all.
  private void awaitAgain() {
    Path parent = path.getFileName() == null ? null : path.resolveSibling("");
    if (parent != null && awaitedIn == NOWHERE) {
      long name = PathBytes.allocate(parent);
      try {
        int mask = Inotify.IN_CREATE | Inotify.IN_MOVED_TO | Inotify.IN_ONLYDIR;
        awaitedIn = Math.max(NOWHERE, inotify.add(name, mask));
      } finally {
        Memory.free(name);
      }
      cameAgain(); // before that could be seen
    }
  }

  private void cameAgain() {
    int code = add(path);
    if (code >= 0) {
      if (awaitedIn != NOWHERE) {
        inotify.remove(awaitedIn);
        awaitedIn = NOWHERE;
      }
      changes.changed(path, ChangeKind.CREATED);
      later(path);
    } else if (!isGone(code)) {
      changes.changed(path, ChangeKind.OVERFLOW); // what happens in it will not be told
    }
  }

  private void ofEntry(Path entry, int mask) {
    boolean directory = (mask & Inotify.IN_ISDIR) != 0;
    if ((mask & (Inotify.IN_CREATE | Inotify.IN_MOVED_TO)) != 0) {
      changes.changed(entry, ChangeKind.CREATED);
      if (directory && recursive) {
        appeared(entry);
      }
    } else if ((mask & (Inotify.IN_DELETE | Inotify.IN_MOVED_FROM)) != 0) {
      if (directory && (mask & Inotify.IN_MOVED_FROM) != 0) {
        forget(entry);
      }
      changes.changed(entry, ChangeKind.REMOVED);
    } else if ((mask & Inotify.IN_MODIFY) != 0) {
      changes.changed(entry, ChangeKind.MODIFIED);
    } else if ((mask & Inotify.IN_ATTRIB) != 0) {
      changes.changed(entry, ChangeKind.ATTRIBUTES);
    }
  }

  private void appeared(Path directory) {
    int code = add(directory);
    if (code >= 0) {
      later(directory);
    } else if (!isGone(code)) {
      changes.changed(path, ChangeKind.OVERFLOW); // what happens in it will not be told
    }
  }

  private void forget(Path moved) {
    for (Map.Entry<Integer, Path> each : List.copyOf(directories.entrySet())) {
      if (each.getValue().startsWith(moved)) {
        directories.remove(each.getKey());
        inotify.remove(each.getKey());
      }
    }
  }

  /// Listing waits, so a coroutine does it. What it cannot watch is as good as lost, and told so.
  private void later(Path directory) {
    try {
      Action scan =
          () -> {
            try {
              descend(directory, true);
            } catch (IOException e) {
              changes.changed(path, ChangeKind.OVERFLOW);
            }
          };
      coroutines.spawn(scan).named("watching " + directory);
    } catch (ClosedException loopEnds) {
      // nobody is left to be told
    }
  }

  void close() {
    directories.clear();
    inotify.close();
  }
}
