// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.ObjectOperation;
import dev.couv.world.Request;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Waiting for a connection.
final class AcceptOperation<S extends HostSocket> extends ObjectOperation implements Request<S> {
  private final HostListener<S> listener;
  private @Nullable S accepted;
  private int failure;

  AcceptOperation(HostListener<S> listener) {
    super(listener);
    this.listener = listener;
  }

  @Override
  protected boolean takeAtHand() {
    failure = listener.pollFailure();
    if (failure == 0) {
      accepted = listener.poll();
    }
    if (accepted == null && failure == 0) {
      failure = listener.pollFailure(); // of taking what libuv held
    }
    return accepted != null || failure != 0;
  }

  @Override
  protected void giveBack() {
    S untaken = accepted;
    accepted = null;
    if (untaken != null) {
      listener.putBack(untaken);
    }
    if (failure != 0) {
      listener.putBackFailure(failure);
    }
  }

  @Override
  public S finish() throws IOException {
    if (isClosed()) {
      throw Failures.closedWhile(listener, "accepting");
    }
    Failures.check(failure, "accept", listener);
    return Objects.requireNonNull(accepted, "an accept without a connection");
  }

  @Override
  public String toString() {
    return "accept from " + listener;
  }
}
