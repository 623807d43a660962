// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.error.BrokenException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// What a pool does by itself: giving up what is idle, checking it, and not asking for what fails.
class ResourcesUpkeepTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final TestClock clock = new TestClock();
  private final List<Object> gone = new ArrayList<>();
  private int made;
  private boolean works = true;

  private ResourcePlan<Integer> numbers() {
    return Resources.of(
            () -> {
              if (!works) {
                throw new IOException("does not work");
              }
              return ++made;
            })
        .max(3)
        .disposal(gone::add);
  }

  private static void fill(Resources<Integer> resources) throws Exception {
    List.of(resources.acquire(), resources.acquire(), resources.acquire()).forEach(Lease::close);
  }

  @Test
  void whatIsIdleForTooLongIsGivenUpTheOldestFirst() throws Exception {
    clock.run(
        () -> {
          Resources<Integer> numbers = numbers().idleAtMost(MINUTE).open();
          fill(numbers);
          Time.sleep(Duration.ofSeconds(30));
          assertEquals(3, numbers.<Integer>use(n -> n));

          Time.sleep(Duration.ofSeconds(31));
          assertEquals(List.of(2, 1), gone);
          assertEquals(1, numbers.size());
          Time.sleep(Duration.ofSeconds(30));

          assertEquals(List.of(2, 1, 3), gone);
          numbers.close();
        });
  }

  @Test
  void someAreKeptHoweverLongTheyAreIdle() throws Exception {
    clock.run(
        () -> {
          Resources<Integer> numbers = numbers().min(2).idleAtMost(MINUTE).open();
          fill(numbers);
          Time.sleep(Duration.ofHours(1));

          assertEquals(2, numbers.idle());
          numbers.close();
          assertEquals(3, gone.size());
        });
  }

  @Test
  void theUpkeepDoesNotKeepTheLoopRunning() throws Exception {
    clock.run(() -> fill(numbers().idleAtMost(MINUTE).checkEvery(MINUTE).open()));

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void whatIsIdleIsCheckedNowAndThen() throws Exception {
    clock.run(
        () -> {
          Resources<Integer> numbers = numbers().check(n -> n != 2).checkEvery(MINUTE).open();
          fill(numbers);
          Time.sleep(MINUTE.plusSeconds(1));

          assertEquals(List.of(2), gone);
          assertEquals(2, numbers.idle());
          assertEquals(3, numbers.<Integer>use(n -> n), "their order is as it was");
          numbers.close();
        });
  }

  @Test
  void whatIsBeingCheckedIsNotHandedOut() throws Exception {
    clock.run(
        () -> {
          Gate checking = new Gate();
          Gate answer = new Gate();
          Resources<Integer> numbers =
              numbers()
                  .max(1)
                  .check(
                      n -> {
                        checking.open();
                        answer.await();
                        return true;
                      })
                  .checkEvery(MINUTE)
                  .open();
          numbers.acquire().close();
          Time.sleep(MINUTE.plusSeconds(1)); // the upkeep's own timer is hidden
          checking.await();

          assertNull(numbers.tryAcquire());
          Coroutine<Integer> waiter = Coroutine.spawn(() -> numbers.use(n -> n));
          answer.open();

          assertEquals(1, waiter.await());
          numbers.close();
        });
  }

  @Test
  void afterSoManyFailuresNobodyAsksForAWhile() throws Exception {
    clock.run(
        () -> {
          works = false;
          Resources<Integer> numbers = numbers().breakAfter(3, MINUTE).open();
          for (int i = 0; i < 3; i++) {
            assertEquals(BreakerState.ACTIVE, numbers.state());
            assertThrows(IOException.class, numbers::acquire);
          }

          assertEquals(BreakerState.INACTIVE, numbers.state());
          BrokenException refused = assertThrows(BrokenException.class, numbers::acquire);
          assertSame(IOException.class, refused.getCause().getClass());
          assertTrue(refused.getMessage().contains("3 failures"), refused::getMessage);

          works = true;
          assertThrows(BrokenException.class, numbers::acquire);
          Time.sleep(MINUTE);
          assertEquals(BreakerState.RECOVERING, numbers.state());
          assertEquals(1, numbers.<Integer>use(n -> n));
          assertEquals(BreakerState.ACTIVE, numbers.state());
          numbers.close();
        });
  }

  @Test
  void whileItRecoversOneTriesAndTheOthersWaitForWhatBecomesOfIt() throws Exception {
    clock.run(
        () -> {
          works = false;
          Resources<Integer> numbers =
              Resources.of(
                      () -> {
                        Time.sleep(Duration.ofSeconds(1));
                        if (!works) {
                          throw new IOException("does not work");
                        }
                        return ++made;
                      })
                  .breakAfter(1, MINUTE)
                  .open();
          assertThrows(IOException.class, numbers::acquire);
          Time.sleep(MINUTE);

          Coroutine<?> trying = Coroutine.spawn(() -> numbers.acquire());
          Coroutine<?> waiting = Coroutine.spawn(() -> numbers.acquire());
          Coroutine.pause();
          assertEquals(1, numbers.waiting());
          assertThrows(IOException.class, trying::await);
          assertThrows(BrokenException.class, waiting::await);

          works = true;
          numbers.recover();
          Coroutine<Integer> lucky = Coroutine.spawn(() -> numbers.use(n -> n));
          Coroutine<Integer> next = Coroutine.spawn(() -> numbers.use(n -> n));
          assertEquals(List.of(1, 2), List.of(lucky.await(), next.await()));
          numbers.close();
        });
  }

  @InLoop
  @Test
  @Behaviour("TA90")
  void switchingOffRefusesEveryoneWhoWaits() throws Exception {
    Resources<Integer> numbers = numbers().max(1).open();
    Lease<Integer> lease = numbers.acquire();
    Coroutine<?> first = Coroutine.spawn(() -> numbers.acquire());
    Coroutine<?> second = Coroutine.spawn(() -> numbers.acquire());
    Coroutine.pause();

    numbers.deactivate();

    assertThrows(BrokenException.class, first::await);
    assertThrows(BrokenException.class, second::await);
    lease.close();
    assertNull(numbers.tryAcquire());
    assertEquals(BreakerState.INACTIVE, numbers.state());
    numbers.activate();
    assertEquals(1, numbers.<Integer>use(n -> n));
    numbers.close();
  }

  @InLoop
  @Test
  void whatIsDiscardedCountsAsAFailureAndOneGivenBackEndsTheRow() throws Exception {
    Resources<Integer> numbers = numbers().breakAfter(2, MINUTE).open();
    for (boolean broken : new boolean[] {true, false, true}) {
      try (Lease<Integer> lease = numbers.acquire()) {
        if (broken) {
          lease.discard();
        }
      }
    }

    assertEquals(BreakerState.ACTIVE, numbers.state());
    numbers.close();
  }

  @Test
  void upkeepThatIsDueWhileItsLoopClosesDisturbsNobody() {
    CompletableFuture<String> ended;
    try (Loop loop = Loop.open(clock.options())) {
      ended =
          loop.submit(
              () -> {
                var pool = Resources.of(() -> "r").idleAtMost(Duration.ofSeconds(1)).open();
                pool.acquire().close();
                Coroutine.protect(() -> Time.sleep(Duration.ofMinutes(1)));
                return "slept";
              });
      loop.run(Mode.READY);
    }

    assertTrue(ended.isDone());
  }

  @Test
  void oneWhoseCheckIsCancelledStaysInThePool() throws Exception {
    clock.run(
        () -> {
          Resources<String> pool =
              Resources.of(() -> "r")
                  .checkEvery(Duration.ofSeconds(1))
                  .check(resource -> new Promise<Boolean>().await())
                  .open();
          pool.acquire().close();
          Coroutine.spawn(
              () ->
                  Coroutine.protect(
                      () -> {
                        Time.sleep(Duration.ofSeconds(2));
                        assertEquals(0, pool.idle(), "it is being checked");
                        Loop.current().shutdown(Duration.ofHours(1));
                        Coroutine.pause();
                        assertEquals(1, pool.idle());
                        assertEquals(1, pool.size());
                      }));
        });
  }
}
