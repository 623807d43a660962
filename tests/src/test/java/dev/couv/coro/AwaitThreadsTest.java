// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.strand.ProbeSeat;
import dev.couv.strand.Seat;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Waits that several threads want to end.
class AwaitThreadsTest {
  private static final int THREADS = 3;
  private static final int MEETINGS = 2_000;

  /// Givers and takers of three loops, each selecting among ends of the same places, some of them
  /// cancelled at any moment: what was given was taken once, or came back.
  @Test
  void waitsThatMeetFromSeveralThreadsDecideOnce() throws Exception {
    List<Rendezvous<Integer>> places = List.of(new Rendezvous<>(), new Rendezvous<>());
    AtomicInteger gifts = new AtomicInteger();
    Set<Integer> given = new HashSet<>();
    ConcurrentLinkedQueue<Integer> gave = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Integer> took = new ConcurrentLinkedQueue<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicInteger meetings = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < THREADS; number++) {
      long seed = 40 + number;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Loop.run(() -> crowd(seed, places, gifts, gave, took, meetings));
                    } catch (Throwable thrown) {
                      failure.set(thrown);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertEquals(null, failure.get());
    List<Integer> returned = new ArrayList<>();
    places.forEach(place -> returned.addAll(place.returned()));
    List<Integer> arrived = new ArrayList<>(took);
    arrived.addAll(returned);
    assertTrue(given.addAll(gave), "nothing was given");
    assertEquals(gave.size(), given.size(), "something was given twice");
    assertEquals(arrived.size(), new HashSet<>(arrived).size(), "something was taken twice");
    // A giver that is cancelled after it was matched does not know that it gave: its gift may have
    // arrived all the same.
    assertTrue(new HashSet<>(arrived).containsAll(given), "something that was given is lost");
    places.forEach(place -> assertTrue(place.isDeserted()));
  }

  private static void crowd(
      long seed,
      List<Rendezvous<Integer>> places,
      AtomicInteger gifts,
      ConcurrentLinkedQueue<Integer> gave,
      ConcurrentLinkedQueue<Integer> took,
      AtomicInteger meetings)
      throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<Coroutine<?>> crowd = new ArrayList<>();
    while (meetings.get() < MEETINGS) {
      Coroutine<?> one =
          Coroutine.spawn(
              () -> {
                int gift = gifts.incrementAndGet();
                List<Awaitable<?>> members = new ArrayList<>();
                for (Rendezvous<Integer> place : places) {
                  members.add(random.nextBoolean() ? place.taking() : place.giving(gift));
                }
                Event<?> patience = Time.after(Duration.ofMillis(1 + random.nextInt(3)));
                members.add(patience);
                Selected<?> selected = Await.select(members);
                patience.close();
                if (selected.source() == patience) {
                  return;
                }
                meetings.incrementAndGet();
                if (selected.value() == null) {
                  gave.add(gift);
                } else {
                  took.add((Integer) selected.value());
                }
              });
      crowd.add(one);
      if (random.nextInt(4) == 0) {
        Coroutine.pause();
        crowd.get(random.nextInt(crowd.size())).cancel();
      }
      if (crowd.size() >= 8) {
        Await.settle(crowd);
        crowd.clear();
      }
    }
    Await.settle(crowd);
  }

  /// Where a source makes who asks it wait for a lock, others of the loop run, and may find the other members.
  @Test
  @Tag("loop-scheduled-engine")
  void aWaitThatAsksOneSourceDoesNotMeetAnotherMeanwhile() throws Exception {
    Rendezvous<Integer> place = new Rendezvous<>();
    Semaphore gate = new Semaphore(0);
    TestSource<String> slow =
        new TestSource<>() {
          private boolean enlisted;

          @Override
          protected Outcome<String> poll() {
            if (enlisted) {
              gate.acquireUninterruptibly();
            }
            return enlisted ? Outcome.value("slow") : null;
          }

          @Override
          public void enlist(Seat<String> seat) {
            enlisted = true;
          }

          @Override
          public void withdraw(Seat<String> seat) {}
        };
    Loop.run(
        () -> {
          Coroutine<?> asking = Coroutine.spawn(() -> Await.any(place.giving(1), slow));
          Coroutine.pause();
          Coroutine<Integer> taking = Coroutine.spawn(() -> place.taking().await());
          Coroutine.pause();
          gate.release();

          assertEquals("slow", asking.await());
          assertFalse(ProbeSeat.finds(taking.end()));
          taking.cancel();
        });
    assertTrue(place.isDeserted());
  }

  @InLoop
  @Test
  void oneWaitDoesNotMeetItself() throws Exception {
    Rendezvous<Integer> place = new Rendezvous<>();
    Event<?> timer = Time.after(Duration.ofMillis(1));

    Selected<?> selected = Await.select(place.taking(), place.giving(1), timer);

    assertSame(timer, selected.source());
    assertTrue(place.isDeserted());
  }

  @InLoop
  @Test
  void membersOfAWaitForAllMayMeet() throws Exception {
    Rendezvous<Integer> place = new Rendezvous<>();
    List<Object> values = Await.all(place.giving(7), place.taking());

    assertEquals(null, values.get(0));
    assertEquals(7, values.get(1));
  }

  /// What a source on another thread has decided cannot be undone: a value may be on its way already.
  @InLoop
  @Test
  void aCancelComesTooLateForASeatThatIsClaimed() throws Exception {
    HeldSource<String> source = new HeldSource<>();
    Coroutine<String> taker =
        Coroutine.spawn(
            () -> {
              String taken = source.await();
              assertThrows(Cancelled.class, Coroutine::pause);
              return taken;
            });
    Coroutine.pause();
    Seat<String> seat = source.seat();
    assertTrue(elsewhere(seat::claim));

    assertTrue(taker.cancel());
    elsewhere(() -> deliver(seat));

    assertEquals("gift", taker.await());
    assertEquals(List.of(), source.surrendered);
  }

  @InLoop
  @Test
  void aCoroutineThatLeftAClaimedSeatCanWaitAgainBeforeTheDelivery() throws Exception {
    HeldSource<String> source = new HeldSource<>();
    HeldSource<String> next = new HeldSource<>();
    Coroutine<String> taker =
        Coroutine.spawn(
            () -> {
              assertThrows(Resumed.class, source::await);
              return next.await();
            });
    Coroutine.pause();
    Seat<String> seat = source.seat();
    assertTrue(elsewhere(seat::claim));
    taker.resume();

    elsewhere(() -> deliver(seat));
    while (source.surrendered.isEmpty()) {
      Coroutine.pause();
    }
    assertEquals(List.of(Outcome.value("gift")), source.surrendered);
    assertEquals(Status.SUSPENDED, taker.status());
    assertTrue(next.seat().offer("other", null));
    assertEquals("other", taker.await());
  }

  /// The loop is closed before the delivery.
  @Test
  void whatWasClaimedForALoopThatIsGoneComesBack() throws Exception {
    HeldSource<String> source = new HeldSource<>();
    Loop taking = Loop.open();
    Coroutine<?> taker =
        taking.spawn(() -> assertThrows(Resumed.class, () -> source.await()).getMessage());
    taking.run(Mode.READY);
    Seat<String> seat = source.seat();
    assertTrue(elsewhere(seat::claim));
    taker.resume();

    taking.close();
    elsewhere(() -> deliver(seat));

    assertEquals(List.of(Outcome.value("gift")), source.surrendered);
  }

  /// A claim from elsewhere before the coroutine sleeps fails, and makes it ask again.
  @InLoop
  @Test
  void aClaimFromElsewhereWhileTheCoroutineEnlistsMakesItAskAgain() throws Exception {
    HeldSource<String> first = new HeldSource<>();
    TestSource<String> second =
        new TestSource<>() {
          @Override
          protected Outcome<String> poll() {
            return null;
          }

          @Override
          public void enlist(Seat<String> seat) {
            assertFalse(elsewhere(first.seat()::claim));
            assertFalse(elsewhere(first.seat()::claim));
            first.ready = Outcome.value("asked again");
          }

          @Override
          public void withdraw(Seat<String> seat) {}
        };

    assertEquals("asked again", Await.any(first, second));
    assertEquals(List.of("poll", "enlist", "found", "withdraw"), first.log);
  }

  private static boolean deliver(Seat<String> seat) {
    seat.deliver("gift", null);
    return true;
  }

  private static boolean elsewhere(BooleanSupplier action) {
    AtomicReference<Boolean> answer = new AtomicReference<>();
    Thread thread = Thread.ofPlatform().start(() -> answer.set(action.getAsBoolean()));
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    return answer.get();
  }

  @Test
  void aValueFromAnotherThreadWakesTheLoop() throws Exception {
    Rendezvous<String> place = new Rendezvous<>();
    Thread giver =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Loop.run(() -> place.giving("gift").await());
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                });

    assertEquals("gift", Loop.run(() -> place.taking().await()));
    giver.join();
  }
}
