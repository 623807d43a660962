// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Line;
import dev.couv.strand.Strand;
import org.jspecify.annotations.Nullable;

/// One task of a group, from its spawning until somebody has seen its outcome.
final class Task<T extends @Nullable Object> extends Line.Member {
  final Coroutine<T> coroutine;

  /// Its place in the order of spawning.
  final long number;

  /// Whether it has taken one of the places to run.
  private boolean started;

  private @Nullable Outcome<T> outcome;
  private boolean seen;

  Task(Coroutine<T> coroutine, long number) {
    this.coroutine = coroutine;
    this.number = number;
    coroutine.strand().ending().claim(); // its failure is the group's
  }

  /// Joins the scope, and waits for its turn there.
  void enter() {
    coroutine.strand().adopt();
  }

  void start() {
    started = true;
    coroutine.strand().begin();
  }

  /// Whether it is in the scope.
  boolean isEntered() {
    return coroutine.strand().isAdopted();
  }

  boolean isStarted() {
    return started;
  }

  @SuppressWarnings("unchecked") // the result is what the body of type T returned
  void ended() {
    Strand strand = coroutine.strand();
    outcome = Gathering.outcome((@Nullable T) strand.ending().result(), strand.outcome());
  }

  boolean isFailed() {
    return coroutine.status() == Status.FAILED;
  }

  /// Of one that has ended.
  Outcome<T> outcome() {
    if (outcome == null) {
      throw new AssertionError(coroutine + " has not ended");
    }
    return outcome;
  }

  /// Of one that has ended without a value.
  Throwable failure() {
    if (outcome() instanceof Outcome.Failure<T>(var cause)) {
      return cause;
    }
    throw new AssertionError(coroutine + " has not failed");
  }

  void see() {
    seen = true;
  }

  /// Whether the group, or somebody who awaited the coroutine itself, was told its outcome.
  boolean isSeen() {
    return seen || coroutine.strand().ending().claims() > 1;
  }
}
