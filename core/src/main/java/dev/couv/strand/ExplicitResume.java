// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;

/// The waits that no event ends: they carry nothing, so there is nothing to cancel or to hand on.
public enum ExplicitResume implements Operation {
  /// In `Coroutine.yield`: a generator between two values.
  YIELD("a resume, after a yield"),
  /// In `Coroutine.halt`.
  HALT("a resume, halted"),
  /// In the ready queue, by its own will.
  PAUSE("its next turn"),
  /// Until the coroutine it resumed suspends.
  RESUMING("the coroutine it resumed"),
  /// Its body is over, and what it has left behind is being given up.
  END("its own end");

  private final String description;

  ExplicitResume(String description) {
    this.description = description;
  }

  @Override
  public boolean start(Waiter waiter) {
    return false;
  }

  @Override
  public void cancel() {}

  @Override
  public void surrender() {}

  @Override
  public String toString() {
    return description;
  }
}
