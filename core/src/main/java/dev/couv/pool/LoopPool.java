// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.error.ClosedException;
import dev.couv.loop.Undo;
import dev.couv.net.Handler;
import dev.couv.net.ListenOptions;
import dev.couv.net.ServeOptions;
import dev.couv.net.TcpStream;
import dev.couv.strand.LoopLocal;
import dev.couv.strand.Suspension;
import dev.couv.sync.Chan;
import dev.couv.sync.Promise;
import dev.couv.world.LoopThreads;
import dev.couv.world.World;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Threads that each run a loop, and tasks that run there as coroutines. Tasks may outnumber threads by
/// any factor: one that waits holds no thread.
///
/// ## Placement
///
/// Tasks wait in one queue, first come first served. A thread takes the next one when everything that
/// is ready on its loop has had a turn; so a thread that computes leaves the tasks to the others, and
/// one whose tasks all wait takes more. A task stays on the loop that took it.
///
/// Its threads do not keep the program alive: close it to have everything done.
///
/// Any thread may use a pool, except where it says otherwise.
public final class LoopPool implements AutoCloseable {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /// The pool whose thread a loop runs on.
  private static final LoopLocal<AtomicReference<@Nullable LoopPool>> CURRENT =
      new LoopLocal<>(AtomicReference::new);

  private final PoolTasks tasks = new PoolTasks(this);
  private final Crew crew =
      new Crew(
          NUMBERS.incrementAndGet(),
          tasks,
          options(Suspension.world()),
          () -> CURRENT.get("a task").set(this));

  private LoopPool() {}

  /// A pool of so many threads, all started now. With none it only collects tasks. Its loops, those of later threads,
  /// too, live in the world of the loop whose coroutine opens it ([LoopOptions#withWorld]).
  ///
  /// @throws IllegalArgumentException if that is negative
  public static LoopPool open(int threads) {
    checkSize(threads);
    LoopPool pool = new LoopPool();
    Undo.unless(() -> pool.crew.start(threads), pool::cancel); // those that were started end
    return pool;
  }

  /// A world that runs them itself gives them all the time and the order of the loop that opens the pool.
  private static LoopOptions options(World world) {
    return world.threads() == LoopThreads.OWN
        ? LoopOptions.DEFAULT.withWorld(world)
        : Loop.current().options();
  }

  /// The pool whose task is calling, or null.
  public static @Nullable LoopPool current() {
    return Suspension.isInCoroutine() ? CURRENT.get("LoopPool.current").get() : null;
  }

  // ---- tasks

  /// Runs the body in a coroutine on one of the threads. What it throws is what the promise throws, with
  /// the place of the submission suppressed in it. Cancelling the promise cancels the task: one that
  /// nobody has taken never runs.
  ///
  /// @throws ClosedException if the pool is closed
  public <T extends @Nullable Object> Promise<T> submit(Body<T> body) {
    Objects.requireNonNull(body, "a task needs a body");
    return submit(body, body, null);
  }

  /// `given` is what the user has passed, from which the body was made.
  private <T extends @Nullable Object> Promise<T> submit(
      Body<T> body, Object given, @Nullable Batch batch) {
    PoolTask<T> task = new PoolTask<>(tasks, body, given, batch);
    try {
      if (!tasks.add(task)) {
        throw new ClosedException(this + " is closed");
      }
      crew.grow();
      return task.promise;
    } catch (Throwable failed) {
      tasks.drop(task);
      throw failed;
    }
  }

  /// Runs the body in a coroutine on one of the threads, without a result: the promise tells its end. Cancelling
  /// the promise cancels the task.
  public Promise<@Nullable Void> submit(Action body) {
    Objects.requireNonNull(body, "a task needs a body");
    return submit(Body.of(body), body, null);
  }

  /// Applies the function to each item, on the pool's threads, and waits for all: the results in the
  /// order of the items. After the first failure what has not ended is cancelled, and the failure is thrown when it has; so
  /// it is if the caller is cancelled.
  public <A, B extends @Nullable Object> List<B> map(
      Collection<? extends A> items, Promise.Step<? super A, ? extends B> function)
      throws Exception {
    Objects.requireNonNull(function, "function");
    List<Promise<B>> promises = new ArrayList<>(items.size());
    List<B> results = new ArrayList<>(items.size());
    Batch batch = new Batch();
    try {
      for (A item : items) {
        promises.add(submit(() -> Mapping.apply(function, item), function, batch));
      }
      batch.await();
      for (Promise<B> promise : promises) {
        results.add(promise.await());
      }
      return results;
    } finally {
      promises.forEach(Promise::cancel); // those that are done do not mind
      batch.awaitEnd();
    }
  }

  /// Applies the function to each item, on the pool's threads, and does not wait: the results come as they are
  /// ready, through a channel that is closed after the last.
  /// A failure closes it for that reason, and cancels what has not ended. If the receiver closes it, items
  /// whose turn has not come are passed over.
  public <A, B> Chan<B> mapUnordered(
      Collection<? extends A> items, Promise.Step<? super A, ? extends B> function) {
    Objects.requireNonNull(items, "items");
    Objects.requireNonNull(function, "function");
    Mapping<B> mapping = new Mapping<>();
    try {
      for (A item : items) {
        mapping.add(submit(() -> mapping.result(item, function), function, null));
      }
    } catch (Throwable failed) {
      mapping.fail(failed);
      throw failed;
    }
    return mapping.all();
  }

  // ---- servers

  /// Serves connections at one port on all threads, those that the pool gets later, too: a coroutine for
  /// each connection, on one of the loops, as [dev.couv.net.StreamListener#serve(Handler)] does. Closing the
  /// pool closes it; a thread that leaves accepts no more, and finishes what it has.
  ///
  /// @throws IllegalStateException if the pool has no thread
  public PoolServer serve(InetSocketAddress address, Handler<? super TcpStream> handler)
      throws Exception {
    return serve(address, ListenOptions.DEFAULT, handler);
  }

  /// Serves connections at one port on all threads, with options of listening.
  public PoolServer serve(
      InetSocketAddress address, ListenOptions options, Handler<? super TcpStream> handler)
      throws Exception {
    return serve(address, options, Spread.best(), handler);
  }

  /// Serves connections at one port on all threads, and says how connections come to the loops.
  public PoolServer serve(
      InetSocketAddress address,
      ListenOptions options,
      Spread spread,
      Handler<? super TcpStream> handler)
      throws Exception {
    return serve(address, options, spread, handler, ServeOptions.DEFAULT);
  }

  /// Serves connections at one port on all threads, with options of serving: the limit is that of each loop.
  public PoolServer serve(
      InetSocketAddress address,
      ListenOptions options,
      Spread spread,
      Handler<? super TcpStream> handler,
      ServeOptions serving)
      throws Exception {
    PoolServer server = new PoolServer(crew, address, options, spread, handler, serving);
    try {
      Map<PoolThread, PoolThread.Stay> first;
      do {
        first = crew.threadsToServe();
      } while (!server.open(first.keySet())); // all of them have left meanwhile
      crew.register(server, first);
    } catch (Throwable failed) {
      server.close();
      throw failed;
    }
    crew.grow();
    return server;
  }

  // ---- size

  /// Changes how many threads it has from now on. More are started when there are tasks for them, or a server. Of too
  /// many, those that have least to do go: each takes no more tasks, finishes those it has, and ends, unless
  /// the pool grows before. With none the tasks that nobody has taken wait.
  ///
  /// @throws IllegalArgumentException if that is negative
  public void resize(int newSize) {
    checkSize(newSize);
    crew.resize(newSize);
  }

  private static void checkSize(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("a pool cannot have " + size + " threads");
    }
  }

  // ---- the end

  /// Takes no more tasks, runs those it has, and waits until they have ended and the threads, too. If
  /// it has no thread, what nobody has taken is rejected. A coroutine is suspended meanwhile, a plain
  /// thread blocked.
  ///
  /// @throws IllegalStateException in a task of the pool, which would wait for itself
  @Override
  public void close() {
    if (current() == this) {
      throw new IllegalStateException("a task cannot close its own pool: it would wait for itself");
    }
    shut();
    crew.awaitEnd();
  }

  /// Takes no more tasks, rejects those that nobody has taken, and cancels the others, together with
  /// whatever else runs on its loops: what tasks have spawned, and connections. Does not wait: a
  /// [#close] does.
  public void cancel() {
    tasks.cancel();
    shut();
    crew.cancel();
  }

  private void shut() {
    tasks.line.close();
    crew.drain();
  }

  /// Whether it takes no more tasks: it was closed, or cancelled.
  public boolean isClosed() {
    return crew.isClosed();
  }

  // ---- looking inside

  /// What it has in hand now.
  public PoolStats stats() {
    return crew.stats();
  }

  @Override
  public String toString() {
    return crew.toString();
  }
}
