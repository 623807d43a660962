// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// Two ends that are connected to each other.
///
/// @param first one end
/// @param second the other end: what is written to one is read from the other
public record Pair(LocalStream first, LocalStream second) implements AutoCloseable {
  /// Whether both were closed.
  public boolean isClosed() {
    return first.isClosed() && second.isClosed();
  }

  /// Closes both.
  @Override
  public void close() {
    first.close();
    second.close();
  }
}
