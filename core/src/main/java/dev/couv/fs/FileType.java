// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.FileLayouts;
import dev.couv.uv.UvDir;

/// What kind of file something is.
public enum FileType {
  REGULAR_FILE,
  DIRECTORY,
  SYMBOLIC_LINK,
  /// A named pipe.
  FIFO,
  SOCKET,
  CHARACTER_DEVICE,
  BLOCK_DEVICE,
  /// Something else, or a directory entry of which the file system does not tell: [Fs#infoOfLink]
  /// does.
  UNKNOWN;

  static FileType ofMode(long mode) {
    return switch ((int) mode & FileLayouts.S_IFMT) {
      case FileLayouts.S_IFREG -> REGULAR_FILE;
      case FileLayouts.S_IFDIR -> DIRECTORY;
      case FileLayouts.S_IFLNK -> SYMBOLIC_LINK;
      case FileLayouts.S_IFIFO -> FIFO;
      case FileLayouts.S_IFSOCK -> SOCKET;
      case FileLayouts.S_IFCHR -> CHARACTER_DEVICE;
      case FileLayouts.S_IFBLK -> BLOCK_DEVICE;
      default -> UNKNOWN;
    };
  }

  static FileType ofEntry(int type) {
    return switch (type) {
      case UvDir.UV_DIRENT_FILE -> REGULAR_FILE;
      case UvDir.UV_DIRENT_DIR -> DIRECTORY;
      case UvDir.UV_DIRENT_LINK -> SYMBOLIC_LINK;
      case UvDir.UV_DIRENT_FIFO -> FIFO;
      case UvDir.UV_DIRENT_SOCKET -> SOCKET;
      case UvDir.UV_DIRENT_CHAR -> CHARACTER_DEVICE;
      case UvDir.UV_DIRENT_BLOCK -> BLOCK_DEVICE;
      default -> UNKNOWN;
    };
  }
}
