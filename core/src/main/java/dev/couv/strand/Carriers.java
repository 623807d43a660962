// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Whose turn it is on which thread: how a coroutine finds its own without a thread-local map
/// per coroutine, which would cost more memory than the coroutine.
///
/// Threads: changed under the class's lock when a loop begins or stops to run; read by anybody
/// without one. A thread asks only about itself or its carrier, and an entry about a thread is
/// changed by that thread, so nobody sees a stale one.
final class Carriers {
  private record Entry(Thread thread, Rota rota) {}

  /// Open addressing by thread id; a power of two, at most half full, never changed in place.
  private static volatile @Nullable Entry[] table = new Entry[4];

  private static int size;

  private Carriers() {}

  static @Nullable Rota of(Thread carrier) {
    @Nullable Entry[] entries = table;
    for (int i = index(carrier, entries.length); ; i = (i + 1) & (entries.length - 1)) {
      Entry entry = entries[i];
      if (entry == null) {
        return null;
      }
      if (entry.thread == carrier) {
        return entry.rota;
      }
    }
  }

  static synchronized void add(Thread carrier, Rota rota) {
    size++;
    int length = table.length;
    while (length < 4 * size) {
      length *= 2;
    }
    rebuild(length, null, new Entry(carrier, rota));
  }

  static synchronized void remove(Thread carrier) {
    size--;
    rebuild(table.length, carrier, null);
  }

  private static void rebuild(int length, @Nullable Thread without, @Nullable Entry with) {
    @Nullable Entry[] fresh = new Entry[length];
    Arrays.stream(table)
        .filter(entry -> entry != null && entry.thread != without)
        .forEach(entry -> insert(fresh, entry));
    if (with != null) {
      insert(fresh, with);
    }
    table = fresh;
  }

  private static void insert(@Nullable Entry[] entries, Entry entry) {
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
