// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random waits over mailboxes, events and coroutines, cancelled and resumed at random moments: every
/// value is taken once or still there, and nobody is left enlisted or started.
class AwaitChaosTest {
  private static final int STEPS = 6_000;

  private final List<Mailbox> boxes = List.of(new Mailbox(), new Mailbox(), new Mailbox());
  private final List<Counted> events = new ArrayList<>();
  private final Set<Integer> put = new HashSet<>();
  private final List<Integer> taken = new ArrayList<>();
  private final Set<Coroutine<?>> cancelled = new HashSet<>();

  private static final class Counted extends Emitter<Integer> {
    private int armed;

    @Override
    protected void onStart() {
      armed++;
    }

    @Override
    protected void onStop() {
      armed--;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 42, 1337})
  void nothingIsLostWhateverHappens(long seed) throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Loop.run(
        LoopOptions.DEFAULT.withShuffle(seed),
        () -> {
          events.add(new Counted());
          events.add(new Counted());
          List<Coroutine<?>> crowd = new ArrayList<>();
          for (int step = 0; step < STEPS; step++) {
            step(random, crowd, step);
          }
          crowd.forEach(Coroutine::cancel);
          Await.settle(crowd);
        });

    List<Integer> accounted = new ArrayList<>(taken);
    boxes.forEach(box -> accounted.addAll(box.left()));
    assertEquals(accounted.size(), new HashSet<>(accounted).size(), "a value came twice");
    assertEquals(put, new HashSet<>(accounted), "seed " + seed);
    assertTrue(taken.size() > STEPS / 10, "taken: " + taken.size());
    boxes.forEach(box -> assertTrue(box.isDeserted()));
    events.forEach(event -> assertEquals(0, event.armed));
  }

  private void step(RandomGenerator random, List<Coroutine<?>> crowd, int number) throws Exception {
    switch (random.nextInt(8)) {
      case 0, 1 -> crowd.add(Coroutine.spawn(() -> taker(random)));
      case 2, 3, 4 -> {
        put.add(number);
        boxes.get(random.nextInt(boxes.size())).put(number);
      }
      case 5 -> events.get(random.nextInt(events.size())).fire(-1, null);
      case 6 -> {
        crowd.removeIf(one -> one.status().isEnded());
        if (!crowd.isEmpty()) {
          Coroutine<?> one = crowd.get(random.nextInt(crowd.size()));
          boolean waits = one.status() == Status.SUSPENDED || one.status() == Status.READY;
          if (waits && !cancelled.contains(one) && random.nextBoolean()) {
            one.resume();
          } else {
            cancelled.add(one);
            one.cancel();
          }
        }
      }
      default -> Coroutine.pause();
    }
  }

  private void taker(RandomGenerator random) throws Exception {
    for (int i = 0; i < 4; i++) {
      try {
        taken.addAll(wait(random));
      } catch (Resumed resumed) {
        // waits again
      }
    }
  }

  /// What it took from mailboxes.
  private List<Integer> wait(RandomGenerator random) throws Exception {
    List<Awaitable<Integer>> members = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      members.add(
          switch (random.nextInt(4)) {
            case 0 -> events.get(random.nextInt(events.size()));
            case 1 -> Coroutine.spawn(() -> -2);
            default -> boxes.get(random.nextInt(boxes.size()));
          });
    }
    List<Integer> values =
        switch (random.nextInt(5)) {
          case 0 -> List.of(Await.<Integer>any(members));
          case 1 -> Await.<Integer>all(members, 1 + random.nextInt(2));
          case 2 -> Await.<Integer>some(1 + random.nextInt(2), members);
          case 3 -> List.of(Await.<Integer>firstSuccess(members));
          default -> List.of(members.getFirst().await());
        };
    return values.stream().filter(value -> value >= 0).toList();
  }
}
