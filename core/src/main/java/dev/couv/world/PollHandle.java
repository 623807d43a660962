// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/// What waits for one descriptor in one loop, shared by all who watch it there.
public interface PollHandle {
  /// What a descriptor can be ready for, as bits of a set.
  int READABLE = 1;

  int WRITABLE = 2;

  /// The other side has shut down, or is gone: told to all who watch, wanted or not.
  int DISCONNECTED = 4;

  int PRIORITIZED = 8;

  /// Whoever waits for the descriptor. Told on the loop's thread what it is ready for, or a failure, and may leave meanwhile.
  record Watcher(int wanted, ObjIntConsumer<@Nullable IOException> told) {}

  /// Tells the watcher, again and again while the descriptor is ready; or now why not, if it is refused.
  void add(Watcher watcher);

  void remove(Watcher watcher);

  /// Whoever held it does not need it any more; the last one closes it.
  void release();
}
