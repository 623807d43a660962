// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.error.BrokenException;
import dev.couv.error.BusyException;
import dev.couv.sync.BreakerState;
import dev.couv.sync.Lease;
import dev.couv.sync.Resources;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// All of it around one call, and around what the core has of its own.
@InLoop
@SuppressWarnings("try") // what it closes may wait, and throw what failed
class ComposedTest {
  private final Random random = new Random(9);
  private int calls;
  private int inside;
  private int most;

  /// Is slow, hangs, or fails, as it happens.
  private int server() throws Exception {
    calls++;
    most = Math.max(most, ++inside);
    try {
      switch (random.nextInt(4)) {
        case 0 -> throw new IOException("refused");
        case 1 -> Time.sleep(Duration.ofHours(1));
        case 2 -> Time.sleep(Duration.ofMillis(700));
        default -> Time.sleep(Duration.ofMillis(10));
      }
      return 42;
    } finally {
      inside--;
    }
  }

  @Test
  void theyComposeByNesting(TestClock clock) throws Exception {
    RateLimiter limiter = RateLimiter.create(100, Duration.ofSeconds(1));
    Bulkhead bulkhead = Bulkhead.create(8, 1000);
    Breaker breaker = Breaker.create(1000, Duration.ofSeconds(5));
    Hedge hedge = Hedge.of(Duration.ofMillis(100));
    Retry retry =
        Retry.of()
            .withAttempts(20)
            .withRandom(random)
            .on(IOException.class, TimeoutException.class, BrokenException.class);
    List<Coroutine<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(
          Coroutine.spawn(
              () ->
                  retry.run(
                      () ->
                          hedge.run(
                              () ->
                                  limiter.run(
                                      () ->
                                          breaker.run(
                                              () ->
                                                  bulkhead.run(
                                                      () ->
                                                          Time.timeout(
                                                              Duration.ofSeconds(1),
                                                              this::server))))))));
    }
    List<Integer> results = Await.all(all);

    assertEquals(200, results.stream().filter(each -> each == 42).count());
    assertTrue(most <= 8, most + " at once");
    assertTrue(calls >= 200, calls + " calls");
    assertEquals(0, inside, "no loser is left behind");
    assertEquals(0, bulkhead.running());
    assertEquals(0, limiter.waiting());
  }

  @Test
  void aRefusalIsNotTriedAgainUnlessThatIsSaid(TestClock clock) throws Exception {
    Bulkhead bulkhead = Bulkhead.create(1);
    Coroutine<?> slow =
        Coroutine.spawn(() -> bulkhead.run(() -> Time.sleep(Duration.ofSeconds(1))));
    Coroutine.pause();
    assertThrows(BusyException.class, () -> Retry.of().run(() -> bulkhead.run(() -> 1)));
    assertEquals(Duration.ZERO, clock.elapsed());

    Retry patient =
        Retry.of().on(BusyException.class).withBackoff(Backoff.fixed(Duration.ofSeconds(1)));
    assertEquals(1, patient.run(() -> bulkhead.run(() -> 1)));
    slow.await();
  }

  /// The pool's own breaker refuses as ours does, so that one policy goes for both.
  @Test
  void resourcesFitIn(TestClock clock) throws Exception {
    List<String> log = new ArrayList<>();
    try (Resources<String> connections =
        Resources.<String>of(
                () -> {
                  calls++;
                  if (calls < 4) {
                    throw new IOException("down");
                  }
                  return "connection";
                })
            .breakAfter(2, Duration.ofSeconds(10))
            .open()) {
      Retry retry =
          Retry.of()
              .withAttempts(100)
              .withBackoff(Backoff.fixed(Duration.ofSeconds(1)))
              .withJitter(0)
              .on(IOException.class, BrokenException.class)
              .withListener(attempt -> log.add(attempt.failure() + ""));
      String used =
          retry.run(
              () -> {
                try (Lease<String> lease = connections.acquire()) {
                  return lease.resource();
                }
              });

      assertEquals("connection", used);
      assertEquals(4, calls, "the pool was asked in vain for most of the time");
      assertEquals(BreakerState.ACTIVE, connections.state());
      assertTrue(log.stream().filter(line -> line.contains("BrokenException")).count() >= 18);
    }
  }

  @Test
  void aHedgedConnectionThatIsNotNeededGoesBackToItsPool(TestClock clock) throws Exception {
    try (Resources<String> connections = Resources.<String>of(() -> "c" + ++calls).max(2).open()) {
      Hedge hedge = Hedge.of(Duration.ofMillis(100));
      try (Lease<String> lease =
          hedge.run(
              () -> {
                Lease<String> mine = connections.acquire();
                Time.sleep(Duration.ofMillis(300 - 100 * calls)); // both end at once
                return mine;
              },
              Lease::close)) {
        assertEquals(1, connections.leased(), lease::resource);
      }
      assertEquals(0, connections.leased());
    }
  }
}
