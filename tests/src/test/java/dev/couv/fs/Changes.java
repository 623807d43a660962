// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What the tests of watching say and expect.
final class Changes {
  static final WatchOptions RECURSIVE = WatchOptions.DEFAULT.withRecursive(true);

  private Changes() {}

  static PathChange change(Path path, ChangeKind kind) {
    return new PathChange(path, kind);
  }

  /// Takes changes until that one comes, and returns those before it.
  static List<PathChange> until(Watch watch, PathChange last) throws Exception {
    List<PathChange> before = new ArrayList<>();
    for (PathChange each; !(each = watch.next()).equals(last); ) {
      before.add(each);
    }
    return before;
  }
}
