// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

/// Something that is due at a moment of the loop's clock. It is in at most one queue.
public abstract class TimerEntry {
  static final int NOT_QUEUED = -1;

  long deadline;

  /// Entries due at the same moment come in the order they were added.
  long sequence;

  int position = NOT_QUEUED;

  /// Whether the loop may end although this is due later.
  boolean hidden;

  /// One that runs `action` when it is due.
  public static TimerEntry of(Runnable action) {
    return new TimerEntry() {
      @Override
      protected void due() {
        action.run();
      }
    };
  }

  /// The moment has come; the entry has left the queue. Loop thread, no user code.
  protected abstract void due();

  /// The loop ends before that moment; the entry has left the queue. On the thread that closes it.
  protected void loopEnds() {}

  public final boolean isQueued() {
    return position != NOT_QUEUED;
  }

  /// The moment it is or was due, on the loop's clock in nanoseconds.
  public final long deadline() {
    return deadline;
  }
}
