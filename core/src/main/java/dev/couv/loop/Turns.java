// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// Whose turn it is with an object that serves one at a time: those who wait get it in the order
/// they came. Who has it passes it on, however its work ended.
public final class Turns extends WaitQueue<String> {
  private final Object object;
  private boolean taken;

  public Turns(Object object) {
    this.object = object;
  }

  public boolean isFree() {
    return !taken;
  }

  /// Takes the turn if it is free. Else returns what to await for it; `purpose` says what for, as in
  /// "write to".
  public @Nullable Operation ask(String purpose) {
    return tryTake(purpose) ? null : waiting(purpose);
  }

  /// Hands the turn to who has waited longest.
  public void pass() {
    taken = false;
    serve();
  }

  @Override
  protected boolean isReady(String purpose) {
    return !taken;
  }

  @Override
  protected void take(String purpose) {
    taken = true;
  }

  @Override
  protected void putBack(String purpose) {
    taken = false;
  }

  @Override
  protected String describe(String purpose) {
    return "its turn to " + purpose + " " + object;
  }
}
