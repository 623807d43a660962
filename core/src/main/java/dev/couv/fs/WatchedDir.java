// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.world.DirectoryEvents;
import dev.couv.world.PathEvent;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A directory of a tree that is watched. It knows its name only, so that one that is moved away takes everything
/// below it along at once: what has no way up to the top of its tree any more is not told of.
final class WatchedDir implements DirectoryEvents.Listener {
  /// Is told what happens in the directories of a tree.
  @FunctionalInterface
  interface Told {
    void happened(WatchedDir directory, PathEvent event, boolean ofDirectory, @Nullable Path name);
  }

  private final Told tree;

  /// In the one above; of the one at the top, where it is.
  private final Path name;

  final Map<Path, WatchedDir> below = new HashMap<>(4);
  private @Nullable WatchedDir above;

  /// The system's number for it.
  private int number;

  WatchedDir(Told tree, @Nullable WatchedDir above, Path name) {
    this.tree = tree;
    this.above = above;
    this.name = name;
  }

  int number() {
    return number;
  }

  void number(int newNumber) {
    number = newNumber;
  }

  /// It is not where it was.
  void detach() {
    if (above != null) {
      above.below.remove(name, this);
      above = null;
    }
  }

  /// Where it is, by way of `start` as the path of the one at the top; null if it is not in the tree any more.
  @Nullable Path in(@Nullable WatchedDir top, Path start) {
    ArrayDeque<Path> names = new ArrayDeque<>();
    WatchedDir at = this;
    for (; at != top; at = at.above) {
      if (at.above == null) {
        return null;
      }
      names.push(at.name);
    }
    Path path = start;
    for (Path each : names) {
      path = path.resolve(each);
    }
    return path;
  }

  @Override
  public void happened(PathEvent event, boolean ofDirectory, @Nullable Path entry) {
    tree.happened(this, event, ofDirectory, entry);
  }
}
