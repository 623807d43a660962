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
    void copied(long bytes, long ofBytes);
  }

  public CopyOptions overwrite(boolean newOverwrite) {
    return new CopyOptions(newOverwrite, preserve, sharing, progress);
  }

  public CopyOptions preserve(boolean newPreserve) {
    return new CopyOptions(overwrite, newPreserve, sharing, progress);
  }

  public CopyOptions sharing(Sharing newSharing) {
    return new CopyOptions(overwrite, preserve, newSharing, progress);
  }

  public CopyOptions progress(Progress newProgress) {
    return new CopyOptions(overwrite, preserve, sharing, newProgress);
  }
}
