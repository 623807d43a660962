// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Loop;
import dev.couv.world.DirectoryEvents;
import dev.couv.world.DirectoryEvents.Interest;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The directories of a tree that is watched, from the one at the top down: which they are, and where.
final class WatchedDirs {
  private final Loop coroutines;
  private final DirectoryEvents events;
  private final WatchedDir.Told told;
  private final Forgotten forgotten = Forgotten.ofLoop();

  /// As users know the one at the top.
  private final Path path;

  /// Where that is, without links.
  private Path real;

  /// Null while there is none.
  private @Nullable WatchedDir top;

  WatchedDirs(Loop coroutines, DirectoryEvents events, WatchedDir.Told told, Path path) {
    this.coroutines = coroutines;
    this.events = events;
    this.told = told;
    this.path = path;
    this.real = path;
  }

  @Nullable WatchedDir top() {
    return top;
  }

  /// As users know it; null if it is not in the tree any more.
  @Nullable Path shown(WatchedDir directory) {
    return directory.in(top, path);
  }

  /// Where it is, without links; null if it is not in the tree any more.
  @Nullable Path where(WatchedDir directory) {
    return directory.in(top, real);
  }

  /// Listens to that one at the top, unless that is done already. A negative code if the system refuses.
  int listenAtTop(Path directory) {
    WatchedDir made = new WatchedDir(told, null, directory);
    int number = events.listen(directory, Interest.ALL, made);
    if (number >= 0) {
      made.number(number);
      if (top != null && top.number() == number) {
        events.unlisten(number, made);
      } else {
        forgetTop();
        top = made;
      }
      real = directory;
    }
    return number;
  }

  /// Listens to one that is not at the top. A negative code if the system refuses.
  int listen(WatchedDir above, Path name) {
    Path where = where(above);
    if (where == null) {
      return DirectoryEvents.ABSENT;
    }
    // One that takes the place of a directory is not followed.
    WatchedDir made = new WatchedDir(told, above, name);
    int number = events.listen(where.resolve(name), Interest.ALL, made);
    if (number >= 0) {
      made.number(number);
      WatchedDir known = above.below.get(name);
      if (known != null && known.number() == number) {
        events.unlisten(number, made);
      } else {
        if (known != null) {
          forget(known);
        }
        above.below.put(name, made);
      }
    }
    return number;
  }

  static boolean isRefusal(int code) {
    return code < 0 && code != DirectoryEvents.ABSENT;
  }

  /// With all below it, soon.
  void forget(WatchedDir directory) {
    forgotten.add(coroutines, events, directory);
  }

  /// There is no tree any more.
  void forgetTop() {
    WatchedDir last = top;
    top = null;
    if (last != null && events.isOpen()) {
      forget(last);
    }
  }
}
