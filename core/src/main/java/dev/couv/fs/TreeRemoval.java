// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Removes a directory with everything in it. Symbolic links are removed, not followed. What somebody
/// else removes meanwhile is as good as removed.
final class TreeRemoval {
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

  private void empty(Path directory) throws IOException {
    List<Path> inside = new ArrayList<>();
    try (Listing entries = Listing.open(directory, way)) {
      for (DirEntry entry; (entry = entries.next()) != null; ) {
        switch (entry.type()) {
          // Later: so a deep tree does not need a descriptor for each of its levels.
          case DIRECTORY, UNKNOWN -> inside.add(entry.path());
          default -> unlink(entry.path());
        }
      }
    }
    for (Path path : inside) {
      try {
        remove(path);
      } catch (NoSuchFileException goneAlready) {
        // as good as removed
      }
    }
  }

  private void unlink(Path path) throws IOException {
    try {
      way.make(FileCalls.unlink(path));
    } catch (NoSuchFileException goneAlready) {
      // as good as removed
    }
  }
}
