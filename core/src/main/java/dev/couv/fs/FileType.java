// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

/// What kind of file something is.
public enum FileType {
  /// An ordinary file.
  REGULAR_FILE,
  /// A directory.
  DIRECTORY,
  /// A symbolic link.
  SYMBOLIC_LINK,
  /// A named pipe.
  FIFO,
  /// A local socket's name.
  SOCKET,
  /// A device that is read and written byte by byte: a terminal, for example.
  CHARACTER_DEVICE,
  /// A device with places: a disk.
  BLOCK_DEVICE,
  /// Something else, or a directory entry of which the file system does not tell: [Fs#infoOfLink]
  /// does.
  UNKNOWN;

  private static final int TYPE_BITS = 0xF000;

  /// By the bits that POSIX gives the types.
  static FileType ofMode(int mode) {
    return switch (mode & TYPE_BITS) {
      case 0x1000 -> FIFO;
      case 0x2000 -> CHARACTER_DEVICE;
      case 0x4000 -> DIRECTORY;
      case 0x6000 -> BLOCK_DEVICE;
      case 0x8000 -> REGULAR_FILE;
      case 0xA000 -> SYMBOLIC_LINK;
      case 0xC000 -> SOCKET;
      default -> UNKNOWN;
    };
  }
}
