// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeSleepTest {
  /// How late a busy machine may be. What is never woken would be later.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static void burn(Duration duration) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < duration.toNanos()) {
      Thread.onSpinWait();
    }
  }

  private static void assertSleepsFor(Duration duration) {
    long start = System.nanoTime();
    Time.sleep(duration);
    Duration slept = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(slept.compareTo(duration) >= 0, () -> duration + " was over after " + slept);
    assertTrue(slept.compareTo(duration.plus(PATIENCE)) < 0, () -> duration + " took " + slept);
  }

  // ---- neither early nor late

  @InLoop
  @ParameterizedTest
  @ValueSource(
      longs = {
        1,
        999,
        1_000,
        50_000,
        499_999,
        500_000,
        999_999,
        1_000_000,
        1_000_001,
        1_500_000,
        2_000_000,
        3_999_999,
        7_000_000,
        20_000_000
      })
  void sleepIsNeverEarlyAndNotLate(long nanos) throws Exception {
    for (int i = 0; i < 5; i++) {
      assertSleepsFor(Duration.ofNanos(nanos));
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(longs = {1, 300_000, 1_000_000, 5_000_000, 10_000_000})
  @Behaviour("TA5")
  void staleClockOfTheLoopMakesNoSleepEarly(long nanos) throws Exception {
    for (int i = 0; i < 3; i++) {
      burn(Duration.ofMillis(6)); // the loop's time and libuv's stand still meanwhile
      assertSleepsFor(Duration.ofNanos(nanos));
    }
  }

  @InLoop
  @Test
  void sleepersAreNotHeldUpByAnIdleSocketOrEachOther() throws Exception {
    List<Coroutine<?>> sleepers = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 1000; i++) {
      Duration duration = Duration.ofNanos(random.nextInt(30_000_000));
      sleepers.add(Coroutine.spawn(() -> assertSleepsFor(duration)));
    }
    for (Coroutine<?> sleeper : sleepers) {
      sleeper.await();
    }
  }

  /// On libuv 1.44 a turn may run a timer and then wait for something else in the same call.
  @InLoop
  @Test
  void timerThatIsDueIsNotFollowedByAWaitForTheNext() throws Exception {
    Coroutine<?> far = Coroutine.spawn(() -> Time.sleep(Duration.ofMinutes(5)));
    for (int i = 0; i < 20; i++) {
      assertSleepsFor(Duration.ofMillis(1));
    }
    far.cancel();
  }

  @InLoop
  @Test
  void earlierSleepOvertakesALaterOneThatWasThereFirst() throws Exception {
    Coroutine<?> far = Coroutine.spawn(() -> Time.sleep(Duration.ofMinutes(5)));
    Coroutine.pause();
    Loop.offload(() -> null); // the loop has waited with the far deadline alone
    assertSleepsFor(Duration.ofMillis(2));
    far.cancel();
  }

  // ---- order

  @Test
  void aThousandRandomSleepsEndInOrderAndOnTheMoment() throws Exception {
    record Nap(int number, Duration duration) {}
    Random random = new Random(42);
    List<Nap> naps = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      naps.add(new Nap(i, Duration.ofNanos(1 + random.nextInt(200) * 250_000L)));
    }
    List<Nap> woken = new ArrayList<>();
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          for (Nap nap : naps) {
            Coroutine.spawn(
                () -> {
                  Time.sleep(nap.duration());
                  assertEquals(nap.duration(), clock.elapsed());
                  woken.add(nap);
                });
          }
        });

    List<Nap> expected = new ArrayList<>(naps);
    expected.sort(Comparator.comparing(Nap::duration).thenComparing(Nap::number));
    assertEquals(expected, woken);
  }

  @Test
  void equalDeadlinesAreServedInTheOrderTheyWereMade() throws Exception {
    List<Integer> woken = new ArrayList<>();
    new TestClock()
        .run(
            () -> {
              for (int i = 0; i < 100; i++) {
                int number = i;
                Coroutine.spawn(
                    () -> {
                      Time.sleep(Duration.ofMillis(7));
                      woken.add(number);
                    });
              }
            });

    assertEquals(IntStream.range(0, 100).boxed().toList(), woken);
  }

  @Test
  void sleepsThatMeetAtOneMomentKeepTheOrderOfTheirBeginnings() throws Exception {
    List<String> woken = new ArrayList<>();
    new TestClock()
        .run(
            () -> {
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofMillis(10));
                    woken.add("long");
                  });
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofMillis(6));
                    Time.sleep(Duration.ofMillis(4));
                    woken.add("in two parts");
                  });
            });

    assertEquals(List.of("long", "in two parts"), woken);
  }

  @Test
  void sleepersCancelledAmongManyDisturbNobody() throws Exception {
    Random random = new Random(7);
    List<Integer> woken = new ArrayList<>();
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          List<Coroutine<?>> sleepers = new ArrayList<>();
          for (int i = 1; i <= 500; i++) {
            int millis = i;
            sleepers.add(
                Coroutine.spawn(
                    () -> {
                      Time.sleep(Duration.ofMillis(millis));
                      woken.add(millis);
                    }));
          }
          Coroutine.pause();
          Collections.shuffle(sleepers, random);
          sleepers.subList(0, 400).forEach(Coroutine::cancel);
        });

    assertEquals(100, woken.size());
    assertEquals(woken.stream().sorted().toList(), woken);
    assertEquals(Duration.ofMillis(woken.getLast()), clock.elapsed());
  }

  // ---- short, long, wrong

  /// CoUtil never resumes the second.
  @InLoop
  @Test
  void twoSleepsOfLessThanAMillisecondInARowBothEnd() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertSleepsFor(Duration.ofNanos(200_000));
      assertSleepsFor(Duration.ofNanos(200_000));
    }
  }

  @Test
  @Behaviour("TM05")
  void longestDurationsAreTakenAndLongerOnesRefused() throws Exception {
    TestClock clock = TestClock.manual();
    clock.run(
        () -> {
          Duration longest = Duration.ofNanos(Long.MAX_VALUE);
          List<Coroutine<?>> sleepers = new ArrayList<>();
          for (Duration duration : List.of(longest, Duration.ofDays(100_000))) {
            sleepers.add(Coroutine.spawn(() -> Time.sleep(duration)));
          }
          Coroutine.pause();
          clock.advance(Duration.ofDays(30_000));
          Coroutine.pause();
          for (Coroutine<?> sleeper : sleepers) {
            assertEquals(Status.SUSPENDED, sleeper.status());
            sleeper.cancel();
          }

          for (Duration tooLong :
              List.of(longest.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> Time.sleep(tooLong));
            assertTrue(thrown.getMessage().contains("out of range"), thrown.getMessage());
            assertThrows(IllegalArgumentException.class, () -> Time.after(tooLong));
            assertThrows(IllegalArgumentException.class, () -> Time.timeout(tooLong, () -> null));
            assertThrows(IllegalArgumentException.class, () -> Ticker.every(tooLong));
          }
        });
  }

  @InLoop
  @Test
  void sleepOfAHundredYearsCanBeWaitedForBesideAShortOne() throws Exception {
    Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(Duration.ofNanos(Long.MAX_VALUE)));
    Coroutine.pause();
    assertSleepsFor(Duration.ofMillis(2));
    assertEquals(Status.SUSPENDED, sleeper.status());
    sleeper.cancel();
  }

  /// CoUtil takes a negative delay as zero; here it is a mistake.
  @InLoop
  @Test
  @Behaviour({"TM05", "TM08"})
  void negativeDurationIsRefusedBeforeAnythingStarts() throws Exception {
    for (Duration negative : List.of(Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
      IllegalArgumentException thrown =
          assertThrows(IllegalArgumentException.class, () -> Time.sleep(negative));
      assertTrue(thrown.getMessage().contains("negative"), thrown.getMessage());
      assertTrue(thrown.getMessage().contains(negative.toString()), thrown.getMessage());
      assertThrows(IllegalArgumentException.class, () -> Time.after(negative));
      assertThrows(IllegalArgumentException.class, () -> Time.timeout(negative, () -> null));
      assertThrows(IllegalArgumentException.class, () -> Ticker.every(negative));
    }
    assertThrows(NullPointerException.class, () -> Time.sleep(null));
    assertEquals(0, Loop.current().stats().timers());
  }

  @Test
  @Behaviour("TM05")
  void sleepOutsideACoroutineIsRefusedByName() {
    IllegalStateException sleep =
        assertThrows(IllegalStateException.class, () -> Time.sleep(Duration.ofMillis(1)));
    IllegalStateException zero =
        assertThrows(IllegalStateException.class, () -> Time.sleep(Duration.ZERO));
    IllegalStateException after =
        assertThrows(IllegalStateException.class, () -> Time.after(Duration.ZERO));
    IllegalStateException timeout =
        assertThrows(IllegalStateException.class, () -> Time.timeout(Duration.ZERO, () -> null));
    IllegalStateException ticker =
        assertThrows(IllegalStateException.class, () -> Ticker.every(Duration.ofMillis(1)));

    assertTrue(sleep.getMessage().contains("Time.sleep"), sleep.getMessage());
    assertTrue(zero.getMessage().contains("Time.sleep"), zero.getMessage());
    assertTrue(after.getMessage().contains("Time.after"), after.getMessage());
    assertTrue(timeout.getMessage().contains("Time.timeout"), timeout.getMessage());
    assertTrue(ticker.getMessage().contains("Ticker.every"), ticker.getMessage());
  }

  // ---- the rows of CoUtil

  @InLoop
  @Test
  @Behaviour("TM04")
  void sleepOfAMillisecondTakesOneByTheLoopsTime() throws Exception {
    Instant start = Time.update();
    Time.sleep(Duration.ofMillis(1));
    Duration slept = Duration.between(start, Time.update());

    assertTrue(slept.compareTo(Duration.ofMillis(1)) >= 0, slept::toString);
    assertTrue(slept.compareTo(PATIENCE) < 0, slept::toString);
  }

  @InLoop
  @Test
  @Behaviour("TM07")
  void coroutineThatComputesLetsNobodyElseRun() throws Exception {
    List<String> story = new ArrayList<>();
    Coroutine<?> other =
        Coroutine.spawn(
            () -> {
              Time.sleep(Duration.ofMillis(1));
              story.add("other");
            });
    Coroutine.pause();
    burn(Duration.ofMillis(5));
    story.add("computed");
    other.await();

    assertEquals(List.of("computed", "other"), story);
  }

  @InLoop
  @Test
  @Tag("hand-over-engine")
  @Behaviour("TM07")
  void threadSleepHoldsTheLoopOnTheHandOverEngine() throws Exception {
    List<String> story = new ArrayList<>();
    Coroutine<?> other = Coroutine.spawn(() -> story.add("other"));
    Thread.sleep(5);
    story.add("slept");
    other.await();

    assertEquals(List.of("slept", "other"), story);
  }

  @InLoop
  @Test
  @Tag("loop-scheduled-engine")
  void threadSleepHoldsOnlyItsCoroutineOnTheLoopScheduledEngine() throws Exception {
    List<String> story = new ArrayList<>();
    Coroutine<?> other = Coroutine.spawn(() -> story.add("other"));
    Thread.sleep(5);
    story.add("slept");
    other.await();

    assertEquals(List.of("other", "slept"), story);
  }

  @InLoop
  @Test
  @Behaviour("TM08")
  void resumerOfASleeperIsToldNothing() throws Exception {
    for (Duration duration : List.of(Duration.ZERO, Duration.ofMillis(1))) {
      List<String> story = new ArrayList<>();
      Coroutine<?> sleeper =
          Coroutine.create(
              () -> {
                Time.sleep(duration);
                story.add("slept");
                return "result";
              });

      assertNull(sleeper.resume("ignored", "arguments"));
      assertEquals(List.of(), story);
      assertEquals("result", sleeper.await());
      assertEquals(List.of("slept"), story);
    }
  }

  @Test
  @Behaviour("TM09")
  void zeroIsOverInOneStep() throws Exception {
    try (Loop loop = Loop.open()) {
      List<String> story = new ArrayList<>();
      loop.spawn(
          () -> {
            Time.sleep(Duration.ZERO);
            story.add("on");
          });

      assertTrue(loop.run(Mode.STEP)); // begins, and goes to the back of the queue
      assertEquals(List.of(), story);
      assertFalse(loop.run(Mode.STEP));
      assertEquals(List.of("on"), story);
    }
  }

  @InLoop
  @Test
  void zeroLetsTheOthersRunOnce() throws Exception {
    List<String> story = new ArrayList<>();
    Coroutine.spawn(() -> story.add("one"));
    Coroutine.spawn(() -> story.add("two"));
    Time.sleep(Duration.ZERO);
    story.add("self");

    assertEquals(List.of("one", "two", "self"), story);
  }

  @Test
  @Behaviour("TM11")
  void resumedSleepEndsWithTheValuesAndIsNotResumedAgain() throws Exception {
    try (Loop loop = Loop.open()) {
      List<String> story = new ArrayList<>();
      loop.spawn(
          () -> {
            Coroutine<?> sleeper =
                Coroutine.spawn(
                    () -> {
                      Resumed resumed =
                          assertThrows(Resumed.class, () -> Time.sleep(Duration.ofMinutes(10)));
                      assertEquals(Arrays.asList(true, null, 3), resumed.values());
                      story.add("resumed");
                      Coroutine.yield();
                      story.add("again");
                    });
            Coroutine.pause();
            sleeper.resume(true, null, 3);
          });

      assertFalse(loop.run(Mode.LOOP));
      assertEquals(0, loop.stats().timers());
      assertEquals(List.of("resumed"), story);
    }
  }

  @InLoop
  @Test
  @Behaviour("TM12")
  void resumedSleeperCanSleepAgain() throws Exception {
    Coroutine<?> sleeper =
        Coroutine.spawn(
            () -> {
              assertThrows(Resumed.class, () -> Time.sleep(Duration.ofMinutes(10)));
              assertSleepsFor(Duration.ofMillis(3));
            });
    Coroutine.pause();
    sleeper.resume();
    sleeper.await();
  }

  @InLoop
  @Test
  @Behaviour("TM13")
  void sleeperCanBeResumedAgainAndAgain() throws Exception {
    List<Object> values = new ArrayList<>();
    Coroutine<?> sleeper =
        Coroutine.spawn(
            () -> {
              for (int i = 0; i < 3; i++) {
                values.addAll(
                    assertThrows(Resumed.class, () -> Time.sleep(Duration.ofMinutes(10))).values());
              }
            });
    Coroutine.pause();
    sleeper.resume(1);
    sleeper.resume(22);
    sleeper.resume(333);

    assertEquals(Status.DONE, sleeper.status());
    assertEquals(List.of(1, 22, 333), values);
  }

  @Test
  @Behaviour("TM15")
  void failureAfterAResumedSleepIsTheResumersAndTheLoopEnds() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            Coroutine<?> sleeper =
                Coroutine.spawn(
                    () -> {
                      try {
                        Time.sleep(Duration.ofMinutes(10));
                      } catch (Resumed resumed) {
                        throw new IllegalStateException("oops", resumed);
                      }
                    });
            Coroutine.pause();
            assertThrows(IllegalStateException.class, sleeper::resume);
          });

      assertFalse(loop.run(Mode.LOOP));
    }
  }

  // ---- leaving

  @Test
  void cancelledSleepEndsAtOnceAndForgetsItsDeadline() throws Exception {
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(Duration.ofMinutes(10)));
          Coroutine.pause();
          assertEquals(1, Loop.current().stats().timers());
          sleeper.cancel("no time");

          CancellationException thrown = assertThrows(CancellationException.class, sleeper::await);
          assertTrue(thrown.getMessage().contains("no time"), thrown.getMessage());
          assertEquals(0, Loop.current().stats().timers());
        });

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void cancelThatMeetsTheDeadlineLetsTheSleepEnd() throws Exception {
    List<String> story = new ArrayList<>();
    new TestClock()
        .run(
            () -> {
              Coroutine<?>[] sleeper = new Coroutine<?>[1];
              Coroutine.spawn(
                  () -> {
                    Time.sleep(Duration.ofMillis(5));
                    assertEquals(Status.READY, sleeper[0].status());
                    sleeper[0].cancel();
                  });
              sleeper[0] =
                  Coroutine.spawn(
                      () -> {
                        Time.sleep(Duration.ofMillis(5));
                        story.add("slept");
                        assertThrows(Cancelled.class, () -> Time.sleep(Duration.ZERO));
                        story.add("cancelled");
                      });
            });

    assertEquals(List.of("slept", "cancelled"), story);
  }

  @InLoop
  @Test
  void sleeperTellsWhatItWaitsFor() throws Exception {
    Coroutine<?> sleeper =
        Coroutine.spawn(() -> Time.sleep(Duration.ofMinutes(10))).named("sleeper");
    Coroutine.pause();

    String dump = Loop.current().dump();

    assertTrue(
        dump.lines().anyMatch(l -> l.contains("sleeper") && l.contains("Time.sleep until")), dump);
    sleeper.cancel();
  }
}
