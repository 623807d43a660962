// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import org.jspecify.annotations.Nullable;

/// Whose turn it is on which thread: how a coroutine finds its own without a thread-local map
/// per coroutine, which would cost more memory than the coroutine.
///
/// Threads: read by anybody without a lock, and a thread's entry changed by that thread alone: a thread asks only about itself
/// or its carrier, so nobody sees a stale one. A loop that begins or stops to run, as one in steps does all the time, takes no
/// lock either: the entry stays for as long as the thread lives, and only a thread's first takes the class's lock.
final class Carriers {
  private static final class Entry {
    final Thread thread;

    /// Null while no loop runs there.
    @Nullable Rota rota;

    Entry(Thread thread, Rota rota) {
      this.thread = thread;
      this.rota = rota;
    }
  }

  /// Open addressing by thread id; a power of two, at most half full, never changed in place.
  private static volatile @Nullable Entry[] table = new Entry[4];

  private Carriers() {}

  static @Nullable Rota of(Thread carrier) {
    Entry entry = find(carrier);
    return entry == null ? null : entry.rota;
  }

  private static @Nullable Entry find(Thread carrier) {
    @Nullable Entry[] entries = table;
    for (int i = index(carrier, entries.length); ; i = (i + 1) & (entries.length - 1)) {
      Entry entry = entries[i];
      if (entry == null || entry.thread == carrier) {
        return entry;
      }
    }
  }

  /// On that thread.
  static void add(Thread carrier, Rota rota) {
    Entry known = find(carrier);
    if (known == null) {
      insert(new Entry(carrier, rota));
    } else {
      known.rota = rota;
    }
  }

  /// On that thread.
  static void remove(Thread carrier) {
    Entry known = find(carrier);
    if (known != null) {
      known.rota = null;
    }
  }

  /// The first of its thread. Those of threads that have ended go.
  private static synchronized void insert(Entry added) {
    int alive = 1;
    for (Entry entry : table) {
      if (entry != null && entry.thread.isAlive()) {
        alive++;
      }
    }
    int length = 4;
    while (length < 2 * alive) {
      length *= 2;
    }
    // One that ends in between may be left out or not; none begins, because of the lock.
    @Nullable Entry[] fresh = new Entry[length];
    for (Entry entry : table) {
      if (entry != null && entry.thread.isAlive()) {
        put(fresh, entry);
      }
    }
    put(fresh, added);
    table = fresh;
  }

  private static void put(@Nullable Entry[] entries, Entry entry) {
    int i = index(entry.thread, entries.length);
    while (entries[i] != null) {
      i = (i + 1) & (entries.length - 1);
    }
    entries[i] = entry;
  }

  private static int index(Thread thread, int length) {
    return (int) thread.threadId() & (length - 1);
  }
}
