// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Wording;
import java.lang.StackWalker.StackFrame;

/// The error for an await whose thread cannot leave the loop's, because what is below it on the
/// stack belongs to the machine: a native frame, or a class being initialised.
final class Pinned {
  private static final StackWalker WALKER = StackWalker.getInstance();

  private Pinned() {}

  static IllegalStateException error(Object awaited) {
    return new IllegalStateException(
        "cannot await "
            + Wording.of(awaited)
            + " here: the coroutine's thread is pinned by "
            + culprit()
            + ". Waiting would stop the whole loop. Do it outside of static initialisers and of"
            + " callbacks from native code");
  }

  private static String culprit() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> isInitialiser(frame) || frame.isNativeMethod())
                .findFirst()
                .map(frame -> describe(frame))
                .orElse("a native frame (a callback from native code)"));
  }

  private static String describe(StackFrame frame) {
    return (isInitialiser(frame) ? "the static initialiser " : "the native frame ")
        + frame.toStackTraceElement();
  }

  private static boolean isInitialiser(StackFrame frame) {
    return frame.getMethodName().equals("<clinit>");
  }
}
