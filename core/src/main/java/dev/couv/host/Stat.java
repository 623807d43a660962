// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Fields;
import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;
import dev.couv.world.FileFacts;
import dev.couv.world.FileSystemFacts;
import java.time.Instant;

/// Reads `uv_stat_t` and `uv_statfs_t`.
final class Stat {
  /// Which file it is, whatever its names are.
  record Identity(long device, long inode) {}

  /// Tells which one it is.
  static final FileFacts<Identity> IDENTITY =
      (device, _, _, _, _, _, inode, _, _, _, _, _, _, _, _, _) -> new Identity(device, inode);

  private Stat() {}

  static <T> T read(long stat, FileFacts<T> facts) {
    return facts.of(
        Memory.getLong(stat + FileLayouts.STAT_DEV),
        (int) Memory.getLong(stat + FileLayouts.STAT_MODE),
        Memory.getLong(stat + FileLayouts.STAT_NLINK),
        Memory.getLong(stat + FileLayouts.STAT_UID),
        Memory.getLong(stat + FileLayouts.STAT_GID),
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

  /// Whether calls on it end: it is a file with places.
  static boolean isRegular(long stat) {
    int type = (int) Memory.getLong(stat + FileLayouts.STAT_MODE) & FileLayouts.S_IFMT;
    return type == FileLayouts.S_IFREG || type == FileLayouts.S_IFBLK;
  }

  /// Whether both tell of the same bytes, as far as can be known.
  static boolean isSameContent(long one, long other) {
    return Memory.getLong(one + FileLayouts.STAT_SIZE)
            == Memory.getLong(other + FileLayouts.STAT_SIZE)
        && instant(one + FileLayouts.STAT_MTIM).equals(instant(other + FileLayouts.STAT_MTIM))
        && Memory.getLong(one + FileLayouts.STAT_INO)
            == Memory.getLong(other + FileLayouts.STAT_INO);
  }

  static <T> T readFileSystem(long statfs, FileSystemFacts<T> facts) {
    Fields of = new Fields(FileLayouts.UV_STATFS_T, statfs);
    return facts.of(
        of.getLong("f_type"),
        of.getLong("f_bsize"),
        of.getLong("f_blocks"),
        of.getLong("f_bfree"),
        of.getLong("f_bavail"),
        of.getLong("f_files"),
        of.getLong("f_ffree"));
  }
}
