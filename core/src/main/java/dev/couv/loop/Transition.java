// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// A move from one state to the next: the states that say by methods of their own which moves there are ask here whether
/// one is legal.
@CheckReturnValue
public final class Transition {
  private Transition() {}

  /// The next state, if it may come after that one; `move` names how.
  public static <S extends Enum<S>> S require(S from, boolean legal, String move, S next) {
    if (!legal) {
      throw new AssertionError(move + " while " + from);
    }
    return next;
  }
}
