// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// Two ends that are connected to each other.
public record Pair(LocalStream first, LocalStream second) implements AutoCloseable {
  /// Closes both.
  @Override
  public void close() {
    first.close();
    second.close();
  }
}
