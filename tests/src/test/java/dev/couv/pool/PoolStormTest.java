// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import dev.couv.sync.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Tasks of a pool send and receive over a few channels, while tasks are cancelled, channels closed and
/// replaced, and the pool is resized, at random: every value is received once, or its sender knows that
/// it was not. `-Dcouv.stress=1000000 -Dcouv.stress.coroutines=1000` is the whole of it: eight loops, a
/// thousand tasks for each. `-Dcouv.seed` makes it another.
class PoolStormTest {
  private static final int VALUES = Integer.getInteger("couv.stress", 20_000);
  private static final int LOOPS = 8;
  private static final int TASKS = LOOPS * Integer.getInteger("couv.stress.coroutines", 20);
  private static final long SEED = Long.getLong("couv.seed", System.nanoTime());
  private static final int CHANNELS = 4;

  /// How many values are sent between two disturbances, about.
  private static final int SHARE = 50;

  /// More than this at the end, after a collection, is a leak: the whole storm holds less.
  private static final long MEMORY = 64L << 20;

  private static final int GIVEN = 1;
  private static final int WITHDRAWN = 2;

  /// What became of each value, as its sender saw it, and how often it was received.
  private final AtomicIntegerArray sent = new AtomicIntegerArray(VALUES);

  private final AtomicIntegerArray received = new AtomicIntegerArray(VALUES);

  /// The values that are to be sent.
  private final Chan<Integer> tickets = Chan.create(ChanOptions.unbounded().shared());

  private volatile boolean over;

  /// Channels that were closed, with what nobody received of them.
  private final List<Chan<Integer>> retired = new ArrayList<>();

  private final List<Chan<Integer>> chans = new CopyOnWriteArrayList<>();

  @Test
  void everyValueIsReceivedOnceOrReportedUndelivered() throws Exception {
    long before = memory();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < CHANNELS; i++) {
      chans.add(channel(random));
    }
    List<Promise<?>> tasks = new ArrayList<>();
    int cancels = 0;
    int closes = 0;
    int resizes = 0;
    try (LoopPool pool = LoopPool.open(LOOPS)) {
      for (int i = 0; i < TASKS; i++) {
        tasks.add(submit(pool, random));
      }
      for (int step = 0; step * SHARE < VALUES; step++) {
        int index = random.nextInt(TASKS);
        if (step % 64 == 0) {
          int which = random.nextInt(CHANNELS);
          Chan<Integer> old = chans.set(which, channel(random));
          old.close();
          retire(old);
          closes++;
        } else if (step % 32 == 0) {
          pool.resize(1 + random.nextInt(LOOPS));
          resizes++;
        } else {
          tasks.get(index).cancel();
          tasks.set(index, submit(pool, random));
          cancels++;
        }
        letSend(step * SHARE);
      }
      pool.resize(LOOPS);
      over = true;
      tickets.close();
      chans.forEach(Chan::close);
      chans.forEach(this::retire);
    }
    assertTrue(cancels > 0 && closes > 0 && resizes > 0, "nothing was disturbed");
    retired.forEach(chan -> chan.drain().forEach(received::incrementAndGet));
    check();
    tasks.clear();
    retired.clear();
    chans.clear();
    long grown = memory() - before;
    assertTrue(grown < MEMORY, "grown by " + grown);
  }

  /// Some values more, and a moment for them: else they are all sent before anything is disturbed.
  private void letSend(int from) {
    for (int value = from; value < Math.min(VALUES, from + SHARE); value++) {
      tickets.send(value);
    }
    long limit = System.nanoTime() + 2_000_000;
    while (tickets.stats().values() > 0 && System.nanoTime() < limit) {
      LockSupport.parkNanos(50_000);
    }
  }

  private static Chan<Integer> channel(SplittableRandom random) {
    return Chan.create(new int[] {0, 0, 1, 64}[random.nextInt(4)]);
  }

  /// What is left in a closed channel is received by nobody any more, once its receivers have seen the end.
  private void retire(Chan<Integer> chan) {
    retired.add(chan);
  }

  private Promise<?> submit(LoopPool pool, SplittableRandom random) {
    SplittableRandom own = random.split();
    return own.nextBoolean() ? pool.submit(() -> send(own)) : pool.submit(() -> receive(own));
  }

  private void send(SplittableRandom random) {
    for (int value : tickets) {
      int result = WITHDRAWN;
      try {
        Chan<Integer> chan = chans.get(random.nextInt(CHANNELS));
        if (random.nextInt(5) == 0) {
          result = chan.trySend(value) ? GIVEN : WITHDRAWN;
        } else {
          chan.send(value);
          result = GIVEN;
        }
      } catch (ClosedException closed) {
        continue; // another has taken its place
      } finally {
        sent.set(value, result); // also when it is cancelled
      }
    }
  }

  private void receive(SplittableRandom random) {
    while (!over) {
      try {
        received.incrementAndGet(chans.get(random.nextInt(CHANNELS)).receive());
      } catch (ClosedException end) {
        continue;
      }
    }
  }

  private void check() {
    int given = 0;
    for (int value = 0; value < VALUES; value++) {
      String subject = value + ", seed " + SEED;
      int times = received.get(value);
      switch (sent.get(value)) {
        case GIVEN -> {
          given++;
          assertEquals(1, times, subject);
        }
        default -> assertEquals(0, times, subject);
      }
    }
    assertFalse(given < VALUES / 10, "hardly anything was sent: " + given);
  }

  private static long memory() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
