// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import dev.couv.coro.Event;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Puts what several coroutines do into one order: each step begins when the one before it has ended.
/// It needs neither sleeps nor a look at the ready queue.
///
/// ```java
/// try (var step = sequencer.step(2)) {
///   // after step 1, whichever coroutine takes that, and before step 3
/// }
/// ```
///
/// Steps count from 0, and each is taken once. When a coroutine is cancelled while it waits for its
/// step, those that come after can never begin: they throw `IllegalStateException`.
///
/// For the coroutines of one loop.
public final class Sequencer {
  private final Map<Integer, Turn> turns = new TreeMap<>();
  private final Set<Integer> taken = new HashSet<>();
  private @Nullable IllegalStateException broken;

  /// A sequence whose step 0 is free.
  public Sequencer() {}

  /// Waits for the step's turn. Closing what it returns ends the step.
  ///
  /// @throws IllegalStateException if the step was taken before, or can never begin
  public Step step(int number) throws Exception {
    if (number < 0) {
      throw new IllegalArgumentException("steps count from 0: " + number);
    }
    if (!taken.add(number)) {
      throw new IllegalStateException("step " + number + " was taken before");
    }
    if (number > 0) {
      try {
        turn(number).await();
      } catch (Throwable left) {
        giveUp(number, left);
        throw left;
      }
    }
    return new Step(number);
  }

  private Turn turn(int number) {
    Turn turn = turns.computeIfAbsent(number, Turn::new);
    if (broken != null && !turn.isClosed()) {
      throw broken;
    }
    return turn;
  }

  private void giveUp(int number, Throwable left) {
    if (broken != null) {
      return;
    }
    broken = new IllegalStateException("step " + number + " was left before its turn came", left);
    for (Turn turn : turns.values()) {
      turn.settle(broken);
    }
  }

  /// A step that has begun.
  public final class Step implements AutoCloseable {
    private final int number;
    private boolean ended;

    private Step(int number) {
      this.number = number;
    }

    /// Ends it: the next one begins. Does nothing the second time.
    @Override
    public void close() {
      if (!ended) {
        ended = true;
        turns.computeIfAbsent(number + 1, Turn::new).settle(null);
      }
    }

    @Override
    public String toString() {
      return "step " + number;
    }
  }

  /// Happens when the step before has ended.
  private static final class Turn extends Event<@Nullable Void> {
    private final int number;

    Turn(int number) {
      this.number = number;
    }

    /// Does nothing if it has happened, or can never happen.
    void settle(@Nullable Throwable obstacle) {
      if (isClosed()) {
        return;
      }
      try {
        fireAndClose(null, obstacle);
      } catch (Exception e) {
        throw new AssertionError("nobody has subscribed to it", e);
      }
    }

    @Override
    public String toString() {
      return "the turn of step " + number;
    }
  }
}
