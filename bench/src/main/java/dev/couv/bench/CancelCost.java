// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import dev.couv.coro.Action;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.ScopePolicy;
import dev.couv.coro.TaskGroup;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.pool.LoopPool;
import dev.couv.signal.Signal;
import dev.couv.sync.Chan;
import dev.couv.sync.Endpoint;
import dev.couv.sync.Gate;
import dev.couv.sync.Mutex;
import dev.couv.sync.Permits;
import dev.couv.sync.Promise;
import dev.couv.sync.QueuedTopic;
import dev.couv.sync.Resources;
import dev.couv.sync.Topic;
import dev.couv.time.Ticker;
import dev.couv.time.Time;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/// What it costs to cancel one of n coroutines that wait for the same thing, until it has ended: for every
/// kind of wait, the oldest first and the youngest first. It should not depend on either, nor on n; what
/// waits for time is in a heap, and costs a little more where there are more.
@SuppressWarnings("try") // scopes are only closed
final class CancelCost {
  private static final Duration LONG = Duration.ofHours(1);

  private CancelCost() {}

  /// Opens what is waited for, and says how to wait.
  private interface Source {
    Action open(Scope scope) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    String[] sizes = arguments.length == 0 ? new String[] {"10000", "100000"} : arguments;
    System.out.println("| Wait | n | oldest first, ns | youngest first, ns |");
    System.out.println("|---|--:|--:|--:|");
    for (String size : sizes) {
      table(Integer.parseInt(size));
    }
  }

  private static void table(int n) throws Exception {
    row("Chan.receive", n, scope -> Chan.<Object>create(0)::receive);
    row("Chan.send", n, CancelCost::sending);
    row("Chan.sync", n, CancelCost::meeting);
    row("select of channels", n, CancelCost::selecting);
    row("Promise", n, scope -> new Promise<>()::await);
    row("any promise", n, CancelCost::anyPromise);
    row("Event", n, scope -> new Event<Object>() {}::await);
    row("end of a coroutine", n, CancelCost::ofCoroutine);
    row("Permits", n, scope -> new Permits(0)::acquire);
    row("Permits, selected", n, CancelCost::selectingPermits);
    row("Gate", n, scope -> new Gate()::await);
    row("Mutex", n, CancelCost::locking);
    row("Topic", n, scope -> () -> Topic.await("key"));
    row("Topic, any of three", n, scope -> () -> Topic.awaitAny("one", "two", "three"));
    row("Topic, a key each", n, scope -> () -> Topic.await(new Object()));
    row("QueuedTopic", n, scope -> () -> QueuedTopic.await("key"));
    row("Await.stage", n, CancelCost::staging);
    row("Time.sleep", n, scope -> () -> Time.sleep(LONG));
    row("Time.timeout", n, CancelCost::timing);
    row("Time.after", n, scope -> () -> Time.after(LONG).await());
    row("Ticker", n, scope -> () -> Ticker.every(LONG).next());
    row("Scope.join", n, CancelCost::joining);
    row("TaskGroup.all", n, CancelCost::awaitingGroup);
    row("TaskGroup.spawn", n, CancelCost::spawning);
    row("Resources.acquire", n, CancelCost::acquiring);
    row("turn of a listener", n, CancelCost::accepting);
    row("turn of a stream to write", n, CancelCost::writing);
    row("Signal.await", n, scope -> () -> Signal.await(Signal.WINCH));
    row("LoopPool.submit", n, CancelCost::submitting);
    callbacks(n);
  }

  private static void row(String name, int n, Source source) throws Exception {
    measure(Math.min(n, 1000), source, false); // warm up
    print(name, n, measure(n, source, false), measure(n, source, true));
  }

  private static void print(String name, int n, long oldestFirst, long youngestFirst) {
    System.out.printf(
        Locale.ROOT, "| %s | %,d | %,d | %,d |%n", name, n, oldestFirst, youngestFirst);
  }

  private static long measure(int n, Source source, boolean reversed) throws Exception {
    long[] nanos = new long[1];
    Loop.run(
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.SUPERVISE)) {
            Action wait = source.open(scope);
            List<Coroutine<?>> waiting = new ArrayList<>(n);
            for (int i = 0; i < n; i++) {
              waiting.add(scope.spawn(wait));
            }
            Loop.awaitIdle();
            long begin = System.nanoTime();
            (reversed ? waiting.reversed() : waiting).forEach(Coroutine::cancel);
            Loop.awaitIdle();
            nanos[0] = System.nanoTime() - begin;
            scope.cancel();
          }
        });
    return nanos[0] / n;
  }

  private static void callbacks(int n) throws Exception {
    long[] nanos = new long[2];
    for (int order = 0; order < 2; order++) {
      int at = order;
      Loop.run(
          () -> {
            Event<Object> event = new Event<>() {};
            List<Event.Callback<Object>> callbacks = new ArrayList<>(n);
            for (int i = 0; i < n; i++) {
              long[] seen = new long[1];
              callbacks.add((value, error) -> seen[0]++);
              event.subscribe(callbacks.getLast());
            }
            long begin = System.nanoTime();
            (at == 0 ? callbacks : callbacks.reversed()).forEach(event::unsubscribe);
            nanos[at] = (System.nanoTime() - begin) / n;
          });
    }
    print("callback of an event", n, nanos[0], nanos[1]);
  }

  // ---- what needs more than a line

  private static Action sending(Scope scope) {
    Chan<Object> chan = Chan.create(0);
    return () -> chan.send("value");
  }

  private static Action meeting(Scope scope) {
    Chan<Object> chan = Chan.create(0);
    return () -> chan.sync(Endpoint.IN, null);
  }

  private static Action selecting(Scope scope) {
    Chan<Object> chan = Chan.create(0);
    return () -> Await.select(chan.receiving(), chan.receiving());
  }

  private static Action anyPromise(Scope scope) {
    Promise<Object> promise = new Promise<>();
    return () -> Promise.awaitAny(promise, new Promise<>());
  }

  private static Action ofCoroutine(Scope scope) {
    Coroutine<?> sleeper = scope.spawn(() -> Time.sleep(LONG));
    return sleeper::await;
  }

  private static Action selectingPermits(Scope scope) {
    Permits permits = new Permits(0);
    return () -> Await.any(permits.acquiring(1), permits.acquiring(2));
  }

  private static Action locking(Scope scope) {
    Mutex mutex = new Mutex();
    scope.spawn(
        () -> {
          mutex.lock();
          try {
            Time.sleep(LONG);
          } finally {
            mutex.unlock();
          }
        });
    return mutex::lock;
  }

  private static Action staging(Scope scope) {
    CompletableFuture<Object> future = new CompletableFuture<>();
    return () -> Await.stage(future);
  }

  private static Action timing(Scope scope) {
    Promise<Object> promise = new Promise<>();
    return () -> Time.timeout(LONG, promise::await);
  }

  private static Action joining(Scope scope) {
    Scope inner = Scope.open();
    inner.spawn(() -> Time.sleep(LONG));
    return inner::join;
  }

  private static Action awaitingGroup(Scope scope) {
    TaskGroup<Object> group = TaskGroup.open();
    group.spawn(() -> Time.sleep(LONG));
    return group::all;
  }

  private static Action spawning(Scope scope) {
    TaskGroup<Object> group = TaskGroup.<Object>open().limit(1).queue(0);
    group.spawn(() -> Time.sleep(LONG));
    return () -> group.spawn(() -> Time.sleep(LONG));
  }

  private static Action acquiring(Scope scope) throws Exception {
    Resources<Object> resources = Resources.of(Object::new).max(1).open();
    scope.own(resources.acquire());
    return resources::acquire;
  }

  private static Action accepting(Scope scope) throws Exception {
    TcpListener listener = scope.own(Tcp.listen(new InetSocketAddress("127.0.0.1", 0)));
    return () -> listener.iterator().hasNext();
  }

  private static Action writing(Scope scope) throws Exception {
    var pair = LocalStream.pair();
    scope.own(pair);
    scope.spawn(() -> pair.first().write(ByteBuffer.allocate(1 << 24)));
    return () -> pair.first().write(ByteBuffer.allocate(1));
  }

  private static Action submitting(Scope scope) {
    LoopPool pool = scope.own(LoopPool.open(0));
    return () -> pool.submit(() -> 1).await();
  }
}
