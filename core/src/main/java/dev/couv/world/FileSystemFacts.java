// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// What somebody makes of all that is known about a file system.
@FunctionalInterface
public interface FileSystemFacts<T> {
  /// Makes it. Quick, no user code: a callback may be what calls it.
  T of(
      long type,
      long blockBytes,
      long blocks,
      long freeBlocks,
      long availableBlocks,
      long files,
      long freeFiles);
}
