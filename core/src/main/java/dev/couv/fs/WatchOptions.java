// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.time.Duration;

/// How a path is watched. As it stands: one directory or file, every change at once.
///
/// @param recursive whether the directories below are watched, too, also those that are made later
/// @param debounce how long changes are gathered from the first one on; each path is then told once, with
///     what became of it
public record WatchOptions(boolean recursive, Duration debounce) {
  /// One directory or file, every change at once.
  public static final WatchOptions DEFAULT = new WatchOptions(false, Duration.ZERO);

  /// Refuses a negative time.
  public WatchOptions {
    if (debounce.isNegative()) {
      throw new IllegalArgumentException("negative time of gathering: " + debounce);
    }
  }

  /// These options, with the directories below watched or not.
  public WatchOptions withRecursive(boolean newRecursive) {
    return new WatchOptions(newRecursive, debounce);
  }

  /// These options, with changes gathered for so long.
  public WatchOptions withDebounce(Duration newDebounce) {
    return new WatchOptions(recursive, newDebounce);
  }
}
