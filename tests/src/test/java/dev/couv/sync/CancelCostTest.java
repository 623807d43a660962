// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.ScopePolicy;
import dev.couv.coro.TaskGroup;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.pool.LoopPool;
import dev.couv.signal.Signal;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What it costs to cancel those who wait for the same thing: for each the same, however many there are, the
/// oldest or the youngest first. The processor time for eight times as many is about eight times as
/// long, and sixty-four times where each is searched for.
@Tag("storm")
@SuppressWarnings("try") // scopes are closed, and what is held is only held
class CancelCostTest {
  private static final int FEW = 1_500;
  private static final int MANY = 8 * FEW;
  private static final double MOST = 18;
  private static final int TRIES = 8;

  /// The system counts processor time in such steps.
  private static final long FLOOR_NANOS = 10_000_000;

  private static final Duration LONG = Duration.ofHours(1);

  /// One thing, and how to wait for it.
  private record Kind(String name, Source source) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Source {
    Action open(Scope scope) throws Exception;
  }

  static Stream<Kind> kinds() {
    return Stream.of(
        new Kind("receive", scope -> Chan.<Object>create(0)::receive),
        new Kind("send", scope -> sending(Chan.create(0))),
        new Kind("sync", scope -> meeting(Chan.create(0))),
        new Kind("select of channels", scope -> selecting(Chan.create(0))),
        new Kind("promise", scope -> new Promise<>()::await),
        new Kind("any promise", scope -> anyOf(new Promise<>())),
        new Kind("event", scope -> new Event<Object>() {}::await),
        new Kind("end of a coroutine", CancelCostTest::joining),
        new Kind("permits", scope -> new Permits(0)::acquire),
        new Kind("permits, selected", scope -> selecting(new Permits(0))),
        new Kind("gate", scope -> new Gate()::await),
        new Kind("mutex", CancelCostTest::locking),
        new Kind("topic", scope -> () -> Topic.await("key")),
        new Kind("topics", scope -> () -> Topic.awaitAny("one", "two", "three")),
        new Kind("queued topic", scope -> () -> QueuedTopic.await("key")),
        new Kind("stage", scope -> staging(new CompletableFuture<>())),
        new Kind("sleep", scope -> () -> Time.sleep(LONG)),
        new Kind("timeout", scope -> timing(new Promise<>())),
        new Kind("timer event", scope -> () -> Time.after(LONG).await()),
        new Kind("join", CancelCostTest::joiningScope),
        new Kind("group", CancelCostTest::awaitingGroup),
        new Kind("place in a group", CancelCostTest::spawningInGroup),
        new Kind("resource", CancelCostTest::acquiring),
        new Kind("turn of a listener", CancelCostTest::accepting),
        new Kind("signal", scope -> () -> Signal.await(Signal.WINCH)),
        new Kind("signal of the VM", scope -> () -> Signal.await(Signal.HUP)),
        new Kind("pool task", CancelCostTest::submitting));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theOldestFirst(Kind kind) throws Exception {
    assertLinear(n -> waits(kind, n, false));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theYoungestFirst(Kind kind) throws Exception {
    assertLinear(n -> waits(kind, n, true));
  }

  @Test
  void aScopeWithAllOfThem() throws Exception {
    assertLinear(
        n -> {
          long[] cost = new long[1];
          CompletableFuture<Object> future = new CompletableFuture<>();
          Loop.run(
              () -> {
                try (Scope scope = Scope.open()) {
                  for (int i = 0; i < n; i++) {
                    scope.spawn(() -> Await.stage(future));
                  }
                  Loop.awaitIdle();
                  cost[0] = -processorNanos();
                  scope.cancel();
                }
                cost[0] += processorNanos();
              });
          return cost[0];
        });
  }

  @Test
  void callbacksOfAnEvent() throws Exception {
    for (boolean reversed : new boolean[] {false, true}) {
      assertLinear(
          n -> {
            long[] cost = new long[1];
            Loop.run(
                () -> {
                  Event<Object> event = new Event<>() {};
                  List<Event.Callback<Object>> callbacks = new ArrayList<>();
                  for (int i = 0; i < n; i++) {
                    List<Object> seen = new ArrayList<>(0);
                    callbacks.add((value, error) -> seen.add(value));
                  }
                  for (Event.Callback<Object> callback : callbacks) {
                    event.subscribe(callback);
                  }
                  cost[0] = -processorNanos();
                  for (Event.Callback<Object> each : reversed ? callbacks.reversed() : callbacks) {
                    assertTrue(event.unsubscribe(each));
                  }
                  cost[0] += processorNanos();
                });
            return cost[0];
          });
    }
  }

  @Test
  void failuresThatComeTogether() throws Exception {
    assertLinear(
        n -> {
          long[] cost = new long[1];
          Loop.run(
              () -> {
                List<Promise<Object>> all = new ArrayList<>();
                for (int i = 0; i < n; i++) {
                  all.add(new Promise<>());
                }
                Coroutine.spawn(
                    () -> {
                      for (Promise<Object> each : all) {
                        each.fail(new IOException("together"));
                      }
                      cost[0] = -processorNanos();
                    });
                IOException first = assertThrows(IOException.class, () -> Await.all(all));
                cost[0] += processorNanos();
                assertTrue(first.getSuppressed().length == n - 1);
              });
          return cost[0];
        });
  }

  @Test
  void whatIsDerivedFromAPromise() throws Exception {
    Promise<Object> source = new Promise<>();
    for (boolean reversed : new boolean[] {false, true}) {
      assertLinear(
          n -> {
            List<CompletableFuture<?>> futures = new ArrayList<>();
            List<Promise<?>> derived = new ArrayList<>();
            CompletableFuture<Object> followed = new CompletableFuture<>();
            for (int i = 0; i < n; i++) {
              futures.add(source.toFuture());
              derived.add(source.map(value -> value));
              derived.add(Promise.of(followed));
            }
            long begin = processorNanos();
            (reversed ? futures.reversed() : futures).forEach(each -> each.cancel(false));
            (reversed ? derived.reversed() : derived).forEach(Promise::cancel);
            return processorNanos() - begin;
          });
    }
  }

  // ---- measuring

  private interface Cost {
    long of(int n) throws Exception;
  }

  private static void assertLinear(Cost cost) throws Exception {
    Tries.oneOf(
        TRIES,
        () -> {
          long few = Math.max(cost.of(FEW), FLOOR_NANOS);
          long many = cost.of(MANY);
          assertTrue(
              many < MOST * few,
              () -> "%,d took %,d ns, %,d took %,d ns".formatted(FEW, few, MANY, many));
        });
  }

  /// Of cancelling so many, until they have ended.
  private static long waits(Kind kind, int n, boolean reversed) throws Exception {
    long[] cost = new long[1];
    Loop.run(
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.SUPERVISE)) {
            Action wait = kind.source.open(scope);
            List<Coroutine<?>> waiting = new ArrayList<>();
            for (int i = 0; i < n; i++) {
              waiting.add(scope.spawn(wait));
            }
            Loop.awaitIdle();
            cost[0] = -processorNanos();
            (reversed ? waiting.reversed() : waiting).forEach(Coroutine::cancel);
            Loop.awaitIdle();
            cost[0] += processorNanos();
            for (Coroutine<?> each : waiting) {
              assertTrue(each.status().isEnded(), () -> each + " is " + each.status());
            }
            scope.cancel();
          }
        });
    return cost[0];
  }

  private static long processorNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  // ---- what needs more than a line

  private static Action sending(Chan<Object> chan) {
    return () -> chan.send("value");
  }

  private static Action meeting(Chan<Object> chan) {
    return () -> chan.sync(Endpoint.IN, null);
  }

  private static Action selecting(Chan<Object> chan) {
    var one = chan.receiving();
    return () -> Await.select(one, chan.receiving());
  }

  private static Action anyOf(Promise<Object> promise) {
    return () -> Promise.awaitAny(promise, new Promise<>());
  }

  private static Action joining(Scope scope) {
    Coroutine<?> sleeper = scope.spawn(() -> Time.sleep(LONG));
    return sleeper::await;
  }

  private static Action selecting(Permits permits) {
    return () -> Await.any(permits.acquiring(1), permits.acquiring(2));
  }

  private static Action locking(Scope scope) {
    Mutex mutex = new Mutex();
    scope.spawn(
        () -> {
          try (var held = mutex.hold()) {
            Time.sleep(LONG);
          }
        });
    return mutex::lock;
  }

  private static Action staging(CompletableFuture<Object> future) {
    return () -> Await.stage(future);
  }

  private static Action timing(Promise<Object> promise) {
    return () -> Time.timeout(LONG, promise::await);
  }

  private static Action joiningScope(Scope scope) {
    Scope inner = Scope.open();
    inner.spawn(() -> Time.sleep(LONG));
    scope.onEnd(() -> {});
    inner.cancelAfter(LONG);
    return inner::join;
  }

  private static Action awaitingGroup(Scope scope) {
    TaskGroup<Object> group = TaskGroup.open();
    group.spawn(() -> Time.sleep(LONG));
    return group::all;
  }

  private static Action spawningInGroup(Scope scope) {
    TaskGroup<Object> group = TaskGroup.<Object>open().limit(1).queue(0);
    group.spawn(() -> Time.sleep(LONG));
    return () -> group.spawn(() -> Time.sleep(LONG));
  }

  private static Action acquiring(Scope scope) throws Exception {
    Resources<Object> resources = Resources.of(Object::new).max(1).open();
    var lease = resources.acquire();
    scope.own(lease::close);
    return resources::acquire;
  }

  private static Action accepting(Scope scope) throws Exception {
    TcpListener listener = scope.own(Tcp.listen(new InetSocketAddress("127.0.0.1", 0)));
    return () -> listener.iterator().hasNext();
  }

  private static Action submitting(Scope scope) {
    LoopPool pool = scope.own(LoopPool.open(0));
    return () -> pool.submit(() -> 1).await();
  }
}
