// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// `Await.all`, `settle`, `firstSuccess` and `some`.
class AwaitAllTest {
  private static final IOException FAILURE = new IOException("failed");

  private final List<Object> log = new ArrayList<>();

  private static class Bell extends Emitter<Integer> {}

  private static Coroutine<Integer> failing(Exception failure) {
    return Coroutine.spawn(
        () -> {
          throw failure;
        });
  }

  private static Awaitable<String> failed() {
    HeldSource<String> failed = new HeldSource<>();
    failed.ready = Outcome.failure(FAILURE);
    return failed;
  }

  /// Ends after so many turns.
  private static Coroutine<Integer> after(int turns, int value) {
    return Coroutine.spawn(
        () -> {
          for (int i = 0; i < turns; i++) {
            Coroutine.pause();
          }
          return value;
        });
  }

  // ---- all

  @InLoop
  @Test
  void allGivesTheValuesInTheOrderOfTheMembers() throws Exception {
    assertEquals(List.of(3, 1, 2), Await.all(after(3, 3), after(1, 1), after(2, 2)));
    assertEquals(List.of(), Await.all());
    assertEquals(List.of(), Await.all(List.<Coroutine<Integer>>of()));
  }

  @InLoop
  @Test
  void allPassesNulls() throws Exception {
    Coroutine<Void> nothing = Coroutine.spawn(() -> {});
    List<Void> values = Await.all(nothing, nothing);
    assertEquals(2, values.size());
    assertEquals(null, values.getFirst());
  }

  @InLoop
  @Test
  @Behaviour("TA13")
  void theFirstFailureIsThrownAtOnceAndTheOthersGoOn() throws Exception {
    Coroutine<Integer> slow = after(5, 1);
    Coroutine<Integer> quick = after(0, 2);

    assertSame(
        FAILURE, assertThrows(IOException.class, () -> Await.all(slow, failing(FAILURE), quick)));

    assertFalse(slow.status().isEnded());
    assertEquals(List.of(1, 2), Await.all(slow, quick));
  }

  @InLoop
  @Test
  void failuresThatAreThereByThenAreSuppressedInTheFirst() throws Exception {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    Coroutine<Integer> one = failing(first);
    Coroutine<Integer> two = failing(second);

    IOException thrown = assertThrows(IOException.class, () -> Await.all(two, one));

    assertSame(first, thrown);
    assertEquals(List.of(second), List.of(thrown.getSuppressed()));
    assertThrows(IOException.class, () -> Await.all(one, two));
    assertEquals(1, first.getSuppressed().length, "once");
  }

  @Test
  void aFailureAfterTheFirstIsItsScopesToHearOf() throws Exception {
    IOException late = new IOException("late");
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                Loop.run(
                    () -> {
                      Coroutine<Integer> fails =
                          Coroutine.spawn(
                              () -> {
                                Time.sleep(Duration.ofMillis(1));
                                throw late;
                              });
                      assertSame(
                          FAILURE,
                          assertThrows(
                              IOException.class, () -> Await.all(failing(FAILURE), fails)));
                      Coroutine.halt();
                    }));
    assertSame(late, thrown);
  }

  @InLoop
  @Test
  @Behaviour({"TA9", "TA17"})
  void membersThatAreSettledNeedNoParking() throws Exception {
    Coroutine<Integer> one = after(0, 1);
    Coroutine<Integer> failed = failing(FAILURE);
    Await.settle(one, failed);
    Coroutine.spawn(() -> log.add("another ran"));

    assertEquals(1, one.await());
    assertEquals(List.of(1, 1), Await.all(one, one));
    assertThrows(IOException.class, () -> Await.all(one, failed));
    assertEquals(2, Await.settle(one, failed).size());

    assertEquals(List.of(), log);
  }

  @InLoop
  @Test
  void anEventThatHappensTwiceCountsOnce() throws Exception {
    Bell one = new Bell();
    Bell two = new Bell();
    Coroutine<List<Integer>> both = Coroutine.spawn(() -> Await.all(one, two));
    Coroutine.pause();

    one.fire(1, null);
    one.fire(11, null);
    Coroutine.pause();
    assertFalse(both.status().isEnded());
    two.fire(2, null);

    assertEquals(List.of(1, 2), both.await());
  }

  @Test
  @Behaviour("TA21")
  void aTimeoutEndsTheWaitAndNotItsMembers() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<Integer> slow =
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofHours(2));
                    return 1;
                  });

          assertThrows(
              TimeoutException.class,
              () -> Time.timeout(Duration.ofHours(1), () -> Await.all(slow, slow)));

          assertEquals(1, slow.await());
        });
  }

  /// What Couv has for a token: one more member.
  @InLoop
  @Test
  @Behaviour({"TA22", "TA23"})
  void aTokenIsOneMoreMember() throws Exception {
    Coroutine<Integer> token = after(0, 0);
    token.await();
    Coroutine<Integer> target = after(2, 1);

    assertSame(token, Await.select(target, token).source());
    assertEquals(1, target.await());
    assertSame(target, Await.select(target, target).source());
    assertEquals(List.of(0, 1), Await.all(token, target));
  }

  /// One of two has arrived when the wait is cancelled: an event's firing is gone, but what can be lost
  /// goes back.
  @InLoop
  @Test
  void aCancelledWaitGivesBackWhatHadArrived() throws Exception {
    HeldSource<String> one = new HeldSource<>();
    HeldSource<String> two = new HeldSource<>();
    Coroutine<List<String>> both = Coroutine.spawn(() -> Await.all(one, two));
    Coroutine.pause();
    assertTrue(one.seat().offer("value", null));
    Coroutine.pause();

    both.cancel();

    assertThrows(CancellationException.class, both::await);
    assertEquals(List.of(Outcome.value("value")), one.surrendered);
    assertEquals(List.of(), two.seats);
  }

  @InLoop
  @Test
  void aFailureGivesBackWhatTheOthersHadBrought() throws Exception {
    HeldSource<String> one = new HeldSource<>();
    one.ready = Outcome.value("value");

    assertThrows(IOException.class, () -> Await.all(one, failed()));

    assertEquals(List.of(Outcome.value("value")), one.surrendered);
  }

  // ---- settle

  @InLoop
  @Test
  @Behaviour("TA14")
  void settleTellsWhatBecameOfEach() throws Exception {
    Coroutine<Integer> cancelled = after(9, 9);
    cancelled.cancel("not needed");
    Bell closed = new Bell();
    closed.close();

    List<Outcome<Integer>> outcomes =
        Await.settle(after(2, 1), failing(FAILURE), cancelled, closed);

    assertEquals(Outcome.value(1), outcomes.get(0));
    assertEquals(Outcome.failure(FAILURE), outcomes.get(1));
    assertInstanceOf(
        CancellationException.class, ((Outcome.Failure<Integer>) outcomes.get(2)).cause());
    assertInstanceOf(ClosedException.class, ((Outcome.Failure<Integer>) outcomes.get(3)).cause());
    assertEquals(1, outcomes.get(0).get());
    assertSame(FAILURE, assertThrows(IOException.class, () -> outcomes.get(1).get()));
  }

  @InLoop
  @Test
  @Behaviour("TA10")
  void anOutcomeIsTheSameHoweverItIsAwaited() throws Exception {
    Coroutine<Integer> failed = failing(FAILURE);
    Coroutine<Integer> done = after(0, 1);
    for (int i = 0; i < 3; i++) {
      assertEquals(List.of(Outcome.failure(FAILURE)), Await.settle(failed));
      assertSame(FAILURE, assertThrows(IOException.class, () -> Await.any(failed)));
      assertSame(FAILURE, assertThrows(IOException.class, failed::await));
      assertEquals(List.of(1), Await.all(done));
    }
  }

  // ---- some

  @InLoop
  @Test
  void firstSuccessPassesOverFailures() throws Exception {
    Coroutine<Integer> slow = after(4, 9);

    assertEquals(2, Await.firstSuccess(failing(FAILURE), slow, after(2, 2)));

    assertEquals(9, slow.await());
  }

  @InLoop
  @Test
  void firstSuccessOfNothingButFailuresTellsThemAll() throws Exception {
    IOException other = new IOException("other");

    CompositeException thrown =
        assertThrows(
            CompositeException.class, () -> Await.firstSuccess(failing(FAILURE), failing(other)));

    assertEquals(List.of(FAILURE, other), thrown.failures());
    assertSame(FAILURE, thrown.getCause());
    assertEquals(List.of(other), List.of(thrown.getSuppressed()));
    assertThrows(IllegalArgumentException.class, () -> Await.firstSuccess());
  }

  @InLoop
  @Test
  @Behaviour("TA15")
  void someOfNoneOrOfFewerThanWanted() throws Exception {
    Bell never = new Bell();

    assertEquals(List.of(), Await.some(0, never));
    assertEquals(List.of(1, 2), Await.some(5, after(1, 1), after(2, 2)));
    assertEquals(List.of(), Await.some(3));
    assertThrows(IllegalArgumentException.class, () -> Await.some(-1, never));
  }

  @InLoop
  @Test
  void someGivesTheFirstInTheOrderTheyCame() throws Exception {
    Coroutine<Integer> slow = after(9, 9);

    assertEquals(List.of(1, 3), Await.some(2, after(3, 3), slow, failing(FAILURE), after(1, 1)));

    assertEquals(9, slow.await());
  }

  @InLoop
  @Test
  void someFailsAsSoonAsTooManyHaveFailed() throws Exception {
    Bell never = new Bell();

    CompositeException thrown =
        assertThrows(
            CompositeException.class,
            () -> Await.some(2, never, failing(FAILURE), failing(new IOException("other"))));

    assertEquals(2, thrown.failures().size());
  }

  /// More came in one turn than were wanted.
  @InLoop
  @Test
  void whatIsNotWantedAnyMoreIsGivenBack() throws Exception {
    HeldSource<String> one = new HeldSource<>();
    HeldSource<String> two = new HeldSource<>();
    Coroutine<List<String>> some = Coroutine.spawn(() -> Await.some(1, one, two));
    Coroutine.pause();

    assertTrue(two.seat().offer("two", null));
    assertTrue(one.seat().offer("one", null));

    assertEquals(List.of("two"), some.await());
    assertEquals(List.of(Outcome.value("one")), one.surrendered);
    assertEquals(List.of(), two.surrendered);
  }
}
