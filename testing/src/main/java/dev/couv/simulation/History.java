// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/// What happened in a simulation, as a hash of all of it, and as text of the last of it.
final class History {
  private static final int KEPT = 20_000;

  /// One thing that happened; `from` is -1 if it came from nowhere, `host` if it was to none.
  record Entry(long moment, int from, int host, String what, String detail) {}

  private final Deque<Entry> entries = new ArrayDeque<>();
  private long hash = 0x9E3779B97F4A7C15L;
  private long count;

  void add(long moment, int from, int host, String what, String detail, long mark) {
    mix(moment);
    mix(((long) from << 32) ^ host);
    mix(what.hashCode());
    mix(detail.hashCode());
    mix(mark);
    count++;
    if (entries.size() == KEPT) {
      entries.removeFirst();
    }
    entries.addLast(new Entry(moment, from, host, what, detail));
  }

  /// A turn of a host, which is not worth an entry.
  void turn(long moment, int host, int ready) {
    mix(moment ^ ((long) host << 48) ^ ready);
  }

  private void mix(long value) {
    long z = (hash ^ value) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    hash = z ^ (z >>> 31);
  }

  long hash() {
    return hash;
  }

  Deque<Entry> entries() {
    return entries;
  }

  /// How many there were that are not kept.
  long forgotten() {
    return count - entries.size();
  }
}
