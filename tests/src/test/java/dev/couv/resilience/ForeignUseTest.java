// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopBound;
import dev.couv.testing.InLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Use outside of a coroutine, by another loop, and by another thread: refused before anything begins.
class ForeignUseTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private int ran;

  private void body() {
    ran++;
  }

  private Map<String, Action> calls(RateLimiter limiter, Bulkhead bulkhead, Breaker breaker) {
    Map<String, Action> calls = new LinkedHashMap<>();
    calls.put("RateLimiter.acquire", limiter::acquire);
    calls.put("RateLimiter.tryAcquire", limiter::tryAcquire);
    calls.put("RateLimiter.available", limiter::available);
    calls.put("RateLimiter.waiting", limiter::waiting);
    calls.put("Bulkhead.run", () -> bulkhead.run(this::body));
    calls.put("Bulkhead.running", bulkhead::running);
    calls.put("Bulkhead.waiting", bulkhead::waiting);
    calls.put("Breaker.run", () -> breaker.run(this::body));
    calls.put("Breaker.state", breaker::state);
    calls.put("Breaker.failures", breaker::failures);
    calls.put("Breaker.activate", breaker::activate);
    calls.put("Breaker.deactivate", breaker::deactivate);
    calls.put("Breaker.recover", breaker::recover);
    return calls;
  }

  private void assertRefused(Map<String, Action> calls, String why) {
    calls.forEach(
        (name, call) -> {
          IllegalStateException refusal =
              assertThrows(IllegalStateException.class, call::run, name);
          assertTrue(refusal.getMessage().startsWith(name + why), refusal.getMessage());
        });
    assertEquals(0, ran);
  }

  @Test
  void outsideOfACoroutineEverythingIsRefused() throws Exception {
    assertRefused(
        Map.of(
            "RateLimiter.create", () -> RateLimiter.create(1, SECOND),
            "Bulkhead.create", () -> Bulkhead.create(1),
            "Breaker.create", () -> Breaker.create(1, SECOND),
            "Retry.run", () -> Retry.of().run(this::body),
            "Hedge.run", () -> Hedge.of(SECOND).run(() -> ++ran)),
        " can only be called in a coroutine");
  }

  @InLoop
  @Test
  void anotherThreadIsRefused() throws Exception {
    RateLimiter limiter = RateLimiter.create(1, SECOND);
    Bulkhead bulkhead = Bulkhead.create(1);
    Breaker breaker = Breaker.create(1, SECOND);
    List<LoopBound> all = List.of(limiter, bulkhead, breaker);
    assertTrue(all.stream().allMatch(LoopBound::isHere));

    Loop.offload(
        () -> {
          assertTrue(all.stream().noneMatch(LoopBound::isHere));
          assertRefused(calls(limiter, bulkhead, breaker), " can only be called in a coroutine");
          return 1;
        });
    assertEquals(1, limiter.available());
  }

  @InLoop
  @Test
  void anotherLoopIsRefused() throws Exception {
    RateLimiter limiter = RateLimiter.create(1, SECOND);
    Bulkhead bulkhead = Bulkhead.create(1);
    Breaker breaker = Breaker.create(1, SECOND);
    Loop.offload(
        () -> {
          CompletableFuture<Throwable> thrown = new CompletableFuture<>();
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Loop.run(
                          () -> {
                            assertRefused(calls(limiter, bulkhead, breaker), ": a ");
                            assertFalse(limiter.isHere());
                          });
                      thrown.complete(null);
                    } catch (Exception | Error failure) {
                      thrown.complete(failure);
                    }
                  });
          assertEquals(null, thrown.get());
          return 1;
        });
    assertEquals(1, limiter.available());
    assertEquals(0, bulkhead.running());
  }

  @Test
  void aLoopAfterItsOwnIsRefused() throws Exception {
    RateLimiter[] limiter = new RateLimiter[1];
    Bulkhead[] bulkhead = new Bulkhead[1];
    Breaker[] breaker = new Breaker[1];
    Loop.run(
        () -> {
          limiter[0] = RateLimiter.create(1, SECOND);
          bulkhead[0] = Bulkhead.create(1);
          breaker[0] = Breaker.create(1, SECOND);
        });

    Loop.run(() -> assertRefused(calls(limiter[0], bulkhead[0], breaker[0]), ": a "));
  }

  @InLoop
  @Test
  void theRefusalHasItsReason() {
    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class,
            () ->
                Loop.offload(
                    () -> {
                      Breaker.create(1, SECOND);
                      return 1;
                    }));
    assertInstanceOf(IllegalStateException.class, refusal.getCause());
  }

  /// A policy is a value, and the same one is for all loops.
  @Test
  void aPolicyIsForEveryLoop() throws Exception {
    Retry retry = Retry.of();
    Hedge hedge = Hedge.of(SECOND);
    for (int i = 0; i < 2; i++) {
      Loop.run(() -> retry.run(() -> hedge.run(() -> ++ran)));
    }
    assertEquals(2, ran);
  }
}
