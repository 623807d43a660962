// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Arming and disarming an event takes time, and others come and go meanwhile.
class EventArmingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();
  private final TestClock clock = new TestClock();

  private Duration toStart;
  private Duration toStop;
  private RuntimeException refusal;

  @BeforeEach
  void nothingTakesTime() {
    toStart = Duration.ZERO;
    toStop = Duration.ZERO;
    refusal = null;
  }

  /// Fails the test if it is started while it stops, or the other way round.
  private class Slow extends Event<String> {
    private boolean busy;
    private boolean armed;

    @Override
    protected void onStart() {
      begin();
      assertFalse(armed, "armed twice");
      log.add("start");
      try {
        pass(toStart);
        if (refusal != null) {
          throw refusal;
        }
        armed = true;
        log.add("started");
      } finally {
        busy = false;
      }
    }

    @Override
    protected void onStop() {
      begin();
      assertTrue(armed, "disarmed twice");
      log.add("stop");
      try {
        pass(toStop);
        log.add("stopped");
      } finally {
        armed = false;
        busy = false;
      }
    }

    private void pass(Duration time) {
      if (!time.isZero()) {
        Time.sleep(time);
      }
    }

    private void begin() {
      assertFalse(busy, "an overlap");
      busy = true;
    }

    @Override
    protected void onDispose() {
      assertFalse(busy, "disposed while it is busy");
      log.add("dispose");
    }

    @Override
    protected boolean keepsAlive() {
      return true;
    }

    void ring(String value) throws Exception {
      fire(value, null);
    }

    void ringLast(String value) throws Exception {
      fireAndClose(value, null);
    }

    @Override
    public String toString() {
      return "slow";
    }
  }

  // ---- starting

  @Test
  void theSecondArmsItIfTheFirstIsCancelledWhileItDoes() throws Exception {
    toStart = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> first = Coroutine.spawn(event::await);
          Coroutine<String> second = Coroutine.spawn(event::await);
          Coroutine.pause();

          first.cancel();
          assertThrows(CancellationException.class, first::await);
          Time.sleep(HOUR);

          assertTrue(event.armed);
          event.ring("ding");
          assertEquals("ding", second.await());
          assertEquals(List.of("start", "start", "started", "stop", "stopped"), log);
        });
  }

  @Test
  void theSecondArmsItIfTheFirstIsResumedWhileItDoes() throws Exception {
    toStart = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<Resumed> first =
              Coroutine.spawn(() -> assertThrows(Resumed.class, event::await));
          Coroutine<String> second = Coroutine.spawn(event::await);
          Coroutine.pause();

          first.resume();
          Time.sleep(HOUR);

          assertTrue(event.armed);
          event.ring("ding");
          assertEquals("ding", second.await());
        });
  }

  @Test
  void eachIsToldThatItCannotBeArmed() throws Exception {
    toStart = SECOND;
    refusal = new IllegalStateException("not now");
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<?> first =
              Coroutine.spawn(
                  () -> assertSame(refusal, assertThrows(refusal.getClass(), event::await)));
          Coroutine<?> second =
              Coroutine.spawn(
                  () -> assertSame(refusal, assertThrows(refusal.getClass(), event::await)));
          first.await();
          second.await();
          assertEquals(List.of("start", "start"), log);

          refusal = null;
          Coroutine<String> third = Coroutine.spawn(event::await);
          Time.sleep(HOUR);
          event.ring("ding");
          assertEquals("ding", third.await());
        });
  }

  @Test
  void whoeverStartsItReturnsWhenItIsArmed() throws Exception {
    toStart = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<?> first = Coroutine.spawn(() -> event.start());
          Coroutine.pause();

          event.start();
          assertTrue(event.armed);

          first.await();
          event.stop();
          assertTrue(event.armed);
          event.stop();
          assertFalse(event.armed);
          assertEquals(List.of("start", "started", "stop", "stopped"), log);
        });
  }

  @Test
  void itIsDisarmedIfEverybodyLeftWhileItWasArmed() throws Exception {
    toStart = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<?> starter = Coroutine.spawn(() -> event.start());
          Coroutine.pause();

          event.stop();
          assertEquals(List.of("start"), log);
          starter.await();

          assertFalse(event.armed);
          assertEquals(List.of("start", "started", "stop", "stopped"), log);
        });
  }

  @Test
  void whatHappensWhileItIsArmedIsToldAndDisarmsItAfterwards() throws Exception {
    toStart = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> awaiting = Coroutine.spawn(event::await);
          Coroutine.pause();

          event.ring("early");
          assertEquals("early", awaiting.await());

          assertEquals(List.of("start", "started", "stop", "stopped"), log);
        });
  }

  @Test
  void aTimeoutWhileAnotherArmsItLeavesItArmed() throws Exception {
    toStart = HOUR;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> first = Coroutine.spawn(event::await);
          Coroutine.pause();

          assertThrows(TimeoutException.class, () -> Time.timeout(SECOND, event::await));
          assertEquals(SECOND, clock.elapsed());
          Time.sleep(HOUR);
          event.ring("ding");

          assertEquals("ding", first.await());
          assertEquals(List.of("start", "started", "stop", "stopped"), log);
        });
  }

  // ---- stopping

  @Test
  void whoeverComesWhileItIsDisarmedArmsItAfterwards() throws Exception {
    toStop = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> first = Coroutine.spawn(event::await);
          Coroutine.pause();
          Coroutine<?> ringer = Coroutine.spawn(() -> event.ring("first"));
          assertEquals("first", first.await());

          Coroutine<String> second = Coroutine.spawn(event::await);
          ringer.await();
          Coroutine.pause();

          assertTrue(event.armed);
          event.ring("second");
          assertEquals("second", second.await());
          assertEquals(
              List.of("start", "started", "stop", "stopped", "start", "started", "stop", "stopped"),
              log);
        });
  }

  @Test
  void whoAwaitsItWhileItsLastFiringDisarmsItGetsTheOutcome() throws Exception {
    toStop = HOUR;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> early = Coroutine.spawn(event::await);
          Coroutine.pause();
          Coroutine<?> ringer = Coroutine.spawn(() -> event.ringLast("last"));
          assertEquals("last", early.await());

          assertEquals("last", event.await());
          assertEquals(Duration.ZERO, clock.elapsed());

          ringer.await();
          assertEquals(List.of("start", "started", "stop", "stopped"), log);
        });
  }

  /// One of them is about to leave when it happens for the last time.
  @Test
  void whoIsEnlistedWhenItHappensForTheLastTimeGetsTheOutcome() throws Exception {
    toStart = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> arming = Coroutine.spawn(event::await);
          Coroutine<String> waiting = Coroutine.spawn(event::await);
          Coroutine.pause();

          event.ringLast("last");

          assertEquals("last", arming.await());
          assertEquals("last", waiting.await());
          assertFalse(event.armed);
        });
  }

  /// It is clean-up: whoever leaves because it is cancelled can wait for it.
  @Test
  void aCancelledAwaiterDisarmsItInPeace() throws Exception {
    toStop = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> awaiting = Coroutine.spawn(event::await);
          Coroutine.pause();

          awaiting.cancel();
          assertThrows(CancellationException.class, awaiting::await);

          assertEquals(List.of("start", "started", "stop", "stopped"), log);
          assertEquals(SECOND, clock.elapsed());
        });
  }

  @Test
  void aFiringByACancelledCoroutineThrowsNothing() throws Exception {
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> awaiting = Coroutine.spawn(event::await);
          Coroutine<?> ringer =
              Coroutine.spawn(
                  () -> {
                    try {
                      Time.sleep(HOUR);
                    } finally {
                      event.ring("goodbye");
                      log.add("rung");
                    }
                  });
          Coroutine.pause();

          ringer.cancel();
          assertEquals("goodbye", awaiting.await());
          assertThrows(CancellationException.class, ringer::await);
          assertEquals(List.of("start", "started", "stop", "stopped", "rung"), log);
        });
  }

  @Test
  void stoppingMoreOftenThanStartingTakesItFromNobody() throws Exception {
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<String> awaiting = Coroutine.spawn(event::await);
          Coroutine.pause();

          event.stop();

          assertTrue(event.armed);
          event.ring("ding");
          assertEquals("ding", awaiting.await());
        });
  }

  /// Who cannot wait for itself.
  @Test
  void oneThatIsStartedByItsOwnDisarmingIsArmedAgain() throws Exception {
    boolean[] again = {true};
    clock.run(
        () -> {
          Slow event =
              new Slow() {
                @Override
                protected void onStop() {
                  super.onStop();
                  if (again[0]) {
                    again[0] = false;
                    start();
                  }
                }
              };
          event.start();
          event.stop();
          Loop.awaitIdle();

          assertTrue(event.armed);
          event.stop();
          assertFalse(event.armed);
        });
  }

  // ---- closing

  @Test
  void oneThatIsClosedWhileItIsArmedIsDisarmedAndThenDisposed() throws Exception {
    toStart = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          Coroutine<?> starter = Coroutine.spawn(() -> event.start());
          Coroutine.pause();

          event.close();

          assertEquals(List.of("start", "started", "stop", "stopped", "dispose"), log);
          starter.await();
        });
  }

  @Test
  void oneThatIsClosedWhileItIsDisarmedIsDisposedAfterwards() throws Exception {
    toStop = SECOND;
    clock.run(
        () -> {
          Slow event = new Slow();
          event.start();
          Coroutine<?> stopper = Coroutine.spawn(() -> event.stop());
          Coroutine.pause();

          event.close();

          assertEquals(List.of("start", "started", "stop", "stopped", "dispose"), log);
          stopper.await();
        });
  }

  @Test
  void oneThatClosesItselfWhileItIsArmedIsDisposedAfterwards() throws Exception {
    clock.run(
        () -> {
          Slow event =
              new Slow() {
                @Override
                protected void onStart() {
                  super.onStart();
                  close();
                }
              };
          event.start();
          Loop.awaitIdle();

          assertEquals(List.of("start", "started", "stop", "stopped", "dispose"), log);
        });
  }
}
