// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// `Await.any` and `Await.select`.
class AwaitAnyTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  private class Bell extends Emitter<String> {
    @Override
    protected void onStart() {
      log.add("start");
    }

    @Override
    protected void onStop() {
      log.add("stop");
    }

    @Override
    public String toString() {
      return "bell";
    }
  }

  private static <T> Coroutine<T> never() {
    return Coroutine.spawn(
        () -> {
          Coroutine.halt();
          return null;
        });
  }

  private static <T> Coroutine<T> failing(Exception failure) {
    return Coroutine.spawn(
        () -> {
          throw failure;
        });
  }

  @InLoop
  @Test
  @Behaviour("TA11")
  void theFirstToSettleDecidesAlsoByFailing() throws Exception {
    IOException failure = new IOException("first");
    Coroutine<Integer> fails = failing(failure);
    Coroutine<Integer> succeeds =
        Coroutine.spawn(
            () -> {
              Coroutine.pause();
              return 2;
            });

    assertSame(failure, assertThrows(IOException.class, () -> Await.any(fails, succeeds)));
    assertEquals(2, succeeds.await());
  }

  @InLoop
  @Test
  @Behaviour("TA17")
  void aMemberThatIsSettledEndsTheWaitWithoutParking() throws Exception {
    Coroutine<Integer> done = Coroutine.spawn(() -> 1);
    done.await();
    Coroutine<Integer> never = never();
    Coroutine.spawn(() -> log.add("another ran"));

    assertEquals(1, Await.any(done, never));
    assertEquals(1, Await.<Integer>any(List.of(never, done)));
    assertSame(done, Await.select(never, done).source());

    assertEquals(List.of(), log);
    never.cancel();
  }

  /// The k-th settles in the same turn, before the wait or while it is being set up.
  @Test
  @Behaviour("TA18")
  void whatSettlesBeforeOrDuringTheWaitIsNotMissed() throws Exception {
    for (int k = 0; k < 3; k++) {
      int winner = k;
      Loop.run(
          () -> {
            List<Event<Integer>> events = List.of(new Plain(), new Plain(), new Plain());
            events.get(winner).fireAndClose(winner, null);
            assertEquals(winner, Await.<Integer>any(events));

            for (int armed = 0; armed < 3; armed++) {
              List<Event<Integer>> more = new ArrayList<>();
              for (int i = 0; i < 3; i++) {
                more.add(i == armed ? new Firing(more, winner) : new Plain());
              }
              if (winner <= armed) {
                assertEquals(winner, Await.<Integer>any(more), "while " + armed + " is armed");
              }
            }
          });
    }
  }

  private static class Plain extends Emitter<Integer> {}

  /// Fires another one while it is armed itself.
  private static final class Firing extends Emitter<Integer> {
    private final List<Event<Integer>> events;
    private final int winner;

    Firing(List<Event<Integer>> events, int winner) {
      this.events = events;
      this.winner = winner;
    }

    @Override
    protected void onStart() {
      try {
        events.get(winner).fire(winner, null);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void selectTellsWhichItWas() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Event<?> soon = Time.after(Duration.ofMinutes(1));
          Event<?> late = Time.after(HOUR);
          Coroutine<String> never = never();

          Selected<Object> selected = Await.select(late, never, soon);

          assertSame(soon, selected.source());
          never.cancel();
        });
  }

  @InLoop
  @Test
  void theLosersAreLeftAsTheyWereAndCanBeAwaitedAgain() throws Exception {
    Bell bell = new Bell();
    Coroutine<Integer> slow =
        Coroutine.spawn(
            () -> {
              Coroutine.pause();
              Coroutine.pause();
              return 7;
            });
    Coroutine<Integer> quick = Coroutine.spawn(() -> 1);

    assertSame(quick, Await.select(bell, slow, quick).source());

    assertEquals(List.of("start", "stop"), log);
    assertEquals(7, slow.await());
    Coroutine<String> listener = Coroutine.spawn(bell::await);
    Coroutine.pause();
    bell.fire("ding", null);
    assertEquals("ding", listener.await());
  }

  @InLoop
  @Test
  void ofSeveralThatAreReadyTheFirstNamedWins() throws Exception {
    Coroutine<Integer> one = Coroutine.spawn(() -> 1);
    Coroutine<Integer> two = Coroutine.spawn(() -> 2);
    two.await();
    one.await();

    assertEquals(1, Await.any(one, two));
    assertEquals(2, Await.any(two, one));
  }

  @InLoop
  @Test
  void ofSeveralThatHappenInOneTurnTheFirstToHappenWins() throws Exception {
    Bell first = new Bell();
    Bell second = new Bell();
    Coroutine<Selected<String>> waiting = Coroutine.spawn(() -> Await.select(first, second));
    Coroutine.pause();

    second.fire("two", null);
    first.fire("one", null);

    assertEquals("two", waiting.await().value());
  }

  @InLoop
  @Test
  void theSameMemberMayBeNamedTwice() throws Exception {
    Bell bell = new Bell();
    Coroutine<String> waiting = Coroutine.spawn(() -> Await.any(bell, bell));
    Coroutine.pause();

    bell.fire("ding", null);

    assertEquals("ding", waiting.await());
    assertEquals(List.of("start", "stop"), log);
  }

  @InLoop
  @Test
  void aCancelledWaitLeavesEveryMember() throws Exception {
    Bell bell = new Bell();
    Coroutine<Integer> never = never();
    Coroutine<Object> waiting = Coroutine.spawn(() -> Await.any(bell, never));
    Coroutine.pause();

    waiting.cancel();

    assertThrows(CancellationException.class, waiting::await);
    assertEquals(List.of("start", "stop"), log);
    bell.fire("unheard", null);
    never.cancel();
  }

  @InLoop
  @Test
  void aResumedWaitLeavesEveryMember() throws Exception {
    Bell bell = new Bell();
    Bell other = new Bell();
    Coroutine<Object> waiting =
        Coroutine.spawn(() -> assertThrows(Resumed.class, () -> Await.any(bell, other)).values());
    Coroutine.pause();

    waiting.resume(5);

    assertEquals(List.of(5), waiting.await());
    assertEquals(List.of("start", "start", "stop", "stop"), log);
  }

  /// Woken, but resumed before its turn: the failure it did not look at is everybody's again.
  @Test
  void aFailureThatAResumedWaitDidNotTakeIsReported() throws Exception {
    IOException failure = new IOException("unseen");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine<Integer> fails = failing(failure);
                      Coroutine<Integer> never = never();
                      Coroutine<Object> waiting =
                          Coroutine.create(
                              () -> assertThrows(Resumed.class, () -> Await.any(fails, never)));
                      waiting.resume();
                      fails.onEnd((_, _) -> Coroutine.spawn(() -> waiting.resume()));
                      Time.sleep(Duration.ofMillis(1));
                      Coroutine.halt();
                    }));

    assertSame(failure, thrown);
  }

  @InLoop
  @Test
  void aClosedMemberIsAFailure() throws Exception {
    Bell bell = new Bell();
    Coroutine<Integer> never = never();
    Coroutine<Object> waiting = Coroutine.spawn(() -> Await.any(bell, never));
    Coroutine.pause();

    bell.close();

    assertThrows(ClosedException.class, waiting::await);
    assertThrows(ClosedException.class, () -> Await.any(never, bell));
    never.cancel();
  }

  @Test
  void misuseIsRefused() throws Exception {
    assertTrue(
        assertThrows(IllegalStateException.class, () -> Await.any(() -> 1, () -> 2))
            .getMessage()
            .contains("Await.any"));
    Loop.run(
        () -> {
          assertThrows(IllegalArgumentException.class, () -> Await.any());
          assertThrows(IllegalArgumentException.class, () -> Await.select());
          assertThrows(IllegalArgumentException.class, () -> Await.any(List.of(), 1));
          assertThrows(IllegalArgumentException.class, () -> Await.any(List.of(new Bell()), 0));
          Bell bell = new Bell();
          assertThrows(NullPointerException.class, () -> Await.any(bell, null));
          assertThrows(NullPointerException.class, () -> Await.any(bell, bell, null));
          Coroutine<?> self = Coroutine.current();
          assertThrows(IllegalStateException.class, () -> Await.any(bell, self));
          assertEquals(List.of(), log);
          assertEquals(1, Await.any(Coroutine.spawn(() -> 1), bell), "still usable");
        });
  }

  @Test
  void membersOfAnotherLoopAreRefused() throws Exception {
    try (RunningLoop running = new RunningLoop()) {
      Bell theirs = running.loop.submit(Bell::new).get();
      Loop.run(
          () -> {
            Bell ours = new Bell();
            assertThrows(IllegalStateException.class, () -> Await.any(ours, theirs));
          });
    }
    assertEquals(List.of(), log);
  }

  @InLoop
  @Test
  void aMemberThatCannotBeArmedEndsTheWaitAndTheOthersAreLeft() throws Exception {
    Bell bell = new Bell();
    Event<String> broken =
        new Emitter<>() {
          @Override
          protected void onStart() {
            throw new IllegalArgumentException("broken");
          }
        };

    assertThrows(IllegalArgumentException.class, () -> Await.any(bell, broken));

    assertEquals(List.of("start", "stop"), log);
  }

  @InLoop
  @Test
  void theDumpNamesWhatIsAwaited() throws Exception {
    Bell bell = new Bell();
    Coroutine<Integer> never = AwaitAnyTest.<Integer>never().named("never");
    Coroutine<?> waiting = Coroutine.spawn(() -> Await.any(bell, never)).named("listener");
    Coroutine.pause();

    String dump = Loop.current().dump();

    assertTrue(dump.contains("listener SUSPENDED, awaiting any of bell, the end of never"), dump);
    waiting.cancel();
    assertThrows(CancellationException.class, waiting::await);
    never.cancel();
  }

  /// A deadlock of two waits for several: both are named, and neither is missed.
  @Test
  void waitsThatNothingCanEndAreADeadlock() {
    Deadlock deadlock =
        assertThrows(
            Deadlock.class,
            () ->
                Loop.run(
                    () -> {
                      Bell bell = new Bell();
                      Bell other = new Bell();
                      Coroutine.spawn(() -> Await.any(bell, other)).named("stuck");
                      Await.all(bell, other);
                    }));

    assertTrue(deadlock.getMessage().contains("stuck"), deadlock.getMessage());
  }

  /// Its reference is kept by nobody when the wait is over: the waker is used again.
  @InLoop
  @Test
  void aCoroutineUsesItsWakerAgainAndAgain() throws Exception {
    Bell[] bells = {new Bell(), new Bell(), new Bell(), new Bell()};
    Coroutine<?> waiting =
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < 100; i++) {
                switch (i % 3) {
                  case 0 -> assertEquals("" + i, bells[0].await());
                  case 1 -> assertEquals("" + i, Await.any(bells[1], bells[0]));
                  default -> assertEquals("" + i, Await.any(bells[2], bells[0], bells[3]));
                }
              }
            });
    for (int i = 0; i < 100; i++) {
      Coroutine.pause();
      bells[i % 3].fire("" + i, null);
    }

    waiting.await();
    assertEquals(
        log.stream().filter("start"::equals).count(), log.stream().filter("stop"::equals).count());
  }
}
