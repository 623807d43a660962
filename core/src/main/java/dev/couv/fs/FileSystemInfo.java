// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

/// What the system knows about the file system that a path is on.
///
/// @param type its number: 0xEF53 for ext4, 0x01021994 for tmpfs, …
/// @param blockBytes how large its blocks are
/// @param blocks how many it has
/// @param freeBlocks how many nobody uses
/// @param availableBlocks how many of the free ones are for those who are not root
/// @param files how many it can have
/// @param freeFiles how many more it can have
public record FileSystemInfo(
    long type,
    long blockBytes,
    long blocks,
    long freeBlocks,
    long availableBlocks,
    long files,
    long freeFiles) {
  /// What it can hold in all.
  public long totalBytes() {
    return blocks * blockBytes;
  }

  /// What one who is not root can still write.
  public long availableBytes() {
    return availableBlocks * blockBytes;
  }
}
