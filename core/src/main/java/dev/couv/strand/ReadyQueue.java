// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

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

  /// How many had been added before each of them.
  private final List<Long> shuffledSince = new ArrayList<>();

  private long added;
  private long taken;

  ReadyQueue(OptionalLong shuffleSeed) {
    random = shuffleSeed.isPresent() ? new Random(shuffleSeed.getAsLong()) : null;
  }

  void add(Runnable task) {
    if (random == null) {
      fifo.addLast(task);
    } else {
      shuffled.add(task);
      shuffledSince.add(added);
    }
    added++;
  }

  @Nullable Runnable poll() {
    if (isEmpty()) {
      return null;
    }
    taken++;
    if (random == null) {
      return fifo.pollFirst();
    }
    return take(random.nextInt(shuffled.size()));
  }

  private Runnable take(int chosen) {
    Runnable last = shuffled.removeLast();
    long lastSince = shuffledSince.removeLast();
    if (chosen == shuffled.size()) {
      return last;
    }
    shuffledSince.set(chosen, lastSince);
    return shuffled.set(chosen, last);
  }

  /// Takes one out of its turn. False if it was not there.
  boolean remove(Runnable task) {
    boolean removed;
    if (random == null) {
      removed = fifo.remove(task);
    } else {
      int index = shuffled.indexOf(task);
      removed = index >= 0;
      if (removed) {
        take(index);
      }
    }
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

  /// How many were ever added: marks a moment for [#haveRun].
  long added() {
    return added;
  }

  /// Whether all that were there at that moment have been taken.
  boolean haveRun(long addedThen) {
    return random == null
        ? taken >= addedThen
        : shuffledSince.stream().noneMatch(since -> since < addedThen);
  }
}
