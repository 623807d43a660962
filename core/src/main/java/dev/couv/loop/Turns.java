// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// Whose turn it is with an object that serves one at a time: those who wait get it in the order
/// they came. Who has it passes it on, however its work ended.
public final class Turns {
  private final Object object;
  private boolean taken;

  /// Made when somebody has to wait: most objects have one user.
  private @Nullable Line<Turn> waiting;

  public Turns(Object object) {
    this.object = object;
  }

  public boolean isFree() {
    return !taken;
  }

  /// Takes the turn if it is free. Else returns what to await for it; `purpose` says what for, as in
  /// "write to".
  public @Nullable Operation take(String purpose) {
    if (!taken) {
      taken = true;
      return null;
    }
    return new Turn(purpose);
  }

  /// Hands the turn to who has waited longest.
  public void pass() {
    Turn next = waiting == null ? null : waiting.poll();
    if (next == null) {
      taken = false;
    } else {
      next.told();
    }
  }

  private final class Turn extends WaitOperation {
    private final String purpose;

    Turn(String purpose) {
      this.purpose = purpose;
    }

    @Override
    protected boolean enter() {
      Line<Turn> line = waiting;
      if (line == null) {
        line = new Line<>();
        waiting = line;
      }
      line.add(this);
      return false;
    }

    /// It was this one's turn: now it is the next one's.
    @Override
    public void surrender() {
      pass();
    }

    @Override
    public String toString() {
      return "its turn to " + purpose + " " + object;
    }
  }
}
