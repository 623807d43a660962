// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.PathBytes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/// Makes a directory and those above it that are missing.
final class MissingDirs {
  private MissingDirs() {}

  /// From the top: the first that is there, then those below.
  static void make(Way way, Path path) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path each = PathBytes.check(path);
        each != null && !isDirectory(way, each);
        each = each.getParent()) {
      missing.push(each);
    }
    for (Path each : missing) {
      try {
        way.make(Way.files().mkdir(each, Permissions.OF_DIRECTORY));
      } catch (FileAlreadyExistsException e) {
        if (!isDirectory(way, each)) {
          throw e; // else somebody else was quicker
        }
      }
    }
  }

  private static boolean isDirectory(Way way, Path path) throws IOException {
    return Asking.isDirectory(way, Way.files().stat(path, FileInfo::new));
  }
}
