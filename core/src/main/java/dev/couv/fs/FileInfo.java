// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Set;

/// What the system knows about a file: every field of `uv_stat_t`.
///
/// @param device the device it is on
/// @param mode its type and its permission bits, as C has them
/// @param links how many names it has
/// @param specialDevice the device it is, if it is one
/// @param blockBytes the best size of a piece to read or write
/// @param blocks of 512 bytes that it takes on the device: fewer than its size needs, if it has holes
/// @param flags of the BSDs; 0 elsewhere
/// @param generation of the BSDs; 0 elsewhere
/// @param changed when anything about it changed, its permissions for example
/// @param created if the file system knows, else the same as `changed`
public record FileInfo(
    long device,
    int mode,
    long links,
    int uid,
    int gid,
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

  static FileInfo read(long stat) {
    return new FileInfo(
        Memory.getLong(stat + FileLayouts.STAT_DEV),
        (int) Memory.getLong(stat + FileLayouts.STAT_MODE),
        Memory.getLong(stat + FileLayouts.STAT_NLINK),
        (int) Memory.getLong(stat + FileLayouts.STAT_UID),
        (int) Memory.getLong(stat + FileLayouts.STAT_GID),
        Memory.getLong(stat + FileLayouts.STAT_RDEV),
        Memory.getLong(stat + FileLayouts.STAT_INO),
        Memory.getLong(stat + FileLayouts.STAT_SIZE),
        Memory.getLong(stat + FileLayouts.STAT_BLKSIZE),
        Memory.getLong(stat + FileLayouts.STAT_BLOCKS),
        Memory.getLong(stat + FileLayouts.STAT_FLAGS),
        Memory.getLong(stat + FileLayouts.STAT_GEN),
        instant(stat + FileLayouts.STAT_ATIM),
        instant(stat + FileLayouts.STAT_MTIM),
        instant(stat + FileLayouts.STAT_CTIM),
        instant(stat + FileLayouts.STAT_BIRTHTIM));
  }

  private static Instant instant(long timespec) {
    // File systems in memory keep any number; the JDK's time ends in a billion years.
    long seconds =
        Math.clamp(
            FileLayouts.seconds(timespec),
            Instant.MIN.getEpochSecond(),
            Instant.MAX.getEpochSecond());
    return Instant.ofEpochSecond(seconds, FileLayouts.nanos(timespec));
  }

  /// Whether both are about one file, whatever its names are.
  boolean isSameFile(FileInfo other) {
    return inode == other.inode && device == other.device;
  }

  public FileType type() {
    return FileType.ofMode(mode);
  }

  public boolean isRegularFile() {
    return type() == FileType.REGULAR_FILE;
  }

  public boolean isDirectory() {
    return type() == FileType.DIRECTORY;
  }

  public boolean isSymbolicLink() {
    return type() == FileType.SYMBOLIC_LINK;
  }

  /// The nine permissions; the other bits are in [#mode].
  public Set<PosixFilePermission> permissions() {
    return Permissions.of(mode);
  }
}
