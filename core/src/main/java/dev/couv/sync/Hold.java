// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import org.jspecify.annotations.Nullable;

/// Something that was taken and is given back by closing this, at the end of a `try`.
public final class Hold implements AutoCloseable {
  private final String words;
  private @Nullable Runnable giveBack;

  Hold(String words, Runnable giveBack) {
    this.words = words;
    this.giveBack = giveBack;
  }

  /// Gives it back. Does nothing the second time.
  @Override
  public void close() {
    Runnable once = giveBack;
    if (once != null) {
      once.run(); // refused to a foreign thread: then it is still held
      giveBack = null;
    }
  }

  /// Whether it was given back.
  public boolean isClosed() {
    return giveBack == null;
  }

  @Override
  public String toString() {
    return giveBack == null ? words + ", given back" : words;
  }
}
