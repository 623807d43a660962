// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import org.jspecify.annotations.Nullable;

/// How a file is copied. As it stands: as the system's `cp` does it without options, over what is there,
/// sharing the blocks where the file system can, and silently.
///
/// @param overwrite whether a file that is there already is replaced
/// @param preserve whether the copy gets owner, permissions and times of what is copied, and whether of a
///     symbolic link the link itself is copied: as `cp -a` does it
/// @param sharing whether both files may share their blocks until one of them is written to
/// @param progress is told how much is done, or null
public record CopyOptions(
    boolean overwrite, boolean preserve, Sharing sharing, @Nullable Progress progress) {
  /// As the system's `cp` does it without options.
  public static final CopyOptions DEFAULT = new CopyOptions(true, false, Sharing.TRY, null);

  /// Copy-on-write.
  public enum Sharing {
    /// Not asked for. The system may do it all the same.
    NEVER,
    /// Where the file system can.
    TRY,
    /// Or fail, and leave what is there as it is. On Linux.
    REQUIRE
  }

  /// Is told after each piece, and at the end. What it throws ends the copying.
  @FunctionalInterface
  public interface Progress {
    /// So many bytes are copied, of so many that there are, as far as is known.
    void copied(long bytes, long ofBytes);
  }

  /// These options, with a file that is there already replaced or not.
  public CopyOptions withOverwrite(boolean newOverwrite) {
    return new CopyOptions(newOverwrite, preserve, sharing, progress);
  }

  /// These options, with owner, permissions and times kept or not, and links copied themselves or not.
  public CopyOptions withPreserve(boolean newPreserve) {
    return new CopyOptions(overwrite, newPreserve, sharing, progress);
  }

  /// These options, with blocks shared in that way.
  public CopyOptions withSharing(Sharing newSharing) {
    return new CopyOptions(overwrite, preserve, newSharing, progress);
  }

  /// These options, with that one told how much is done.
  public CopyOptions withProgress(Progress newProgress) {
    return new CopyOptions(overwrite, preserve, sharing, newProgress);
  }
}
