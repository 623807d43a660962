// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Await;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BrokenException;
import dev.couv.sync.BreakerState;
import dev.couv.sync.Promise;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Refusing what fails again and again.
@InLoop
class BreakerTest {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final IOException failure = new IOException("no answer");
  private int calls;

  private void fail(Breaker breaker) {
    assertSame(
        failure,
        assertThrows(
            IOException.class,
            () ->
                breaker.run(
                    () -> {
                      calls++;
                      throw failure;
                    })));
  }

  private BrokenException refused(Breaker breaker) {
    int before = calls;
    BrokenException refusal = assertThrows(BrokenException.class, () -> breaker.run(() -> ++calls));
    assertEquals(before, calls, "nobody was called");
    return refusal;
  }

  @Test
  void afterSoManyFailuresInARowEverybodyIsRefused(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(3, PAUSE);
    fail(breaker);
    fail(breaker);
    assertEquals(1, (int) breaker.run(() -> 1));
    assertEquals(0, breaker.failures());
    fail(breaker);
    fail(breaker);
    assertEquals(BreakerState.ACTIVE, breaker.state());
    fail(breaker);

    assertEquals(BreakerState.INACTIVE, breaker.state());
    Time.sleep(Duration.ofSeconds(4));
    BrokenException refusal = refused(breaker);
    assertSame(failure, refusal.getCause());
    assertEquals(
        "what the breaker guards is unavailable after 3 failures, for another PT6S",
        refusal.getMessage());
  }

  @Test
  void afterThePauseOneTriesAndItsSuccessLetsEverybodyIn(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    fail(breaker);
    Time.sleep(PAUSE);
    assertEquals(BreakerState.RECOVERING, breaker.state());
    Promise<Integer> answer = new Promise<>();
    Coroutine<Integer> trial = Coroutine.spawn(() -> breaker.run(answer::await));
    Loop.awaitIdle();

    assertEquals(
        "what the breaker guards is being tried by another", refused(breaker).getMessage());
    answer.complete(5);
    assertEquals(5, trial.await());
    assertEquals(BreakerState.ACTIVE, breaker.state());
    assertEquals(6, (int) breaker.run(() -> 6));
  }

  @Test
  void aTrialThatFailsMeansAnotherPause(TestClock clock) {
    Breaker breaker = Breaker.create(5, PAUSE);
    for (int i = 0; i < 5; i++) {
      fail(breaker);
    }
    for (int i = 0; i < 3; i++) {
      Time.sleep(PAUSE.minusNanos(1));
      refused(breaker);
      Time.sleep(Duration.ofNanos(1));
      fail(breaker);
    }
    assertEquals(8, calls);
    assertEquals(Duration.ofSeconds(30), clock.elapsed());
  }

  @Test
  void aTrialThatIsCancelledLetsAnotherTry(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    fail(breaker);
    Time.sleep(PAUSE);
    Coroutine<?> trial = Coroutine.spawn(() -> breaker.run(() -> Time.sleep(PAUSE)));
    Loop.awaitIdle();
    refused(breaker);
    trial.cancel();
    Loop.awaitIdle();

    assertEquals(BreakerState.RECOVERING, breaker.state());
    assertEquals(2, (int) breaker.run(() -> 2));
    assertEquals(BreakerState.ACTIVE, breaker.state());
  }

  @Test
  void whatIsLeftSaysNothingOfWhatItCalled(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    assertThrows(
        AssertionError.class,
        () ->
            breaker.run(
                () -> {
                  throw new AssertionError("ours");
                }));
    assertThrows(
        TimeoutException.class,
        () -> Time.timeout(PAUSE, () -> breaker.run(() -> Time.sleep(PAUSE.multipliedBy(2)))));
    assertEquals(BreakerState.ACTIVE, breaker.state());

    assertThrows(
        TimeoutException.class,
        () -> breaker.run(() -> Time.timeout(PAUSE, () -> Time.sleep(PAUSE.multipliedBy(2)))));
    assertEquals(BreakerState.INACTIVE, breaker.state(), "inside it is a failure");
  }

  @Test
  void whatDoesNotCountIsAnAnswer(TestClock clock) {
    Breaker breaker = Breaker.create(2, PAUSE, e -> e instanceof IOException);
    fail(breaker);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            breaker.run(
                () -> {
                  throw new IllegalArgumentException("not found");
                }));
    fail(breaker);
    assertEquals(BreakerState.ACTIVE, breaker.state());
    assertEquals(1, breaker.failures());
  }

  @Test
  void aPredicateThatThrowsCountsAndStopsNothing(TestClock clock) throws Exception {
    Breaker breaker =
        Breaker.create(
            1,
            PAUSE,
            e -> {
              throw new IllegalStateException("predicate");
            });
    assertThrows(
        IllegalStateException.class,
        () ->
            breaker.run(
                () -> {
                  throw failure;
                }));
    refused(breaker);
    Time.sleep(PAUSE);
    assertEquals(3, (int) breaker.run(() -> 3));
  }

  @Test
  void whatBeganBeforeCountsNoMore(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    Promise<Integer> late = new Promise<>();
    Promise<Integer> worse = new Promise<>();
    Coroutine<Integer> early = Coroutine.spawn(() -> breaker.run(late::await));
    Coroutine<Integer> bad = Coroutine.spawn(() -> breaker.run(worse::await));
    Loop.awaitIdle();
    fail(breaker);
    late.complete(1);
    assertEquals(1, early.await());
    assertEquals(BreakerState.INACTIVE, breaker.state(), "an old success");

    Time.sleep(PAUSE);
    assertEquals(2, (int) breaker.run(() -> 2));
    worse.fail(new IOException("late"));
    assertThrows(IOException.class, bad::await);
    assertEquals(BreakerState.ACTIVE, breaker.state(), "an old failure");
    assertEquals(0, breaker.failures());
  }

  @Test
  void canBeSwitchedByHand(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    breaker.deactivate();
    Time.sleep(Duration.ofDays(1));
    BrokenException refusal = refused(breaker);
    assertEquals("what the breaker guards is switched off", refusal.getMessage());
    assertNull(refusal.getCause());
    breaker.recover();
    assertEquals(BreakerState.RECOVERING, breaker.state());
    fail(breaker);
    refused(breaker);
    breaker.activate();
    assertEquals(1, (int) breaker.run(() -> 1));

    // In the middle of a trial.
    fail(breaker);
    Time.sleep(PAUSE);
    breaker.run(breaker::deactivate);
    assertEquals(BreakerState.INACTIVE, breaker.state());
    breaker.activate();
  }

  @Test
  void pausesOfEveryLengthAreTakenForWhatTheyAre(TestClock clock) throws Exception {
    Breaker none = Breaker.create(1, Duration.ZERO);
    fail(none);
    assertEquals(BreakerState.RECOVERING, none.state());
    Breaker longest = Breaker.create(Integer.MAX_VALUE, Duration.ofNanos(Long.MAX_VALUE));
    fail(longest);
    Breaker ever = Breaker.create(1, Duration.ofNanos(Long.MAX_VALUE));
    fail(ever);
    Time.sleep(Duration.ofDays(36_500));
    refused(ever);

    assertThrows(IllegalArgumentException.class, () -> Breaker.create(0, PAUSE));
    assertThrows(IllegalArgumentException.class, () -> Breaker.create(1, PAUSE.negated()));
    assertThrows(
        IllegalArgumentException.class,
        () -> Breaker.create(1, Duration.ofSeconds(Long.MAX_VALUE)));
    assertThrows(NullPointerException.class, () -> Breaker.create(1, PAUSE, null));
    assertThrows(NullPointerException.class, () -> none.run((Body<?>) null));
  }

  @Test
  @Tag("loop-scheduled-engine") // on the other one who blocks in plain Java code blocks the loop
  void whoIsCancelledInPlainJavaCodeSaysNothing() throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    for (Body<?> blocking :
        List.<Body<?>>of(
            () -> new SynchronousQueue<>().take(),
            () -> {
              try {
                return new SynchronousQueue<>().take();
              } catch (InterruptedException interrupted) {
                throw new IOException("the driver has failed", interrupted);
              }
            })) {
      Coroutine<?> cancelled = Coroutine.spawn(() -> breaker.run(blocking));
      Coroutine.pause();
      cancelled.cancel();
      Await.settle(cancelled);

      assertEquals(0, breaker.failures());
      assertEquals(BreakerState.ACTIVE, breaker.state());
    }
    // Nobody was cancelled: it is a failure like another.
    assertThrows(
        InterruptedException.class,
        () ->
            breaker.run(
                () -> {
                  throw new InterruptedException();
                }));
    assertEquals(BreakerState.INACTIVE, breaker.state());
  }

  @Test
  void whoTriesMayCallItAgainInside(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    fail(breaker);
    Time.sleep(PAUSE);

    assertEquals(1, (int) breaker.run(() -> breaker.run(() -> 1)));
    assertEquals(BreakerState.ACTIVE, breaker.state());
  }

  @Test
  void itsOwnRefusalIsNoFailure(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    fail(breaker);
    for (int i = 0; i < 3; i++) {
      Time.sleep(PAUSE);
      BrokenException refusal =
          assertThrows(
              BrokenException.class,
              () -> breaker.run(() -> Await.<Integer>race(() -> breaker.run(() -> 1))));
      assertSame(failure, refusal.getCause());
      assertEquals(BreakerState.RECOVERING, breaker.state());
    }
  }

  @Test
  void norIsItWhenAnotherWasRefusedMeanwhile(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    fail(breaker);
    Time.sleep(PAUSE);

    assertThrows(
        BrokenException.class,
        () ->
            breaker.run(
                () -> {
                  try {
                    return Await.<Integer>race(() -> breaker.run(() -> 1));
                  } finally {
                    Await.settle(Coroutine.spawn(() -> breaker.run(() -> 1)));
                  }
                }));

    assertEquals(BreakerState.RECOVERING, breaker.state());
    assertEquals(1, breaker.failures());
  }

  @Test
  void whoTriesStaysTheOnlyOneWhenItIsToRecover(TestClock clock) throws Exception {
    Breaker breaker = Breaker.create(1, PAUSE);
    fail(breaker);
    breaker.recover();
    breaker.run(
        () -> {
          breaker.recover();
          assertThrows(
              BrokenException.class, () -> Coroutine.spawn(() -> breaker.run(() -> 1)).await());
        });
    assertEquals(BreakerState.ACTIVE, breaker.state());
  }
}
