// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// Signals that are caught until it is closed.
public interface SignalHandle extends AutoCloseable {
  /// Lets go of them. Does nothing the second time.
  @Override
  void close();
}
