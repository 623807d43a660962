// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.coro.Coroutine;
import dev.couv.sync.Promise;
import org.jspecify.annotations.Nullable;

/// How much is on its way to the server. Every now and then a message to itself is sent with the
/// rest: when it has come back, the server has what was sent before. Who publishes waits while too
/// much is between the two.
///
/// Confined to the loop.
final class Tide {
  private static final byte[] NOTHING = {};
  private static final int STEP_MESSAGES = 1024;
  private static final long STEP_BYTES = 1 << 20;
  private static final int MOST_STEPS = 8;

  /// After so many whoever publishes makes way for those who write and receive: a power of two.
  private static final int BATCH = 64;

  private final NatsLink link;

  /// Kept when there is room again; null while there is.
  private @Nullable Promise<Boolean> room;

  private @Nullable String address;

  private int messages;
  private long bytes;
  private int steps;

  Tide(NatsLink link) {
    this.link = link;
  }

  /// Waits until there is room, and counts a message of that size.
  void await(int size) throws Exception {
    while (room != null) {
      room.await();
    }
    if ((++messages & (BATCH - 1)) == 0) {
      Coroutine.pause();
    }
    bytes += size;
    if (messages >= STEP_MESSAGES || bytes >= STEP_BYTES) {
      step();
    }
  }

  private void step() throws ClusterException {
    messages = 0;
    bytes = 0;
    if (address == null) {
      address = link.directory().enter(_ -> cameBack());
    }
    link.send(Packet.of(address, null, NOTHING));
    if (++steps >= MOST_STEPS && room == null) {
      room = Promise.outside(() -> {});
    }
  }

  private void cameBack() {
    steps = Math.max(steps - 1, 0);
    if (steps < MOST_STEPS) {
      open();
    }
  }

  /// What was on its way is there, or lost.
  void reset() {
    steps = 0;
    open();
  }

  private void open() {
    Promise<Boolean> awaited = room;
    room = null;
    if (awaited != null) {
      awaited.complete(true);
    }
  }
}
