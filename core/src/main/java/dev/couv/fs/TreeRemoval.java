// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.error.UvException;
import dev.couv.uv.FileLayouts;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Removes a directory with everything in it. Symbolic links are removed, not followed. What somebody
/// else removes meanwhile is as good as removed.
///
/// ## Never through a link
///
/// A path says where something was. If somebody puts a link in the place of a directory between two
/// calls, paths through it lead elsewhere, and there the files would be removed. So each directory is
/// opened, which fails for a link, and everything in it is named by way of the open directory:
/// `/proc/self/fd/7/name`. The way back up is `..`, and what is found there must be the directory that
/// the way down began in. One directory is open at a time, however deep the tree. Where the system has
/// no such paths the plain ones must do.
final class TreeRemoval {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private static final boolean HAS_OPEN_FILES = new File(OPEN_FILES.toString()).isDirectory();

  private static final int DIRECTORY_ITSELF =
      FileLayouts.UV_FS_O_RDONLY | FileLayouts.UV_FS_O_DIRECTORY | FileLayouts.UV_FS_O_NOFOLLOW;

  private final Way way;

  TreeRemoval(Way way) {
    this.way = way;
  }

  void remove(Path path) throws IOException {
    if (way.make(FileCalls.lstat(path)).isDirectory()) {
      empty(path);
      way.make(FileCalls.rmdir(path));
    } else {
      way.make(FileCalls.unlink(path));
    }
  }

  /// A directory on the way down: which one it is, and what is left to go down into.
  private record Level(Path path, FileInfo info, Deque<Path> below) {}

  private void empty(Path path) throws IOException {
    Deque<Level> above = new ArrayDeque<>();
    OpenFile directory = open(path, path);
    try {
      Level level = unlinkFiles(directory, path);
      while (true) {
        Path child = level.below().poll();
        if (child != null) {
          OpenFile below = openChild(directory, child);
          if (below != null) {
            directory.close();
            directory = below;
            above.push(level);
            level = unlinkFiles(directory, child);
          }
        } else if (above.isEmpty()) {
          return;
        } else {
          Path emptied = level.path();
          level = above.pop();
          OpenFile up = open(in(directory, emptied, Path.of("..")), level.path());
          directory.close();
          directory = up;
          checkSame(level, info(directory));
          removeDirectory(directory, emptied);
        }
      }
    } finally {
      directory.close();
    }
  }

  /// Null if there is nothing to go down into any more.
  private @Nullable OpenFile openChild(OpenFile directory, Path child) throws IOException {
    Path used = in(directory, parent(child), child.getFileName());
    try {
      return open(used, child);
    } catch (NoSuchFileException goneAlready) {
      return null;
    } catch (UvException e) {
      if (!e.code().equals("ENOTDIR") && !e.code().equals("ELOOP")) {
        throw e;
      }
      unlink(used, child); // no directory any more
      return null;
    }
  }

  /// Unlinks all but the directories, and returns those.
  private Level unlinkFiles(OpenFile directory, Path path) throws IOException {
    Deque<Path> below = new ArrayDeque<>();
    try (Listing entries = Listing.open(path, in(directory, path, Path.of("")), way)) {
      for (DirEntry entry; (entry = entries.next()) != null; ) {
        Path child = entry.path();
        Path used = in(directory, path, child.getFileName());
        if (entry.isDirectory() || (entry.type() == FileType.UNKNOWN && isDirectory(used, child))) {
          below.add(child);
        } else {
          unlink(used, child);
        }
      }
    }
    return new Level(path, info(directory), below);
  }

  private boolean isDirectory(Path used, Path path) throws IOException {
    try {
      return way.make(FileCalls.lstat(used).named(path.toString())).isDirectory();
    } catch (NoSuchFileException goneAlready) {
      return false;
    }
  }

  private void unlink(Path used, Path path) throws IOException {
    try {
      way.make(FileCalls.unlink(used).named(path.toString()));
    } catch (NoSuchFileException goneAlready) {
      return;
    }
  }

  private void removeDirectory(OpenFile parent, Path path) throws IOException {
    Path used = in(parent, parent(path), path.getFileName());
    try {
      way.make(FileCalls.rmdir(used).named(path.toString()));
    } catch (NoSuchFileException goneAlready) {
      return;
    }
  }

  private OpenFile open(Path used, Path path) throws IOException {
    return OpenFile.open(
        way, FileCalls.open(used, DIRECTORY_ITSELF, 0).named(path.toString()), path);
  }

  /// At once: it is open, so this asks nobody but the kernel's memory.
  private static FileInfo info(OpenFile directory) throws IOException {
    return FileCalls.fstat(directory.descriptor(), directory.toString()).now();
  }

  private static void checkSame(Level level, FileInfo found) throws IOException {
    if (found.inode() != level.info().inode() || found.device() != level.info().device()) {
      throw new FileSystemException(
          level.path().toString(), null, "a directory below was moved while this was removed");
    }
  }

  /// A name in an open directory, which was opened by that path.
  private static Path in(OpenFile directory, Path path, Path name) throws IOException {
    Path start =
        HAS_OPEN_FILES ? OPEN_FILES.resolve(Integer.toString(directory.descriptor())) : path;
    return start.resolve(name);
  }

  private static Path parent(Path child) {
    Path parent = child.getParent();
    return parent == null ? Path.of("") : parent;
  }
}
