// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.world.Delivery;

/// A pipe in memory, or a socket that is used like one: it has a name, and cannot be shut down but by closing it.
final class MemoryPipe extends MemoryStream {
  private final String name;

  MemoryPipe(End end, EventLoop loop, String name) {
    super(end, loop);
    this.name = name;
  }

  /// Waits until all is written, and closes it: others may have the other end's peer, too.
  @Override
  public Delivery shutdown() {
    return new Shutting();
  }

  private final class Shutting extends Until implements Delivery {
    Shutting() {
      super("shutdown of");
    }

    @Override
    boolean holds() {
      return pending() == 0;
    }

    @Override
    public void finish() {
      close();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
