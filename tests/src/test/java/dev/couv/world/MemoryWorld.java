// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

/// A world of one loop that is in memory, and has TCP and nothing else.
final class MemoryWorld implements World {
  private final MemoryTcp tcp = new MemoryTcp();

  @Override
  public TcpSockets tcp() {
    return tcp;
  }

  @Override
  public String toString() {
    return "the world in memory";
  }
}
