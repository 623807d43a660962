// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// What is ready to run, first come first served, or in an order drawn from a seed.
final class ReadyQueue {
  private final ArrayDeque<Runnable> fifo = new ArrayDeque<>(64);

  /// Only when shuffling: then `fifo` stays empty.
  private final @Nullable Random random;

  private final List<Runnable> shuffled = new ArrayList<>();

  private long added;
  private long taken;

  ReadyQueue(OptionalLong shuffleSeed) {
    random = shuffleSeed.isPresent() ? new Random(shuffleSeed.getAsLong()) : null;
  }

  void add(Runnable task) {
    added++;
    if (random == null) {
      fifo.addLast(task);
    } else {
      shuffled.add(task);
    }
  }

  @Nullable Runnable poll() {
    if (isEmpty()) {
      return null;
    }
    taken++;
    if (random == null) {
      return fifo.pollFirst();
    }
    int chosen = random.nextInt(shuffled.size());
    Runnable last = shuffled.removeLast();
    return chosen == shuffled.size() ? last : shuffled.set(chosen, last);
  }

  /// Takes one out of its turn. False if it was not there.
  boolean remove(Runnable task) {
    boolean removed = random == null ? fifo.remove(task) : shuffled.remove(task);
    if (removed) {
      taken++;
    }
    return removed;
  }

  boolean isEmpty() {
    return added == taken;
  }

  int size() {
    return (int) (added - taken);
  }

  /// How many were ever added: whoever was ready at a moment has run once [#taken] has reached it.
  long added() {
    return added;
  }

  long taken() {
    return taken;
  }
}
