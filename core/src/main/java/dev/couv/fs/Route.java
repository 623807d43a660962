// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.error.UvException;
import dev.couv.world.FileCalls;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a path leads, link by link: what must be watched for it to lead elsewhere.
///
/// @param turns the links on the way, and what is missing on it
/// @param end the last name, where no link is left; null if the path has none, or the way to it ends before
/// @param info what is there, or null
record Route(List<Turn> turns, @Nullable Turn end, Path real, @Nullable FileInfo info) {
  /// As many links as the system follows.
  private static final int MOST_LINKS = 40;

  /// A name in a directory, which is reached without links.
  record Turn(Path directory, Path name) {}

  static Route of(Way way, FileCalls files, Path path) throws IOException {
    List<Turn> turns = new ArrayList<>();
    Deque<Path> left = new ArrayDeque<>();
    path.forEach(left::add);
    Path at = start(path);
    Turn end = null;
    FileInfo info = null;
    for (int links = 0; !left.isEmpty(); ) {
      Path name = left.pop();
      String text = name.toString();
      if (text.isEmpty() || text.equals(".")) {
        continue;
      }
      if (text.equals("..")) {
        at = at.resolve(name);
        end = null;
        info = null;
        continue;
      }
      Turn turn = new Turn(at, name);
      Path next = at.resolve(name);
      info = infoOrNull(way, files, next);
      if (info != null && info.isSymbolicLink() && links++ < MOST_LINKS) {
        turns.add(turn);
        Path target = way.make(files.readlink(next));
        pushAll(left, target);
        at = target.isAbsolute() ? start(target) : at;
      } else if (info == null
          || info.isSymbolicLink()
          || (!info.isDirectory() && !left.isEmpty())) {
        turns.add(turn);
        return new Route(turns, left.isEmpty() ? turn : null, next, null);
      } else {
        at = next;
        end = turn;
      }
    }
    return new Route(turns, end, at, info == null ? infoOrNull(way, files, at) : info);
  }

  private static Path start(Path path) {
    return path.isAbsolute() ? path.getRoot() : Path.of("");
  }

  private static void pushAll(Deque<Path> left, Path target) {
    for (int i = target.getNameCount() - 1; i >= 0; i--) {
      left.push(target.getName(i));
    }
  }

  private static @Nullable FileInfo infoOrNull(Way way, FileCalls files, Path path)
      throws IOException {
    try {
      return way.make(files.lstat(path, FileInfo::new));
    } catch (NoSuchFileException absent) {
      return null;
    } catch (UvException e) {
      if (e.code().equals("ENOTDIR") || e.code().equals("ELOOP")) {
        return null;
      }
      throw e;
    }
  }

  boolean isDirectory() {
    return info != null && info.isDirectory();
  }

  /// Whether both lead to the same, by the same way.
  boolean isSame(Route other) {
    return turns.equals(other.turns) && leadsTo(other.info);
  }

  /// Whether it leads to that one, or nowhere if that is null.
  boolean leadsTo(@Nullable FileInfo other) {
    return info == null ? other == null : other != null && info.isSameFile(other);
  }
}
