// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.sync.Promise;
import org.jspecify.annotations.Nullable;

/// An answer that is awaited, and will not come when the cluster is lost. One that is closed
/// answers nobody either.
record Asked(Promise<?> answer) implements Part {
  @Override
  public void lost(@Nullable Throwable reason) {
    answer.fail(
        reason == null
            ? Peer.closedError()
            : new UnknownOutcomeException("the answer was lost with the connection", reason));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
