// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The deadlines of one loop, the next one first: a binary heap whose entries know their place, so
/// that one can be taken out without a search.
///
/// Why not a `uv_timer_t` per sleeper: libuv's timers count whole milliseconds from a cached clock
/// and cost a callback each; and a virtual clock needs a queue that it can drive. The loop's one
/// libuv timer only bounds how long it may sleep.
public final class TimerQueue {
  private @Nullable TimerEntry[] heap = new TimerEntry[16];
  private int size;
  private int hidden;
  private long sequences;

  /// A length of time for a deadline. What is longer than half the clock's range, 146 years, is cut to that, because
  /// deadlines are compared by their difference.
  public static long nanos(Duration duration) {
    return Math.min(TimeUnit.NANOSECONDS.convert(duration), Long.MAX_VALUE / 2);
  }

  /// Queues the entry for that moment. Deadlines may wrap around, as those of `System.nanoTime`.
  public void add(TimerEntry entry, long deadline) {
    if (entry.isQueued()) {
      throw new AssertionError(entry + " is queued already");
    }
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    entry.deadline = deadline;
    entry.sequence = sequences++;
    place(size, entry, size);
    size++;
    hidden += entry.hidden ? 1 : 0;
  }

  /// Takes the entry out. False if it was not queued any more.
  public boolean remove(TimerEntry entry) {
    if (entry.position == TimerEntry.NOT_QUEUED) {
      return false;
    }
    int last = size - 1;
    if (entry.position != last) {
      place(entry.position, at(last), last);
    }
    heap[last] = null;
    size = last;
    entry.position = TimerEntry.NOT_QUEUED;
    hidden -= entry.hidden ? 1 : 0;
    return true;
  }

  /// Says whether the loop may end although the entry is due later.
  public void hide(TimerEntry entry, boolean nowHidden) {
    if (entry.hidden != nowHidden) {
      entry.hidden = nowHidden;
      if (entry.isQueued()) {
        hidden += nowHidden ? 1 : -1;
      }
    }
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /// Whether the loop must wait for one of them.
  boolean isAwaited() {
    return size > hidden;
  }

  int size() {
    return size;
  }

  /// The next moment something is due. The queue must not be empty.
  public long nextDeadline() {
    return at(0).deadline;
  }

  /// Takes out the next entry if it is due at `now`.
  @Nullable TimerEntry pollDue(long now) {
    if (size == 0) {
      return null;
    }
    TimerEntry first = at(0);
    if (first.deadline - now > 0) {
      return null;
    }
    remove(first);
    return first;
  }

  /// Tells all that their moment will not come, whatever one of them throws.
  void close(Escaped escaped) {
    while (size > 0) {
      TimerEntry last = heap[--size];
      heap[size] = null;
      if (last != null) {
        last.position = TimerEntry.NOT_QUEUED;
        escaped.attempt(last::loopEnds);
      }
    }
    hidden = 0;
  }

  private TimerEntry at(int position) {
    TimerEntry entry = heap[position];
    if (entry == null) {
      throw new AssertionError("a hole in the timer heap at " + position);
    }
    return entry;
  }

  /// Puts the entry where it belongs: at `from`, above or below, among the first `end`.
  ///
  /// It calls nothing while it moves others: a stack that is at its end stops it before it has begun,
  /// and never with an entry in two places or in none.
  private void place(int from, TimerEntry entry, int end) {
    @Nullable TimerEntry[] entries = heap;
    int hole = from;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      TimerEntry above = entries[parent];
      long order = above == null ? -1 : above.deadline - entry.deadline;
      if (above == null || order < 0 || (order == 0 && above.sequence < entry.sequence)) {
        break;
      }
      entries[hole] = above;
      above.position = hole;
      hole = parent;
    }
    for (int child; (child = 2 * hole + 1) < end; ) {
      TimerEntry below = entries[child];
      TimerEntry sibling = child + 1 < end ? entries[child + 1] : null;
      if (below != null && sibling != null) {
        long first = sibling.deadline - below.deadline;
        if (first < 0 || (first == 0 && sibling.sequence < below.sequence)) {
          below = sibling;
          child++;
        }
      }
      long order = below == null ? -1 : entry.deadline - below.deadline;
      if (below == null || order < 0 || (order == 0 && entry.sequence < below.sequence)) {
        break;
      }
      entries[hole] = below;
      below.position = hole;
      hole = child;
    }
    entries[hole] = entry;
    entry.position = hole;
  }
}
