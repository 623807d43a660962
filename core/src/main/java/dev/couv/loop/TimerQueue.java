// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.util.Arrays;
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
    hidden += entry.hidden ? 1 : 0;
    siftUp(size++, entry);
  }

  /// Takes the entry out. False if it was not queued any more.
  public boolean remove(TimerEntry entry) {
    int hole = entry.position;
    if (hole == TimerEntry.NOT_QUEUED) {
      return false;
    }
    entry.position = TimerEntry.NOT_QUEUED;
    hidden -= entry.hidden ? 1 : 0;
    TimerEntry last = at(--size);
    heap[size] = null;
    if (last != entry) {
      siftDown(hole, last);
      if (at(hole) == last) {
        siftUp(hole, last);
      }
    }
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

  /// Tells all that their moment will not come.
  void close() {
    while (size > 0) {
      TimerEntry first = at(0);
      remove(first);
      first.loopEnds();
    }
  }

  private TimerEntry at(int position) {
    TimerEntry entry = heap[position];
    if (entry == null) {
      throw new AssertionError("a hole in the timer heap at " + position);
    }
    return entry;
  }

  private void siftUp(int from, TimerEntry entry) {
    int hole = from;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      TimerEntry above = at(parent);
      if (!isBefore(entry, above)) {
        break;
      }
      put(hole, above);
      hole = parent;
    }
    put(hole, entry);
  }

  private void siftDown(int from, TimerEntry entry) {
    int hole = from;
    while (2 * hole + 1 < size) {
      int child = 2 * hole + 1;
      if (child + 1 < size && isBefore(at(child + 1), at(child))) {
        child++;
      }
      TimerEntry below = at(child);
      if (!isBefore(below, entry)) {
        break;
      }
      put(hole, below);
      hole = child;
    }
    put(hole, entry);
  }

  private void put(int position, TimerEntry entry) {
    heap[position] = entry;
    entry.position = position;
  }

  private static boolean isBefore(TimerEntry a, TimerEntry b) {
    long difference = a.deadline - b.deadline;
    return difference < 0 || (difference == 0 && a.sequence < b.sequence);
  }
}
