// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.error.ClosedException;
import dev.couv.loop.NativeMemory;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import dev.couv.sync.ChanStats;
import dev.couv.sync.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// Tasks of a pool send and receive over a few channels, by themselves and in selects, while tasks are
/// cancelled, channels closed and replaced, and the pool is resized. All that is chosen by a seed; only
/// who is how quick is not.
///
/// ## What is checked
///
/// The sender knows of each value whether it was given, and who receives counts it: given values are
/// received once, or left in a channel that was closed; others never. Memory is looked at again and
/// again while it runs: what the heap and the native side hold must not grow with the values sent.
class PoolStorm {
  static final int LOOPS = 8;
  private static final int CHANNELS = 4;

  /// How many values are sent between two disturbances, about.
  private static final int SHARE = 50;

  /// How many disturbances are between two looks at memory.
  private static final int LOOK_STEPS = 1_000;

  /// What may be held at any time, beyond what was before: so much at all, and so much for each task
  /// and for each thread.
  private static final long HEAP = 32L << 20;

  private static final long HEAP_PER_TASK = 16 << 10;
  private static final long NATIVE = 1L << 20;
  private static final long NATIVE_PER_TASK = 1 << 10;
  private static final long NATIVE_PER_THREAD = 512 << 10;

  private static final long PATIENCE_NANOS = 120_000_000_000L;

  private static final int GIVEN = 1;
  private static final int WITHDRAWN = 2;

  private final int values;
  private final int taskCount;
  private final long seed;
  private final SplittableRandom random;

  /// What became of each value, as its sender saw it, and how often it was received.
  private final AtomicIntegerArray sent;

  private final AtomicIntegerArray received;

  private final LongAdder given = new LongAdder();

  /// The values that are to be sent.
  private final Chan<Integer> tickets = Chan.create(ChanOptions.unbounded().withShared(true));

  private final List<Chan<Integer>> chans = new CopyOnWriteArrayList<>();

  /// Channels that were closed, with what nobody received of them.
  private final List<Chan<Integer>> retired = new ArrayList<>();

  private final List<Promise<?>> tasks = new ArrayList<>();
  private volatile boolean over;

  private int cancels;
  private int closes;
  private int resizes;
  private long heapBefore;
  private long nativeBefore;
  private long heapMost;
  private long nativeMost;
  private int threadsMost;

  PoolStorm(int values, int coroutinesPerLoop, long seed) {
    this.values = values;
    this.taskCount = LOOPS * coroutinesPerLoop;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.sent = new AtomicIntegerArray(values);
    this.received = new AtomicIntegerArray(values);
  }

  /// Somebody has received it. A planted fault does something else.
  void received(int value) {
    received.incrementAndGet(value);
  }

  /// After each disturbance. A planted fault keeps something.
  void disturbed() {}

  void run() {
    heapBefore = heap();
    nativeBefore = NativeMemory.allocatedBytes();
    for (int i = 0; i < CHANNELS; i++) {
      chans.add(channel());
    }
    try (LoopPool pool = LoopPool.open(LOOPS)) {
      try {
        for (int i = 0; i < taskCount; i++) {
          tasks.add(submit(pool));
        }
        disturb(pool);
      } finally {
        pool.resize(LOOPS);
        over = true;
        tickets.close();
        chans.forEach(Chan::close);
      }
    }
    retired.addAll(chans);
    retired.forEach(chan -> chan.drain().forEach(this::received));
    check();
    tasks.clear();
    chans.clear();
    retired.clear();
    long heldAtTheEnd = heap() - heapBefore;
    assertTrue(heldAtTheEnd < HEAP, () -> "held at the end: " + heldAtTheEnd);
  }

  private void disturb(LoopPool pool) {
    int steps = (values + SHARE - 1) / SHARE;
    for (int step = 0; step < steps; step++) {
      int index = random.nextInt(taskCount);
      if (step % 64 == 0) {
        Chan<Integer> old = chans.set(random.nextInt(CHANNELS), channel());
        old.close();
        retired.add(old);
        closes++;
      } else if (step % 32 == 0) {
        pool.resize(1 + random.nextInt(LOOPS));
        resizes++;
      } else {
        tasks.get(index).cancel();
        tasks.set(index, submit(pool));
        cancels++;
      }
      disturbed();
      letSend(step * SHARE);
      if (step % LOOK_STEPS == LOOK_STEPS - 1) {
        look(pool);
      }
    }
    look(pool);
  }

  /// Some values more, and a moment for them: else they are all sent before anything is disturbed.
  private void letSend(int from) {
    for (int value = from; value < Math.min(values, from + SHARE); value++) {
      tickets.send(value);
    }
    long start = System.nanoTime();
    while (tickets.stats().values() > 0 && System.nanoTime() - start < moment(from)) {
      LockSupport.parkNanos(50_000);
    }
  }

  /// A longer one where the tasks lag behind, as on a busy machine.
  private long moment(int sentSoFar) {
    return given.sum() < sentSoFar / 6 ? 200_000_000 : 2_000_000;
  }

  private Chan<Integer> channel() {
    return Chan.create(new int[] {0, 0, 1, 64}[random.nextInt(4)]);
  }

  private Promise<?> submit(LoopPool pool) {
    SplittableRandom own = random.split();
    return own.nextBoolean() ? pool.submit(() -> send(own)) : pool.submit(() -> receive(own));
  }

  // ---- the tasks

  private void send(SplittableRandom own) throws Exception {
    for (int value : tickets) {
      boolean given = false;
      try {
        Chan<Integer> chan = chans.get(own.nextInt(CHANNELS));
        switch (own.nextInt(6)) {
          case 0 -> given = chan.trySend(value);
          case 1 -> given = sendOrReceive(chan, value, own);
          default -> {
            chan.send(value);
            given = true;
          }
        }
      } catch (ClosedException closed) {
        continue; // another has taken its place
      } finally {
        sent.set(value, given ? GIVEN : WITHDRAWN); // also when it is cancelled
        this.given.add(given ? 1 : 0);
      }
    }
  }

  /// Either sends here, or receives there.
  private boolean sendOrReceive(Chan<Integer> chan, int value, SplittableRandom own)
      throws Exception {
    Chan<Integer> other = chans.get(own.nextInt(CHANNELS));
    Object found = Await.<Object>select(chan.sending(value), other.receiving()).value();
    if (found instanceof Integer instead) {
      received(instead);
      return false;
    }
    return true;
  }

  private void receive(SplittableRandom own) throws Exception {
    while (!over) {
      try {
        Chan<Integer> chan = chans.get(own.nextInt(CHANNELS));
        switch (own.nextInt(6)) {
          case 0 -> {
            Integer found = chan.tryReceive();
            if (found != null) {
              received(found);
            }
            Coroutine.pause();
          }
          case 1 -> {
            Chan<Integer> other = chans.get(own.nextInt(CHANNELS));
            received(Await.select(chan.receiving(), other.receiving()).value());
          }
          default -> received(chan.receive());
        }
      } catch (ClosedException end) {
        continue;
      }
    }
  }

  // ---- what must hold

  /// While it runs. All that was cancelled must come to its end, too: that is waited for.
  private void look(LoopPool pool) {
    long limit = System.nanoTime() + PATIENCE_NANOS;
    while (pool.stats().tasks() > taskCount) {
      assertTrue(System.nanoTime() < limit, () -> "cancelled and not over: " + pool.stats());
      LockSupport.parkNanos(1_000_000);
    }
    int threads = pool.stats().threads();
    long nativeHeld = NativeMemory.allocatedBytes() - nativeBefore;
    long heapHeld = heap() - heapBefore;
    threadsMost = Math.max(threadsMost, threads);
    assertTrue(threads <= LOOPS, () -> threads + " threads");
    nativeMost = Math.max(nativeMost, nativeHeld);
    heapMost = Math.max(heapMost, heapHeld);
    assertTrue(heapHeld < HEAP + taskCount * HEAP_PER_TASK, () -> "on the heap: " + heapHeld);
    assertTrue(
        nativeHeld < NATIVE + taskCount * NATIVE_PER_TASK + threads * NATIVE_PER_THREAD,
        () -> "native: " + nativeHeld);
  }

  private void check() {
    int given = 0;
    for (int value = 0; value < values; value++) {
      int expected = 0;
      if (sent.get(value) == GIVEN) {
        given++;
        expected = 1;
      }
      if (received.get(value) != expected) {
        String words = expected == 1 ? "given" : sent.get(value) == 0 ? "unsent" : "withdrawn";
        assertEquals(expected, received.get(value), value + ", " + words + ", seed " + seed);
      }
    }
    assertTrue(given >= values / 10, "hardly anything was sent: " + given);
    assertTrue(cancels > 0 && closes > 0 && resizes > 0, "nothing was disturbed");
    for (Chan<Integer> chan : retired) {
      assertEquals(new ChanStats(chan.capacity(), 0, 0, 0, true), chan.stats(), "seed " + seed);
    }
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Override
  public String toString() {
    return "seed %d, %,d values, %,d tasks; %,d cancels, %,d closes, %,d resizes; "
            .formatted(seed, values, taskCount, cancels, closes, resizes)
        + "at most %,d KiB heap, %,d KiB native, %d threads"
            .formatted(heapMost >> 10, nativeMost >> 10, threadsMost);
  }
}
