// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Eight loops and two plain threads on a few channels, with cancels, resumes and closes at random:
/// every value is received once, or its sender knows that it was not. `-Dcouv.stress=1000000` makes it
/// longer, `-Dcouv.seed` makes it another.
@Tag("storm")
class ChanStressTest {
  private static final int VALUES = Integer.getInteger("couv.stress", 40_000);
  private static final long SEED = Long.getLong("couv.seed", System.nanoTime());
  private static final int LOOPS = 8;
  private static final int COROUTINES = Integer.getInteger("couv.stress.coroutines", 40);

  /// What became of a value, as its sender and its receiver saw it.
  private final byte[] sent = new byte[VALUES];

  private final AtomicInteger next = new AtomicInteger();
  private final List<BitSet> received = new ArrayList<>();

  private static final byte GIVEN = 1;
  private static final byte WITHDRAWN = 2;

  /// The sender was resumed, and cannot know.
  private static final byte UNKNOWN = 3;

  @Test
  void everyValueIsReceivedOnceOrReportedUndelivered() {
    List<Chan<Integer>> chans =
        List.of(Chan.create(0), Chan.create(1), Chan.create(64), Chan.create(0));
    AtomicInteger sendersLeft = new AtomicInteger(LOOPS + 1);
    try (Loops all = new Loops()) {
      for (int loop = 0; loop < LOOPS; loop++) {
        BitSet mine = addBits();
        Random random = new Random(SEED + loop);
        all.loop(
            () -> {
              runLoop(chans, mine, random);
              if (sendersLeft.decrementAndGet() == 0) {
                chans.forEach(Chan::close);
              }
            });
      }
      Random random = new Random(SEED - 1);
      all.thread(
          () -> {
            send(chans, random);
            if (sendersLeft.decrementAndGet() == 0) {
              chans.forEach(Chan::close);
            }
          });
      BitSet mine = addBits();
      all.thread(() -> chans.get(2).forEach(mine::set));
    }
    check(chans);
  }

  private synchronized BitSet addBits() {
    BitSet bits = new BitSet(VALUES);
    received.add(bits);
    return bits;
  }

  private void runLoop(List<Chan<Integer>> chans, BitSet mine, Random random) {
    List<Coroutine<?>> senders = new ArrayList<>();
    for (int i = 0; i < COROUTINES; i++) {
      senders.add(Coroutine.spawn(() -> send(chans, random)));
      Coroutine.spawn(() -> receive(chans, mine, random));
    }
    while (next.get() < VALUES) {
      int index = random.nextInt(senders.size());
      Coroutine<?> one = senders.get(index);
      switch (random.nextInt(6)) {
        case 0 -> {
          one.cancel();
          senders.set(index, Coroutine.spawn(() -> send(chans, random)));
        }
        case 1 -> {
          if (one.status() == Status.SUSPENDED) {
            resume(one);
          }
        }
        default -> Coroutine.pause();
      }
    }
    for (Coroutine<?> sender : senders) {
      while (!sender.status().isEnded()) {
        Coroutine.pause();
      }
    }
  }

  private static void resume(Coroutine<?> one) {
    try {
      one.resume();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void send(List<Chan<Integer>> chans, Random random) {
    for (int value; (value = next.getAndIncrement()) < VALUES; ) {
      Chan<Integer> chan = chans.get(random.nextInt(chans.size()));
      byte result = WITHDRAWN;
      try {
        switch (random.nextInt(5)) {
          case 0 -> result = chan.trySend(value) ? GIVEN : WITHDRAWN;
          default -> {
            chan.send(value);
            result = GIVEN;
          }
        }
      } catch (Resumed away) {
        result = UNKNOWN;
      } catch (ClosedException closed) {
        result = WITHDRAWN;
      } finally {
        sent[value] = result; // also when it is cancelled
      }
    }
  }

  private void receive(List<Chan<Integer>> chans, BitSet mine, Random random) throws Exception {
    while (true) {
      Chan<Integer> chan = chans.get(random.nextInt(chans.size()));
      try {
        int value;
        switch (random.nextInt(6)) {
          case 0 -> {
            Integer found = chan.tryReceive();
            Coroutine.pause();
            if (found == null) {
              continue;
            }
            value = found;
          }
          case 1, 2 -> {
            Chan<Integer> other = chans.get(random.nextInt(chans.size()));
            value = Await.select(chan.receiving(), other.receiving()).value();
          }
          default -> value = chan.receive();
        }
        mine.set(value);
      } catch (ClosedException end) {
        return;
      }
    }
  }

  private void check(List<Chan<Integer>> chans) {
    BitSet all = new BitSet(VALUES);
    for (Chan<Integer> chan : chans) {
      chan.drain().forEach(all::set);
    }
    for (BitSet bits : received) {
      assertTrue(!all.intersects(bits), "received twice, seed " + SEED);
      all.or(bits);
    }
    int unknown = 0;
    for (int value = 0; value < VALUES; value++) {
      switch (sent[value]) {
        case GIVEN -> assertTrue(all.get(value), value + " is lost, seed " + SEED);
        case WITHDRAWN -> assertTrue(!all.get(value), value + " was not sent, seed " + SEED);
        case UNKNOWN -> unknown++;
        default -> throw new AssertionError(value + " was never tried, seed " + SEED);
      }
    }
    assertTrue(unknown < VALUES / 2, "hardly anything was sent");
    for (Chan<Integer> chan : chans) {
      assertEquals(new ChanStats(chan.capacity(), 0, 0, 0, true), chan.stats(), "seed " + SEED);
    }
  }
}
