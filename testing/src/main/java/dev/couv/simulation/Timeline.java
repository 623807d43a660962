// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.memory.Agenda;
import dev.couv.memory.Entropy;
import dev.couv.memory.Node;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// What is to happen in a simulation, and when. Of what is to happen at one moment, chance decides what comes first.
final class Timeline implements Agenda {
  /// `where` is the host that it happens to, if it is one's.
  record Entry(long moment, int tie, long number, @Nullable Node where, Runnable event)
      implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int order = Long.compare(moment, other.moment);
      order = order == 0 ? Integer.compare(tie, other.tie) : order;
      return order == 0 ? Long.compare(number, other.number) : order;
    }
  }

  private final PriorityQueue<Entry> entries = new PriorityQueue<>(256);
  private final Entropy entropy;
  private long now;
  private long numbers;

  Timeline(Entropy entropy) {
    this.entropy = entropy;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public void later(long nanos, Node where, Runnable event) {
    add(now + nanos, where, event);
  }

  void add(long moment, @Nullable Node where, Runnable event) {
    add(moment, entropy.random().nextInt(), where, event);
  }

  /// Before everything else that is to happen then, and behind what was asked for in the same way.
  void addFirst(long moment, @Nullable Node where, Runnable event) {
    add(moment, Integer.MIN_VALUE, where, event);
  }

  private void add(long moment, int tie, @Nullable Node where, Runnable event) {
    entries.add(new Entry(Math.max(moment, now), tie, numbers++, where, event));
  }

  /// The next, whose moment it is now; null if nothing is to happen any more.
  @Nullable Entry next() {
    Entry next = entries.poll();
    if (next != null) {
      now = next.moment;
    }
    return next;
  }

  void clear() {
    entries.clear();
  }
}
