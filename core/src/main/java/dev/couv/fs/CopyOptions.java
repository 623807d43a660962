// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import org.jspecify.annotations.Nullable;

/// How a file is copied. As it stands: over what is there, sharing the blocks where the file system
/// can, and silently.
///
/// @param overwrite whether a file that is there already is replaced
/// @param sharing whether both files may share their blocks until one of them is written to
/// @param progress is told how much is done, or null
public record CopyOptions(boolean overwrite, Sharing sharing, @Nullable Progress progress) {
  public static final CopyOptions DEFAULT = new CopyOptions(true, Sharing.TRY, null);

  /// Copy-on-write.
  public enum Sharing {
    /// Not asked for. The system may do it all the same.
    NEVER,
    /// Where the file system can.
    TRY,
    /// Or fail.
    REQUIRE
  }

  /// Is told after each piece, and at the end. What it throws ends the copying.
  @FunctionalInterface
  public interface Progress {
    void copied(long bytes, long ofBytes);
  }

  public CopyOptions overwrite(boolean newOverwrite) {
    return new CopyOptions(newOverwrite, sharing, progress);
  }

  public CopyOptions sharing(Sharing newSharing) {
    return new CopyOptions(overwrite, newSharing, progress);
  }

  public CopyOptions progress(Progress newProgress) {
    return new CopyOptions(overwrite, sharing, newProgress);
  }
}
