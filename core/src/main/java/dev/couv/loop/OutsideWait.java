// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// Somebody in the line of a thing that other loops and plain threads use, too. If it waits in a loop, that
/// loop counts the wait: as *expected* if it is known that somebody outside may end it, which keeps the loop
/// running, else as *in doubt*.
public abstract class OutsideWait extends Line.Member {
  private enum Expectation {
    NOT,
    IN_DOUBT,
    EXPECTED
  }

  private final @Nullable EventLoop loop;

  /// Loop thread.
  private Expectation expectation = Expectation.NOT;

  /// `loop` is that of the coroutine which waits; null for a plain thread, whom nobody counts.
  protected OutsideWait(@Nullable EventLoop loop) {
    this.loop = loop;
  }

  /// Of one that waits in a loop.
  public final EventLoop loop() {
    if (loop == null) {
      throw new AssertionError(this + " waits in no loop");
    }
    return loop;
  }

  /// Whether it waits in that loop. Any thread.
  public final boolean isOf(@Nullable EventLoop other) {
    return loop == other;
  }

  /// It waits from now on. Loop thread.
  public final void waitStarted(boolean expected) {
    if (expected) {
      expectation = Expectation.EXPECTED;
      loop().liveness().outsideWaits++;
    } else {
      expectation = Expectation.IN_DOUBT;
      loop().liveness().doubtfulWaits++;
    }
  }

  /// It does not wait any more, for whatever reason. False if it did not before. Loop thread.
  public final boolean waitEnded() {
    Expectation before = expectation;
    expectation = Expectation.NOT;
    switch (before) {
      case NOT -> {
        return false;
      }
      case IN_DOUBT -> loop().liveness().doubtfulWaits--;
      case EXPECTED -> loop().liveness().outsideWaits--;
    }
    ended();
    return true;
  }

  /// After it was told, on whatever thread; `here` is the loop whose turn the caller has, if any. Not before: a
  /// loop that waits for nothing else any more would end before it hears of it.
  public final void waitEnded(@Nullable EventLoop here) {
    if (here == loop) {
      waitEnded();
    } else {
      loop().post(this::waitEnded); // a closed loop counts no more
    }
  }

  /// Somebody outside may come from now on. Loop thread.
  public final void expectOthers() {
    if (expectation == Expectation.IN_DOUBT) {
      expectation = Expectation.EXPECTED;
      loop().liveness().doubtfulWaits--;
      loop().liveness().outsideWaits++;
    }
  }

  /// The wait is over: what belonged to it goes. Loop thread.
  protected void ended() {}
}
