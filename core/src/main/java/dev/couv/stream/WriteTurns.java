// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.coro.Suspension;
import dev.couv.error.ClosedException;
import dev.couv.loop.Operation;
import dev.couv.loop.Waiter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Whose turn it is to write: one writer at a time, in the order they came, so that what one write
/// call was given is never interleaved with another's.
final class WriteTurns {
  private final StreamHandle stream;
  private boolean taken;

  /// Made when somebody has to wait: most streams have one writer.
  private @Nullable ArrayDeque<Turn> waiting;

  WriteTurns(StreamHandle stream) {
    this.stream = stream;
  }

  boolean isFree() {
    return !taken;
  }

  /// Waits for the turn.
  void take() {
    if (!taken) {
      taken = true;
      return;
    }
    Suspension.await(new Turn());
    if (!stream.isOpen()) {
      pass();
      throw new ClosedException(stream + " was closed before it was this writer's turn");
    }
  }

  /// Hands the turn to who has waited longest.
  void pass() {
    Turn next = waiting == null ? null : waiting.poll();
    if (next == null) {
      taken = false;
    } else {
      next.granted();
    }
  }

  private final class Turn implements Operation {
    private @Nullable Waiter waiter;

    @Override
    public boolean start(Waiter newWaiter) {
      waiter = newWaiter;
      if (waiting == null) {
        waiting = new ArrayDeque<>(2);
      }
      waiting.add(this);
      return false;
    }

    void granted() {
      if (waiter != null) {
        waiter.completed();
      }
    }

    @Override
    public void cancel() {
      if (waiting != null) {
        waiting.remove(this);
      }
    }

    /// It was this one's turn: now it is the next one's.
    @Override
    public void surrender() {
      pass();
    }

    @Override
    public String toString() {
      return "its turn to write to " + stream;
    }
  }
}
