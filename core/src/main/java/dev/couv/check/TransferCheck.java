// SPDX-License-Identifier: Apache-2.0
package dev.couv.check;

import dev.couv.coro.LoopBound;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The check of `-Dcouv.check=transfer`: an object that is bound to a loop does not get out of it
/// through a channel, a promise, an item of a pool's `map` or a worker. For debugging; what is inside of
/// other objects is not looked at.
public final class TransferCheck {
  private static volatile boolean checked =
      Arrays.asList(System.getProperty("couv.check", "").split(",")).contains("transfer");

  private TransferCheck() {}

  /// For tests.
  public static void check(boolean on) {
    checked = on;
  }

  /// Whether anything is refused at all.
  public static boolean isChecked() {
    return checked;
  }

  /// The sender is told, where it is known that others use the channel.
  public static IllegalArgumentException unsendable(Object value, Object via) {
    return new IllegalArgumentException(
        "%s belongs to its loop and cannot be sent through %s, which other loops or threads use"
            .formatted(value, via));
  }

  /// Whether the receiver may have it.
  public static boolean isForeign(Object value) {
    return value instanceof LoopBound bound && !bound.isHere();
  }

  /// The receiver is told.
  public static IllegalStateException refused(Object value, Object via) {
    return new IllegalStateException(
        value + " came through " + via + ", but belongs to another loop: it stays in the channel");
  }

  /// For those who bring values to other threads themselves: the caller is about to hand this one over.
  ///
  /// @throws IllegalArgumentException if it is checked, and belongs to a loop
  public static void checkGiven(@Nullable Object value, String taker) {
    if (checked && value instanceof LoopBound) {
      throw new IllegalArgumentException(
          value + " belongs to its loop and cannot be given to " + taker);
    }
  }

  /// For those who bring values from other threads themselves: the caller is about to use this one.
  ///
  /// @throws IllegalStateException if it is checked, and belongs to another loop
  public static void checkTaken(@Nullable Object value, String giver) {
    if (checked && value != null && isForeign(value)) {
      throw new IllegalStateException(
          value + " belongs to another loop: " + giver + " cannot bring it here");
    }
  }

  /// What a promise was completed with.
  public static IllegalStateException refused(Object value) {
    return new IllegalStateException(
        value
            + " belongs to another loop than that of who awaits it: a promise cannot bring it"
            + " here");
  }
}
