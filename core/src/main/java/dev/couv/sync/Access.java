// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.jspecify.annotations.Nullable;

/// By what somebody comes to a [Passage]: the one channel that leads there, or one holder of a named one.
/// Whoever waits there keeps it from being garbage.
final class Access {
  final @Nullable String name;

  /// Whether its holder has closed it. Written under the passage's lock, read by anybody.
  private volatile boolean released;

  Access(@Nullable String name) {
    this.name = name;
  }

  boolean isReleased() {
    return released;
  }

  void release() {
    released = true;
  }

  /// The channel, in words.
  @Override
  public String toString() {
    return name == null ? "a channel" : "channel " + name;
  }
}
