// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.nio.file.Path;

/// A file in a directory that is being listed.
///
/// @param path the directory's path with the name behind it
/// @param type what the file system told along with the name; `UNKNOWN` where it tells nothing
public record DirEntry(Path path, FileType type) {
  /// Its name in the directory.
  public String name() {
    return String.valueOf(path.getFileName());
  }

  /// Whether it is known to be a directory.
  public boolean isDirectory() {
    return type == FileType.DIRECTORY;
  }

  /// Whether it is known to be an ordinary file.
  public boolean isRegularFile() {
    return type == FileType.REGULAR_FILE;
  }

  /// Whether it is known to be a symbolic link.
  public boolean isSymbolicLink() {
    return type == FileType.SYMBOLIC_LINK;
  }
}
