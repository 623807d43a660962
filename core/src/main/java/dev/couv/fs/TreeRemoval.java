// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.error.UvException;
import dev.couv.loop.Failures;
import dev.couv.world.FileCall;
import dev.couv.world.FileCalls;
import dev.couv.world.FileHandle;
import dev.couv.world.OpenedFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Removes a directory with everything in it. Symbolic links are removed, not followed. What somebody
/// else removes meanwhile is as good as removed.
///
/// ## Never through a link
///
/// A path says where something was. If somebody puts a link in the place of a directory between two
/// calls, paths through it lead elsewhere, and there the files would be removed. So each directory is
/// opened, which fails for a link, and everything in it is named by way of the open directory:
/// `/proc/self/fd/7/name` on Linux. The way back up is `..`, and what is found there must be the directory that
/// the way down began in. One directory is open at a time, however deep the tree. Where the system has
/// no such paths the plain ones must do.
///
/// A path is as long as the tree is deep, so of each directory on the way down only the name is kept ([Place]).
final class TreeRemoval {
  private final Way way;
  private final FileCalls files = Way.files();

  TreeRemoval(Way way) {
    this.way = way;
  }

  void remove(Path path) throws IOException {
    checkRemovable(path);
    if (way.make(files.lstat(path, FileInfo::new)).isDirectory()) {
      empty(path);
      way.make(files.rmdir(path));
    } else {
      way.make(files.unlink(path));
    }
  }

  /// The system refuses to remove these, but only when everything in them is gone.
  private static void checkRemovable(Path path) throws IOException {
    Path name = path.getFileName();
    switch (name == null ? "/" : name.toString()) {
      case "", ".", "..", "/" -> throw Failures.ofFile("EINVAL", "removeTree", path.toString());
      default -> {}
    }
  }

  /// Something in the tree, for failures: its path is put together only when it is shown.
  private record Place(@Nullable Place parent, Path name) {
    Place resolve(Path child) {
      return new Place(this, child);
    }

    private Deque<Path> names() {
      Deque<Path> names = new ArrayDeque<>();
      for (Place each = this; each != null; each = each.parent) {
        names.push(each.name);
      }
      return names;
    }

    Path path() {
      return names().stream().reduce(Path.of(""), Path::resolve);
    }

    @Override
    public String toString() {
      return names().stream().map(Path::toString).collect(Collectors.joining("/"));
    }
  }

  /// A directory on the way down: which one it is, and the names of what is left to go down into.
  private record Level(Place place, FileInfo info, Deque<Path> below) {}

  private void empty(Path path) throws IOException {
    Deque<Level> above = new ArrayDeque<>();
    Place top = new Place(null, path);
    OpenedFile<FileInfo> directory = open(path, top);
    try {
      Level level = unlinkFiles(directory, top);
      while (true) {
        Path child = level.below().poll();
        if (child != null) {
          OpenedFile<FileInfo> below = openChild(directory.file(), level.place(), child);
          if (below != null) {
            directory.file().close();
            directory = below;
            above.push(level);
            level = unlinkFiles(directory, level.place().resolve(child));
          }
        } else if (above.isEmpty()) {
          return;
        } else {
          Place emptied = level.place();
          level = above.pop();
          OpenedFile<FileInfo> up =
              open(in(directory.file(), emptied, Path.of("..")), level.place());
          directory.file().close();
          directory = up;
          checkSame(level, directory.info());
          Path used = in(directory.file(), level.place(), emptied.name());
          removeIfThere(files.rmdir(used).named(emptied));
        }
      }
    } finally {
      directory.file().close();
    }
  }

  /// Null if there is nothing to go down into any more.
  private @Nullable OpenedFile<FileInfo> openChild(FileHandle directory, Place parent, Path child)
      throws IOException {
    Path used = in(directory, parent, child);
    Place place = parent.resolve(child);
    try {
      return open(used, place);
    } catch (NoSuchFileException goneAlready) {
      return null;
    } catch (UvException e) {
      if (!e.code().equals("ENOTDIR") && !e.code().equals("ELOOP")) {
        throw e;
      }
      unlink(used, place); // no directory any more
      return null;
    }
  }

  /// Unlinks all but the directories, and returns those.
  private Level unlinkFiles(OpenedFile<FileInfo> opened, Place place) throws IOException {
    FileHandle directory = opened.file();
    Deque<Path> below = new ArrayDeque<>();
    try (Listing entries = Listing.names(place, in(directory, place, Path.of("")), way)) {
      for (DirEntry entry; (entry = entries.next()) != null; ) {
        Path name = entry.path();
        Path used = in(directory, place, name);
        Place child = place.resolve(name);
        if (entry.isDirectory() || (entry.type() == FileType.UNKNOWN && isDirectory(used, child))) {
          below.add(name);
        } else {
          unlink(used, child);
        }
      }
    }
    return new Level(place, opened.info(), below);
  }

  private boolean isDirectory(Path used, Place place) throws IOException {
    return Asking.isDirectory(way, files.lstat(used, FileInfo::new).named(place));
  }

  private void unlink(Path used, Place place) throws IOException {
    removeIfThere(files.unlink(used).named(place));
  }

  private void removeIfThere(FileCall<?> removal) throws IOException {
    try {
      way.make(removal);
    } catch (NoSuchFileException goneAlready) {
      return;
    }
  }

  private OpenedFile<FileInfo> open(Path used, Place place) throws IOException {
    return way.make(files.openPlace(used, FileInfo::new).named(place));
  }

  private static void checkSame(Level level, FileInfo found) throws IOException {
    if (!found.isSameFile(level.info())) {
      throw new FileSystemException(
          level.place().toString(), null, "a directory below was moved while this was removed");
    }
  }

  /// A name in an open directory, which is at that place.
  private static Path in(FileHandle directory, Place place, Path name) {
    Path start = directory.path();
    return (start == null ? place.path() : start).resolve(name);
  }
}
