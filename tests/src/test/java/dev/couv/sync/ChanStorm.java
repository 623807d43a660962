// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// A random program on one loop: some send, some receive, everybody may be cancelled or resumed at any
/// moment, and in the end the channel is closed.
final class ChanStorm {
  private final int seed;
  private final Random random;
  private final Chan<Integer> chan;
  private int next;

  /// A send returned: somebody must receive it, or it must be left in the channel.
  private final List<Integer> given = new ArrayList<>();

  /// A send ended otherwise: the value may be received only if the sender was resumed, which may come
  /// after it was taken.
  private final List<Integer> withdrawn = new ArrayList<>();

  private final List<Integer> resumedAway = new ArrayList<>();
  private final List<Integer> taken = new ArrayList<>();

  ChanStorm(int seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.chan = Chan.create(random.nextInt(4));
  }

  void run() throws Exception {
    List<Coroutine<?>> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(Coroutine.spawn(this::produce));
      all.add(Coroutine.spawn(this::consume));
    }
    for (int step = 0; step < 200; step++) {
      Coroutine<?> one = all.get(random.nextInt(all.size()));
      switch (random.nextInt(12)) {
        case 0 -> {
          one.cancel();
          all.remove(one);
          all.add(Coroutine.spawn(random.nextBoolean() ? this::produce : this::consume));
        }
        case 1, 2, 3 -> {
          if (one.status() == Status.SUSPENDED || one.status() == Status.READY) {
            one.resume();
          }
        }
        default -> Coroutine.pause();
      }
    }
    chan.close();
  }

  private void produce() {
    while (true) {
      int value = next++;
      try {
        if (random.nextInt(8) == 0) {
          (chan.trySend(value) ? given : withdrawn).add(value);
          Coroutine.pause();
        } else {
          chan.send(value);
          given.add(value);
        }
      } catch (Resumed away) {
        if (!given.contains(value) && !withdrawn.contains(value)) {
          resumedAway.add(value);
        }
      } catch (Cancelled | ClosedException end) {
        if (!given.contains(value)) {
          withdrawn.add(value);
        }
        if (end instanceof Cancelled cancelled) {
          throw cancelled;
        }
        return;
      }
    }
  }

  private void consume() {
    while (true) {
      try {
        if (random.nextInt(8) == 0) {
          Integer value = chan.tryReceive();
          if (value != null) {
            taken.add(value);
          }
          Coroutine.pause();
        } else {
          taken.add(chan.receive());
        }
      } catch (Resumed away) {
        continue;
      } catch (ClosedException end) {
        return;
      }
    }
  }

  void check() {
    taken.addAll(chan.drain());
    Collections.sort(taken);
    List<Integer> expected = new ArrayList<>(given);
    resumedAway.stream().filter(taken::contains).forEach(expected::add);
    Collections.sort(expected);

    assertEquals(expected, taken, "seed " + seed);
    assertEquals(new ChanStats(chan.capacity(), 0, 0, 0, true), chan.stats(), "seed " + seed);
  }
}
