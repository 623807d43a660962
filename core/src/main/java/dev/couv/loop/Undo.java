// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Undoing beside doing: what was opened for a step is closed if that fails.
public final class Undo {
  private Undo() {}

  /// What is done, and may fail.
  @FunctionalInterface
  public interface Step<X extends Exception> {
    void take() throws X;
  }

  /// Takes a step; if that throws, runs `undo` before it throws on.
  public static <X extends Exception> void unless(Step<X> done, Runnable undo) throws X {
    try {
      done.take();
    } catch (Throwable failed) {
      undo.run();
      throw failed;
    }
  }
}
