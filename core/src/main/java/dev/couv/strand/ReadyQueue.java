// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// What is ready to run, first come first served, or in an order drawn from a seed.
final class ReadyQueue {
  /// In a power of two of places, each at its number: from `taken` to `added`. Where there is no memory for more, it stays as it is.
  private @Nullable Runnable[] ring = new Runnable[64];

  /// Only when shuffling: then the ring stays empty.
  private final @Nullable Random random;

  private final ArrayList<Runnable> shuffled = new ArrayList<>();

  /// How many had been added before each of them.
  private long[] shuffledSince = new long[64];

  private long added;
  private long taken;

  ReadyQueue(OptionalLong shuffleSeed) {
    random = shuffleSeed.isPresent() ? new Random(shuffleSeed.getAsLong()) : null;
  }

  /// Sees to it that the next [#add] needs no memory. If it throws, nothing has changed.
  void makeRoom() {
    if (random != null) {
      shuffled.ensureCapacity(shuffled.size() + 1);
      if (shuffled.size() == shuffledSince.length) {
        shuffledSince = Arrays.copyOf(shuffledSince, 2 * shuffledSince.length);
      }
    } else if (size() == ring.length) {
      @Nullable Runnable[] larger = new Runnable[2 * ring.length];
      for (long number = taken; number < added; number++) {
        larger[(int) number & (larger.length - 1)] = ring[place(number)];
      }
      ring = larger;
    }
  }

  private int place(long number) {
    return (int) number & (ring.length - 1);
  }

  void add(Runnable task) {
    makeRoom();
    if (random == null) {
      ring[place(added)] = task;
    } else {
      shuffledSince[shuffled.size()] = added;
      shuffled.add(task);
    }
    added++;
  }

  @Nullable Runnable poll() {
    if (isEmpty()) {
      return null;
    }
    if (random != null) {
      taken++;
      return take(random.nextInt(shuffled.size()));
    }
    int place = place(taken++);
    Runnable first = ring[place];
    ring[place] = null;
    return first;
  }

  private Runnable take(int chosen) {
    Runnable last = shuffled.removeLast();
    if (chosen == shuffled.size()) {
      return last;
    }
    shuffledSince[chosen] = shuffledSince[shuffled.size()];
    return shuffled.set(chosen, last);
  }

  /// Takes one out of its turn. False if it was not there.
  boolean remove(Runnable task) {
    boolean removed = random == null ? removeInOrder(task) : removeShuffled(task);
    if (removed) {
      taken++;
    }
    return removed;
  }

  private boolean removeInOrder(Runnable task) {
    long number = taken;
    while (number < added && ring[place(number)] != task) {
      number++;
    }
    if (number == added) {
      return false;
    }
    for (; number > taken; number--) { // those before it move up
      ring[place(number)] = ring[place(number - 1)];
    }
    ring[place(taken)] = null;
    return true;
  }

  private boolean removeShuffled(Runnable task) {
    int index = shuffled.indexOf(task);
    if (index >= 0) {
      take(index);
    }
    return index >= 0;
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
        : Arrays.stream(shuffledSince, 0, shuffled.size()).noneMatch(since -> since < addedThen);
  }
}
