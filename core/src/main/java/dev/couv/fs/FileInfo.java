// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Set;

/// What the system knows about a file: every field of `uv_stat_t`.
///
/// @param device the device it is on
/// @param mode its type and its permission bits, as C has them
/// @param links how many names it has
/// @param uid the number of its owner
/// @param gid the number of its group
/// @param specialDevice the device it is, if it is one
/// @param inode its number on the device
/// @param size how many bytes it has
/// @param blockBytes the best size of a piece to read or write
/// @param blocks of 512 bytes that it takes on the device: fewer than its size needs, if it has holes
/// @param flags of the BSDs; 0 elsewhere
/// @param generation of the BSDs; 0 elsewhere
/// @param accessed when it was last read, as far as the file system keeps that
/// @param modified when its bytes last changed
/// @param changed when anything about it changed, its permissions for example
/// @param created if the file system knows, else the same as `changed`
public record FileInfo(
    long device,
    int mode,
    long links,
    long uid,
    long gid,
    long specialDevice,
    long inode,
    long size,
    long blockBytes,
    long blocks,
    long flags,
    long generation,
    Instant accessed,
    Instant modified,
    Instant changed,
    Instant created) {
  /// Whether both are about one file, whatever its names are.
  boolean isSameFile(FileInfo other) {
    return inode == other.inode && device == other.device;
  }

  /// What kind of file it is.
  public FileType type() {
    return FileType.ofMode(mode);
  }

  /// Whether it is an ordinary file.
  public boolean isRegularFile() {
    return type() == FileType.REGULAR_FILE;
  }

  /// Whether it is a directory.
  public boolean isDirectory() {
    return type() == FileType.DIRECTORY;
  }

  /// Whether it is a symbolic link, asked about itself.
  public boolean isSymbolicLink() {
    return type() == FileType.SYMBOLIC_LINK;
  }

  /// The nine permissions; the other bits are in [#mode].
  public Set<PosixFilePermission> permissions() {
    return Permissions.of(mode);
  }
}
