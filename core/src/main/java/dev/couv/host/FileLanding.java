// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.WaitOperation;
import dev.couv.world.FileCall;

/// Waiting until no thread is inside a call any more, whoever has left it meanwhile. The call keeps the loop alive.
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
