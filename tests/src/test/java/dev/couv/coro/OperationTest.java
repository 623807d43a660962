// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.time.Time;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds for every operation: one coroutine of an embedded loop awaits it, the test triggers it
/// and resumes the coroutine between two runs. Those whose name ends in "closed" are ended by closing
/// their object.
class OperationTest {
  private static final String ALL = "dev.couv.coro.AwaitedOperation#all";
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration PROMPT = Duration.ofMinutes(1);
  private static final List<Object> CANCELED = Arrays.asList(null, "canceled");

  @Behaviour("OP01")
  @ParameterizedTest
  @MethodSource(ALL)
  void completesOnceAndLeavesNothingBehind(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                Coroutine.yield();
                bench.log.add("resumed");
              });

      bench.operation.trigger();

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of("done"), bench.log);
      assertEquals(Status.SUSPENDED, awaiting.status());
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP02")
  @ParameterizedTest
  @MethodSource(ALL)
  void twoAwaitsInARowLoseNoTriggerBetweenThem(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      bench.spawn(
          () -> {
            bench.attempt();
            bench.attempt();
          });

      bench.operation.trigger();
      bench.operation.trigger();

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of("done", "done"), bench.log);
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP03")
  @ParameterizedTest
  @MethodSource(ALL)
  void awaitedAgainAfterAYieldItIsResumedAtOnce(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                Coroutine.yield();
                bench.attempt();
              });
      bench.operation.trigger();
      bench.loop.run(Mode.LOOP);

      assertNull(awaiting.resume());
      awaiting.resume(null, "canceled");
      bench.operation.trigger();

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of("done", CANCELED), bench.log);
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP05")
  @ParameterizedTest
  @MethodSource(ALL)
  void sleepsAfterAYield(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                Coroutine.yield();
                bench.attemptSleep(Duration.ofMillis(1));
              });
      bench.operation.trigger();
      bench.loop.run(Mode.LOOP);

      awaiting.resume();

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of("done", "slept"), bench.log);
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP06")
  @ParameterizedTest
  @MethodSource(ALL)
  void aLongSleepAfterItIsResumed(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                bench.attemptSleep(LONG);
              });
      bench.operation.trigger();
      bench.runUntilLogged(1);

      awaiting.resume(null, "canceled");

      assertFalse(assertTimeout(PROMPT, () -> bench.loop.run(Mode.LOOP)));
      assertEquals(List.of("done", CANCELED), bench.log);
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP07")
  @ParameterizedTest
  @MethodSource(ALL)
  void twoLongSleepsAfterItAreResumed(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                bench.attemptSleep(LONG);
                bench.attemptSleep(LONG);
              });
      bench.operation.trigger();
      bench.runUntilLogged(1);

      awaiting.resume(1);
      awaiting.resume(2);

      assertFalse(assertTimeout(PROMPT, () -> bench.loop.run(Mode.LOOP)));
      assertEquals(List.of("done", List.of(1), List.of(2)), bench.log);
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP09")
  @ParameterizedTest
  @MethodSource(ALL)
  void aSleepOfNothingFollowsAtOnce(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      bench.spawn(
          () -> {
            bench.attempt();
            bench.attemptSleep(Duration.ZERO);
          });

      bench.operation.trigger();

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of("done", "slept"), bench.log);
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP10")
  @ParameterizedTest
  @MethodSource(ALL)
  void resumedBetweenTheTriggerAndTheNextTurn(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                Coroutine.yield();
                bench.log.add("resumed");
              });
      bench.operation.trigger();

      awaiting.resume(null, "canceled");

      assertEquals(List.of(CANCELED), bench.log);
      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of(CANCELED), bench.log);
      assertEquals(Status.SUSPENDED, awaiting.status());
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP11")
  @ParameterizedTest
  @MethodSource(ALL)
  void resumedTwiceBeforeTheLoopHasSeenTheFirst(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                bench.attempt();
              });

      awaiting.resume(1);
      awaiting.resume(2);
      bench.operation.trigger();
      bench.operation.trigger();

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of(List.of(1), List.of(2)), bench.log);
      bench.assertNothingInFlight();
    }
  }

  /// The seeds make the sleep wait for the old operation to leave libuv; Couv detaches it.
  @Behaviour("OP13")
  @ParameterizedTest
  @MethodSource(ALL)
  void aSleepAfterTheResumeDoesNotWaitForTheOldOperationToEnd(AwaitedOperation.Kind kind)
      throws Exception {
    try (Bench bench = new Bench(kind)) {
      Coroutine<?> awaiting =
          bench.spawn(
              () -> {
                bench.attempt();
                bench.attemptSleep(Duration.ofMillis(1));
              });

      awaiting.resume(null, "canceled");
      bench.runUntilLogged(2); // although nothing was triggered

      assertEquals(List.of(CANCELED, "slept"), bench.log);
      bench.operation.trigger();
      assertFalse(bench.loop.run(Mode.LOOP));
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP14")
  @ParameterizedTest
  @MethodSource("dev.couv.coro.AwaitedOperation#thatAreClosed")
  void anotherCoroutineThatClosesTheObjectEndsTheAwait(AwaitedOperation.Kind kind)
      throws Exception {
    try (Bench bench = new Bench(kind)) {
      bench.spawn(bench::attempt);

      bench.spawn(bench.operation::trigger);

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of("done"), bench.log);
      bench.assertNothingInFlight();
    }
  }

  @Behaviour("OP15")
  @ParameterizedTest
  @MethodSource("dev.couv.coro.AwaitedOperation#thatAreClosed")
  void closingTheObjectWakesInOrderAndDoesNotRunTheWaiterNested(AwaitedOperation.Kind kind)
      throws Exception {
    try (Bench bench = new Bench(kind)) {
      bench.spawn(bench::attempt);

      bench.operation.trigger();

      assertEquals(List.of(), bench.log);
      bench.loop.run(Mode.READY);
      assertEquals(List.of("done"), bench.log);
    }
  }

  @Behaviour("OP18")
  @ParameterizedTest
  @MethodSource(ALL)
  void theCoroutineIsCollectedAfterwards(AwaitedOperation.Kind kind) throws Exception {
    try (Bench bench = new Bench(kind)) {
      WeakReference<Object> completed = new WeakReference<>(bench.spawn(bench::attempt));
      bench.operation.trigger();
      bench.loop.run(Mode.LOOP);
      WeakReference<Object> resumed = new WeakReference<>(resumedInstead(bench));
      bench.operation.trigger();

      assertFalse(bench.loop.run(Mode.LOOP));
      assertEquals(List.of("done", List.of()), bench.log);
      assertEquals(0, bench.loop.stats().coroutines());
      assertTrue(isCollected(completed), "completed");
      assertTrue(isCollected(resumed), "resumed");
    }
  }

  private static Coroutine<?> resumedInstead(Bench bench) throws Exception {
    Coroutine<?> awaiting = bench.spawn(bench::attempt);
    awaiting.resume();
    return awaiting;
  }

  private static boolean isCollected(WeakReference<?> reference) {
    for (int i = 0; i < 500 && !reference.refersTo(null); i++) {
      System.gc();
    }
    return reference.refersTo(null);
  }

  /// An embedded loop and the operation on it.
  private static final class Bench implements AutoCloseable {
    final Loop loop = Loop.open();
    final List<Object> log = new ArrayList<>();
    final AwaitedOperation operation;
    private final int handles;

    Bench(AwaitedOperation.Kind kind) throws Exception {
      operation = kind.make().get();
      Coroutine<?> preparing = loop.spawn(operation::prepare);
      while (!preparing.status().isEnded()) {
        loop.run(Mode.STEP);
      }
      assertEquals(Status.DONE, preparing.status());
      handles = loop.stats().handles();
    }

    /// A coroutine that has begun, and awaits.
    Coroutine<?> spawn(Action body) {
      Coroutine<?> spawned = loop.spawn(body);
      loop.run(Mode.READY);
      return spawned;
    }

    /// Awaits the operation and logs how that ended: "done", or the values of a resume.
    void attempt() throws Exception {
      try {
        operation.await();
        log.add("done");
      } catch (Resumed resumed) {
        log.add(resumed.values());
      }
    }

    void attemptSleep(Duration duration) {
      try {
        Time.sleep(duration);
        log.add("slept");
      } catch (Resumed resumed) {
        log.add(resumed.values());
      }
    }

    void runUntilLogged(int entries) {
      while (log.size() < entries) {
        assertTrue(loop.run(Mode.STEP) || log.size() == entries, "nothing can happen any more");
      }
    }

    /// Only what the operation itself has made is open, or less if it was closed.
    void assertNothingInFlight() {
      LoopStats stats = loop.stats();
      assertEquals(0, stats.requests(), "requests");
      assertEquals(0, stats.timers(), "timers");
      assertEquals(0, stats.closingHandles(), "closing handles");
      assertEquals(0, stats.ready(), "ready");
      assertTrue(stats.handles() <= handles + AwaitedOperation.CONFIGURATIONS, stats.toString());
      assertEquals(stats.handles(), stats.nativeBlocks(), "native blocks");
    }

    @Override
    public void close() {
      operation.close();
      loop.close();
    }
  }
}
