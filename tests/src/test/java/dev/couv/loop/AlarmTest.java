// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Deadlines are met where libuv waits by itself: never early, and not later than its milliseconds make them.
final class AlarmTest {
  private static final long MILLI = 1_000_000;

  @RegisterExtension final TestLoop test = new TestLoop(TestLoop::openWithoutEpoll);

  @Test
  void deadlinesAreNeverMetEarlyAndWithinMillisecondsIfTheMachineLets() {
    Random random = new Random(7);
    List<Long> lateness = new ArrayList<>();
    int prompt = 0;
    long patience = System.nanoTime() + 60_000 * MILLI;

    // A busy machine makes many late, but not all of them.
    for (int i = 0; i < 40 || (prompt < 4 && System.nanoTime() - patience < 0); i++) {
      Moment moment = new Moment(System.nanoTime() + 2 * MILLI + random.nextLong(4 * MILLI));
      turnUntilDue(moment);
      assertTrue(moment.late() >= 0, () -> "early: " + moment.late());
      lateness.add(moment.late());
      prompt += moment.late() < 3 * MILLI ? 1 : 0;
    }

    assertTrue(prompt >= 4, () -> "late: " + lateness);
  }

  @Test
  void waitingForADeadlineTakesOneTurn() {
    long before = test.stats().polls();

    for (int i = 0; i < 20; i++) {
      turnUntilDue(new Moment(System.nanoTime() + 3 * MILLI + i * 100_000));
    }

    long polls = test.stats().polls() - before;
    assertTrue(polls <= 25, () -> polls + " turns for 20 deadlines");
  }

  /// libuv counts from a cached clock, which stands still while the program computes.
  @Test
  void aClockThatLibuvHasNotLookedAtForLongMakesNoAlarmEarly() {
    long before = test.stats().polls();

    for (int i = 0; i < 4; i++) {
      spinUntil(System.nanoTime() + 40 * MILLI);
      Moment moment = new Moment(System.nanoTime() + 10 * MILLI);
      turnUntilDue(moment);
      assertTrue(moment.late() >= 0, () -> "early: " + moment.late());
    }

    long polls = test.stats().polls() - before;
    assertTrue(polls <= 6, () -> polls + " turns for 4 deadlines");
  }

  /// Before 1.45 libuv runs a timer that is due first, and then goes on to wait for something else.
  @Test
  void aPollWhoseDeadlineIsOverAlreadyDoesNotGoOnToBlock() {
    EventLoop loop = test.loop();
    Moment moment = new Moment(System.nanoTime() + 50 * MILLI);
    loop.timers().add(moment, moment.deadline);
    loop.wake();
    loop.poll(true, true); // sets the alarm, and ends before it rings
    loop.runPosted(1);
    spinUntil(moment.deadline + 5 * MILLI);

    test.waitInPoll(); // would last for ever
    loop.fireTimers(1);

    assertTrue(moment.isDue);
  }

  @Test
  void aDeadlineInThePastDoesNotBlock() {
    Moment moment = new Moment(System.nanoTime() - 1000 * MILLI);

    turnUntilDue(moment);

    assertTrue(moment.isDue);
  }

  @Test
  void theNearestOfManyDeadlinesSetsTheAlarm() {
    List<Moment> moments = new ArrayList<>();
    long now = System.nanoTime();
    for (int millis : new int[] {30, 10, 20, 5, 25}) {
      Moment moment = new Moment(now + millis * MILLI);
      moments.add(moment);
      test.loop().timers().add(moment, moment.deadline);
    }

    test.turnUntil(() -> moments.stream().allMatch(moment -> moment.isDue));

    for (Moment moment : moments) {
      assertTrue(moment.late() >= 0);
    }
  }

  @Test
  void anAlarmThatRingsEarlyEnoughIsNotSetAgain() {
    EventLoop loop = test.loop();
    Moment first = new Moment(System.nanoTime() + 20_000 * MILLI);
    Moment later = new Moment(System.nanoTime() + 40_000 * MILLI);

    try (CallCount starts = new CallCount("uv_timer_start")) {
      loop.timers().add(first, first.deadline);
      loop.wake();
      loop.poll(true, true);
      loop.runPosted(1);
      loop.timers().add(later, later.deadline);
      loop.wake();
      loop.poll(true, true);
      loop.runPosted(1);

      assertEquals(1, starts.get());
    }
  }

  /// The alarm of a deadline that was taken back rings for nothing, once.
  @Test
  void aDeadlineThatWasTakenBackCostsAnIdleTurnAtMost() {
    EventLoop loop = test.loop();
    Moment first = new Moment(System.nanoTime() + 5 * MILLI);
    Moment later = new Moment(System.nanoTime() + 30 * MILLI);
    loop.timers().add(first, first.deadline);
    loop.wake();
    loop.poll(true, true);
    loop.runPosted(1);
    loop.timers().remove(first);
    long before = test.stats().polls();

    turnUntilDue(later);

    assertTrue(later.late() >= 0);
    assertFalse(first.isDue);
    assertTrue(test.stats().polls() - before <= 4, () -> test.stats().toString());
  }

  @Test
  void withoutDeadlinesTheAlarmIsOff() {
    EventLoop loop = test.loop();
    Moment moment = new Moment(System.nanoTime() + 20_000 * MILLI);
    loop.timers().add(moment, moment.deadline);
    loop.wake();
    loop.poll(true, true);
    loop.runPosted(1);
    loop.timers().remove(moment);

    try (CallCount stops = new CallCount("uv_timer_stop")) {
      loop.wake();
      loop.poll(true, true);
      loop.runPosted(1);
      loop.wake();
      loop.poll(true, true);
      loop.runPosted(1);

      assertEquals(1, stops.get());
    }
  }

  /// As with a virtual clock, whose deadlines mean nothing to libuv.
  @Test
  void aPollThatIsNotTimedSetsNoAlarm() {
    EventLoop loop = test.loop();
    Moment moment = new Moment(System.nanoTime() + 5 * MILLI);
    loop.timers().add(moment, moment.deadline);

    try (CallCount starts = new CallCount("uv_timer_start")) {
      loop.wake();
      loop.poll(true, false);

      assertEquals(0, starts.get());
    }
  }

  @Test
  void aPollWithALimitEndsThereAtTheLatest() {
    EventLoop loop = test.loop();
    loop.timers().add(new Moment(0), System.nanoTime() + 1_000_000 * MILLI);
    long limit = System.nanoTime() + 5 * MILLI;

    while (System.nanoTime() - limit < 0) {
      loop.pollUntil(limit, true); // would last for a quarter of an hour
    }

    assertTrue(test.stats().polls() <= 3, () -> test.stats().toString());
  }

  private void turnUntilDue(Moment moment) {
    test.loop().timers().add(moment, moment.deadline);
    test.turnUntil(() -> moment.isDue);
  }

  /// Computes without the loop.
  private static void spinUntil(long nanos) {
    while (System.nanoTime() - nanos < 0) {
      Thread.onSpinWait();
    }
  }

  private static final class Moment extends TimerEntry {
    private final long deadline;
    private boolean isDue;
    private long metAt;

    Moment(long deadline) {
      this.deadline = deadline;
    }

    @Override
    protected void due() {
      isDue = true;
      metAt = System.nanoTime();
    }

    long late() {
      return metAt - deadline;
    }
  }
}
