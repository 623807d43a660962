// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.uv.FileLayouts;
import dev.couv.uv.Memory;

/// What the system knows about the file system that a path is on.
///
/// @param type its number: 0xEF53 for ext4, 0x01021994 for tmpfs, …
/// @param blockBytes how large its blocks are
/// @param freeBlocks that nobody uses
/// @param availableBlocks likewise, for those who are not root
/// @param files how many it can have
/// @param freeFiles how many more
public record FileSystemInfo(
    long type,
    long blockBytes,
    long blocks,
    long freeBlocks,
    long availableBlocks,
    long files,
    long freeFiles) {

  static FileSystemInfo read(long statfs) {
    return new FileSystemInfo(
        Memory.getLong(statfs + FileLayouts.STATFS_TYPE),
        Memory.getLong(statfs + FileLayouts.STATFS_BSIZE),
        Memory.getLong(statfs + FileLayouts.STATFS_BLOCKS),
        Memory.getLong(statfs + FileLayouts.STATFS_BFREE),
        Memory.getLong(statfs + FileLayouts.STATFS_BAVAIL),
        Memory.getLong(statfs + FileLayouts.STATFS_FILES),
        Memory.getLong(statfs + FileLayouts.STATFS_FFREE));
  }

  public long totalBytes() {
    return blocks * blockBytes;
  }

  /// What one who is not root can still write.
  public long availableBytes() {
    return availableBlocks * blockBytes;
  }
}
