// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.loop.WaitOperation;

/// Waiting until what writers have left behind is with the kernel. Without that, everyone who gives up
/// on a peer that does not read would leave another piece in memory.
final class DrainOperation extends WaitOperation {
  private final StreamHandle stream;

  DrainOperation(StreamHandle stream) {
    this.stream = stream;
  }

  @Override
  protected boolean enter() {
    if (!stream.isDraining()) {
      return true;
    }
    stream.awaitDrained(this);
    return false;
  }

  @Override
  protected void leave() {
    stream.awaitDrained(null);
  }

  @Override
  public String toString() {
    return "an earlier write to " + stream;
  }
}
