// SPDX-License-Identifier: Apache-2.0
package dev.couv.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

final class TimeClockTest {
  private static void burnTwoMillis() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 2_000_000) {
      Thread.onSpinWait();
    }
  }

  @InLoop
  @Test
  @Behaviour("TM01")
  void nowStandsStillWhileACoroutineRunsAndUpdateMovesIt() throws Exception {
    Action check =
        () -> {
          Instant before = Time.now();
          burnTwoMillis();

          assertEquals(before, Time.now());
          Instant updated = Time.update();
          assertTrue(Duration.between(before, updated).compareTo(Duration.ofMillis(1)) >= 0);
          assertEquals(updated, Time.now());
        };
    check.run(); // in its first turn
    Time.sleep(Duration.ofMillis(1));
    check.run(); // resumed by the loop
    Coroutine.spawn(check).await();
  }

  @InLoop
  @Test
  void nowIsRefreshedByEveryTurnOfTheLoop() throws Exception {
    Instant before = Time.now();
    Time.sleep(Duration.ofMillis(3));

    assertTrue(Duration.between(before, Time.now()).compareTo(Duration.ofMillis(3)) >= 0);
  }

  @InLoop
  @Test
  void nowNeverGoesBack() throws Exception {
    Instant last = Time.now();
    for (int i = 0; i < 5000; i++) {
      Instant next = i % 3 == 0 ? Time.update() : Time.now();
      assertFalse(next.isBefore(last));
      last = next;
      if (i % 100 == 0) {
        Coroutine.pause();
      }
    }
  }

  @InLoop
  @Test
  void nowIsThePresent() throws Exception {
    Duration off = Duration.between(Time.update(), Instant.now()).abs();

    // They meet at the first use in the process; a leap second or a set clock may part them.
    assertTrue(off.compareTo(Duration.ofMinutes(10)) < 0, off::toString);
  }

  @InLoop
  @Test
  @Behaviour("TM03")
  void nanosIncreaseAndAreFine() throws Exception {
    List<Long> steps = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      long first = Time.nanos();
      long second = Time.nanos();
      steps.add(second - first);
    }

    assertTrue(Collections.min(steps) >= 0);
    assertTrue(Collections.max(steps) > 0);
    // The best of many: the machine may take the thread away in between.
    assertTrue(Collections.min(steps) < 1_000_000);
  }

  @Test
  void nanosCanBeAskedAnywhere() {
    long before = System.nanoTime();
    long nanos = Time.nanos();

    assertTrue(nanos - before >= 0 && System.nanoTime() - nanos >= 0);
  }

  @Test
  void nowAndUpdateNeedACoroutine() {
    IllegalStateException now = assertThrows(IllegalStateException.class, Time::now);
    IllegalStateException update = assertThrows(IllegalStateException.class, Time::update);

    assertTrue(now.getMessage().contains("Time.now"), now.getMessage());
    assertTrue(update.getMessage().contains("Time.update"), update.getMessage());
  }

  @Test
  void onlyTheLoopsOwnClockCounts() throws Exception {
    TestClock clock = new TestClock();
    clock.run(
        () -> {
          Instant start = Time.now();
          long nanos = Time.nanos();
          Duration year = Duration.ofDays(365);
          Time.sleep(year);

          assertEquals(start.plus(year), Time.now());
          assertEquals(start.plus(year), Time.update());
          assertEquals(year.toNanos(), Time.nanos() - nanos);
          assertEquals(year, clock.elapsed());
        });
  }

  @Test
  void dayOfTwentyThreeHoursIsAnyDay() throws Exception {
    TimeZone zone = TimeZone.getDefault();
    TestClock clock = new TestClock();
    try {
      clock.run(
          () -> {
            Instant start = Time.now();
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            for (int i = 0; i < 400; i++) {
              Time.sleep(Duration.ofDays(1));
            }
            TimeZone.setDefault(TimeZone.getTimeZone("Australia/Lord_Howe"));

            assertEquals(start.plus(Duration.ofDays(400)), Time.now());
          });
    } finally {
      TimeZone.setDefault(zone);
    }
  }
}
