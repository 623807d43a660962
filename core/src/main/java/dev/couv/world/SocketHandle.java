// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;

/// A connected socket, or one that was passed to this process and may listen instead.
public interface SocketHandle extends StreamHandle {
  /// Whether it is none that is connected, but one that listens.
  default boolean isListening() throws IOException {
    checkUsable();
    return false;
  }

  /// Throws if it cannot be taken off its loop now.
  default void checkDetachable() throws IOException {
    checkUsable();
  }
}
