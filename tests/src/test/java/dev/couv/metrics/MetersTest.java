// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.pool.LoopPool;
import dev.couv.sync.BreakerState;
import dev.couv.sync.Chan;
import dev.couv.sync.Lease;
import dev.couv.sync.Promise;
import dev.couv.sync.Resources;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What meters show of loops, pools, channels and resources, read in the loop and on other threads.
class MetersTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static final Logger LOG = Logger.getLogger("io.micrometer");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void close() {
    registry.close();
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  // ---- loops

  @InLoop
  @Test
  void aLoopIsSeenByItsOwnCoroutines() throws Exception {
    Meters.ofLoop("mine", Loop.current()).bindTo(registry);
    List<Coroutine<?>> sleepers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sleepers.add(Coroutine.spawn(() -> Time.sleep(HOUR)));
    }
    Loop.awaitIdle();

    assertEquals(4, gauge("couv.loop.coroutines", "name", "mine"));
    assertEquals(3, gauge("couv.loop.timers"));
    assertTrue(gauge("couv.loop.native.memory") > 0);
    assertTrue(registry.get("couv.loop.iterations").functionCounter().count() > 0);

    sleepers.forEach(Coroutine::cancel);
  }

  @InLoop
  @Test
  void aLoopIsSeenByOtherThreads() throws Exception {
    Meters.ofLoop("mine", Loop.current()).bindTo(registry);
    Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(HOUR));
    Loop.awaitIdle();

    double seen = Loop.offload(() -> gauge("couv.loop.coroutines"));

    assertTrue(seen >= 2, () -> seen + " coroutines"); // and the one that answers
    assertTrue(Loop.offload(() -> registry.get("couv.loop.delay").timer().count()) >= 1);
    sleeper.cancel();
  }

  /// All meters that are read together are of one look.
  @InLoop
  @Test
  void oneLookServesAll() throws Exception {
    Meters.ofLoop("mine", Loop.current()).bindTo(registry);

    long asked =
        Loop.offload(
            () -> {
              Timer delay = registry.get("couv.loop.delay").timer();
              registry
                  .getMeters()
                  .forEach(meter -> meter.measure().forEach(each -> each.getValue()));
              return delay.count();
            });

    assertTrue(asked <= 2, () -> asked + " times"); // on a busy machine a moment may pass between
  }

  /// Who has nothing better shows what there was before, and does not wait for ever.
  @Test
  void aLoopThatIsBusyIsShownAsItWas() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    CompletableFuture<Double> before = new CompletableFuture<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  Patience.await(busy);
                  Patience.until(() -> gauge("couv.loop.coroutines") >= 0);
                  before.complete(gauge("couv.loop.coroutines"));
                  done.countDown();
                });

    Loop.run(
        () -> {
          Meters.ofLoop("mine", Loop.current()).bindTo(registry);
          assertEquals(1, gauge("couv.loop.coroutines"));
          busy.countDown();
          Patience.spinUntil(done);
        });

    assertEquals(1, before.get());
    reader.join();
  }

  /// Waiting would hold its own loop.
  @InLoop
  @Test
  void aCoroutineOfAnotherLoopDoesNotWait() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      CompletableFuture<Loop> other = new CompletableFuture<>();
      Promise<Void> end = new Promise<>();
      Promise<?> task =
          pool.submit(
              () -> {
                other.complete(Loop.current());
                return end.await();
              });
      Meters.ofLoop("other", Loop.offload(other::get)).bindTo(registry);

      double first = gauge("couv.loop.coroutines");
      while (!(gauge("couv.loop.coroutines") >= 1)) {
        Time.sleep(Duration.ofMillis(1)); // what the first has asked for comes
      }

      assertTrue(Double.isNaN(first) || first >= 1, () -> first + " coroutines");
      end.complete(null);
      task.await();
    }
  }

  @Test
  void aLoopThatHasEndedIsNotANumber() throws Exception {
    Loop.run(() -> Meters.ofLoop("gone", Loop.current()).bindTo(registry));

    assertEquals(Double.NaN, gauge("couv.loop.coroutines"));
    assertEquals(Double.NaN, gauge("couv.loop.coroutines"));
  }

  /// Between two runs its own thread looks at it, and nobody is asked.
  @Test
  void anEmbeddedLoopIsSeenByItsThread() {
    try (Loop loop = Loop.open()) {
      Meters.ofLoop("embedded", loop).bindTo(registry);
      loop.spawn(() -> Time.sleep(HOUR));
      loop.run(Mode.READY);

      assertEquals(1, gauge("couv.loop.coroutines"));
      assertEquals(0, registry.get("couv.loop.delay").timer().count());
    }
  }

  // ---- pools and channels

  @InLoop
  @Test
  void aPoolOfLoopsIsSeen() throws Exception {
    try (LoopPool pool = LoopPool.open(2)) {
      Meters.ofPool("workers", pool).bindTo(registry);
      Promise<Void> end = new Promise<>();
      List<Promise<?>> tasks = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        tasks.add(pool.submit(() -> end.await()));
      }
      while (gauge("couv.pool.tasks", "state", "suspended") != 5) {
        Time.sleep(Duration.ofMillis(1));
      }

      assertEquals(2, gauge("couv.pool.threads", "name", "workers"));
      end.complete(null);
      for (Promise<?> each : tasks) {
        each.await();
      }
      while (registry.get("couv.pool.tasks.ended").functionCounter().count() != 5) {
        Time.sleep(Duration.ofMillis(1));
      }
    }
  }

  @InLoop
  @Test
  void aChannelIsSeen() throws Exception {
    Chan<String> orders = Chan.create(2);
    Meters.ofChan("orders", orders).bindTo(registry);
    orders.send("one");
    orders.send("two");
    Coroutine<?> sender = Coroutine.spawn(() -> orders.send("three"));
    Loop.awaitIdle();

    assertEquals(2, gauge("couv.chan.capacity", "name", "orders"));
    assertEquals(2, gauge("couv.chan.values"));
    assertEquals(1, gauge("couv.chan.senders"));
    assertEquals(0, gauge("couv.chan.receivers"));
    sender.cancel();
    orders.close();
  }

  // ---- resources

  @InLoop
  @Test
  void resourcesAndTheirBreakerAreSeen() throws Exception {
    try (Resources<String> resources = Resources.of(() -> "made").open()) {
      Meters.ofResources("db", resources).bindTo(registry);
      try (Lease<String> _ = resources.acquire()) {
        assertEquals(1, gauge("couv.resources.leased", "name", "db"));
        assertEquals(0, gauge("couv.resources.idle"));
      }
      assertEquals(1, Loop.offload(() -> gauge("couv.state", "state", "active")));
      assertEquals(0, gauge("couv.state", "state", "inactive"));
    }
  }

  @InLoop
  @Test
  void theMetersOfResourcesAreMadeWhereTheyAre() throws Exception {
    try (Resources<String> resources = Resources.of(() -> "made").open()) {
      assertThrows(
          IllegalStateException.class,
          () -> Loop.offload(() -> Meters.ofResources("elsewhere", resources)));
    }
  }

  /// Also by whoever reads it on another thread.
  @InLoop
  @Test
  void aStateIsAskedForInTheLoop() throws Exception {
    List<Loop> askers = new ArrayList<>();
    Meters.ofState(
            "breaker",
            BreakerState.class,
            () -> {
              askers.add(Loop.current());
              return BreakerState.RECOVERING;
            })
        .bindTo(registry);

    assertEquals(1, Loop.offload(() -> gauge("couv.state", "state", "recovering")));
    assertEquals(List.of(Loop.current()), askers);
  }

  @InLoop
  @Test
  void aStateThatFailsToBeToldIsNoNumber() throws Exception {
    LOG.setUseParentHandlers(false); // the registry warns of it
    try {
      Meters.ofState(
              "broken",
              BreakerState.class,
              () -> {
                throw new IllegalArgumentException("on purpose");
              })
          .bindTo(registry);

      assertEquals(Double.NaN, Loop.offload(() -> gauge("couv.state", "state", "active")));
    } finally {
      LOG.setUseParentHandlers(true);
    }
  }

  @Test
  void misuseIsRefusedAtOnce() {
    assertThrows(NullPointerException.class, () -> Meters.ofLoop(null, null));
    assertThrows(NullPointerException.class, () -> Meters.ofPool("name", null));
    assertThrows(NullPointerException.class, () -> Meters.ofChan("name", null));
    assertThrows(
        IllegalStateException.class,
        () -> Meters.ofState("name", BreakerState.class, () -> BreakerState.ACTIVE));
  }
}
