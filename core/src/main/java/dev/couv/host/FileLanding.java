// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.WaitOperation;
import dev.couv.world.FileCall;

/// Waiting until libuv has a request no more, whoever has left meanwhile. The request keeps the loop alive.
final class FileLanding extends WaitOperation {
  private final FileCall<?> call;

  FileLanding(FileCall<?> call) {
    this.call = call;
  }

  @Override
  protected boolean enter() {
    return !call.isInFlight();
  }

  @Override
  public String toString() {
    return "the end of " + call;
  }
}
