// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.net.Handler;
import dev.couv.net.ListenOptions;
import dev.couv.net.ServeOptions;
import dev.couv.net.TcpStream;
import dev.couv.strand.LoopLocal;
import dev.couv.strand.Suspension;
import dev.couv.sync.Chan;
import dev.couv.sync.Promise;
import dev.couv.sync.Transfer;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
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
  private static final System.Logger LOG = System.getLogger("dev.couv");
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /// The pool whose thread a loop runs on.
  static final LoopLocal<Membership> CURRENT = new LoopLocal<>(Membership::new);

  static final class Membership {
    @Nullable LoopPool pool;
  }

  private enum State {
    OPEN,
    DRAINING,
    ENDED
  }

  private final int number = NUMBERS.incrementAndGet();
  private final TaskLine queue = new TaskLine();
  private final Set<PoolTask<?>> tasks = ConcurrentHashMap.newKeySet();
  private final AtomicLong ended = new AtomicLong();

  /// Done when the last thread has left after a close.
  private final Promise<@Nullable Void> end = Promise.outside(() -> {});

  /// Guards what follows. Nobody waits under it, and no loop's thread takes it while it runs coroutines
  /// that could hold it: a thread of the pool does when it has closed its loop.
  private final Object lock = new Object();

  /// Those that take tasks.
  private final ArrayDeque<PoolThread> threads = new ArrayDeque<>();

  /// Those that take no more and have tasks left. They come back if the pool grows meanwhile; so there
  /// are never more threads than it was allowed at some time.
  private final ArrayDeque<PoolThread> leaving = new ArrayDeque<>();

  /// Changed under the lock or by a server that is closed.
  private final List<PoolServer> servers = new CopyOnWriteArrayList<>();

  /// All that have not ended: those, and the ones that leave.
  private final Set<PoolThread> alive = new LinkedHashSet<>();

  private State state = State.OPEN;
  private int size;
  private int started;

  private volatile boolean cancelled;

  /// Of the threads that have equally many connections.
  private int turn;

  private LoopPool(int size) {
    this.size = size;
  }

  /// A pool of so many threads, all started now. With none it only collects tasks.
  ///
  /// @throws IllegalArgumentException if that is negative
  public static LoopPool open(int threads) {
    checkSize(threads);
    LoopPool pool = new LoopPool(threads);
    boolean open = false;
    try {
      synchronized (pool.lock) {
        while (pool.threads.size() < threads) {
          pool.addThread();
        }
      }
      open = true;
    } finally {
      if (!open) {
        pool.cancel(); // there are not so many: those that were started end
      }
    }
    return pool;
  }

  /// The pool whose task is calling, or null.
  public static @Nullable LoopPool current() {
    if (!Suspension.isInCoroutine()) {
      return null;
    }
    Membership here = CURRENT.get("LoopPool.current");
    return here.pool;
  }

  // ---- tasks

  /// Runs the body in a coroutine on one of the threads. What it throws is what the promise throws, with
  /// the place of the submission suppressed in it. Cancelling the promise cancels the task: one that
  /// nobody has taken never runs.
  ///
  /// @throws ClosedException if the pool is closed
  public <T extends @Nullable Object> Promise<T> submit(Body<T> body) {
    PoolTask<T> task = new PoolTask<>(this, Objects.requireNonNull(body, "a task needs a body"));
    tasks.add(task);
    boolean queued = false;
    try {
      if (!queue.add(task)) {
        throw new ClosedException(this + " is closed");
      }
      grow();
      queued = true;
    } finally {
      if (!queued) {
        tasks.remove(task);
        task.withdraw();
      }
    }
    return task.promise();
  }

  /// Like [#submit(Body)], without a result.
  @SuppressWarnings("NullAway") // a body without a result has only null to return
  public Promise<@Nullable Void> submit(Action body) {
    Objects.requireNonNull(body, "a task needs a body");
    return submit(
        () -> {
          body.run();
          return null;
        });
  }

  /// Applies the function to each item, on the pool's threads, and waits for all: the results in the
  /// order of the items. The first failure, in that order, is thrown, and what has not ended is
  /// cancelled; so it is if the caller is cancelled.
  public <A, B extends @Nullable Object> List<B> map(
      Collection<? extends A> items, Promise.Step<? super A, ? extends B> function)
      throws Exception {
    Objects.requireNonNull(function, "function");
    List<Promise<B>> promises = new ArrayList<>(items.size());
    List<B> results = new ArrayList<>(items.size());
    try {
      for (A item : items) {
        promises.add(submit(() -> apply(function, item)));
      }
      for (Promise<B> promise : promises) {
        results.add(promise.await());
      }
      return results;
    } finally {
      promises.forEach(Promise::cancel); // those that are done do not mind
    }
  }

  /// In a task.
  static <A, B extends @Nullable Object> B apply(
      Promise.Step<? super A, ? extends B> function, A item) throws Exception {
    Transfer.checkTaken(item, "a pool");
    return function.apply(item);
  }

  /// Likewise, but the results come as they are ready, through a channel that is closed after the last.
  /// A failure closes it for that reason, and cancels what has not ended. If the receiver closes it, items
  /// whose turn has not come are passed over.
  public <A, B> Chan<B> mapUnordered(
      Collection<? extends A> items, Promise.Step<? super A, ? extends B> function) {
    Objects.requireNonNull(items, "items");
    Objects.requireNonNull(function, "function");
    Mapping<B> mapping = new Mapping<>();
    try {
      for (A item : items) {
        mapping.add(submit(() -> mapping.result(item, function)));
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

  /// Likewise, with options.
  public PoolServer serve(
      InetSocketAddress address, ListenOptions options, Handler<? super TcpStream> handler)
      throws Exception {
    return serve(address, options, Spread.best(), handler);
  }

  /// Likewise, and says how connections come to the loops.
  public PoolServer serve(
      InetSocketAddress address,
      ListenOptions options,
      Spread spread,
      Handler<? super TcpStream> handler)
      throws Exception {
    return serve(address, options, spread, handler, ServeOptions.DEFAULT);
  }

  /// Likewise, with options of serving: the limit is that of each loop.
  public PoolServer serve(
      InetSocketAddress address,
      ListenOptions options,
      Spread spread,
      Handler<? super TcpStream> handler,
      ServeOptions serving)
      throws Exception {
    PoolServer server = new PoolServer(this, address, options, spread, handler, serving);
    boolean open = false;
    try {
      Map<PoolThread, Integer> first;
      do {
        first = threadsToServe();
      } while (!server.open(first.keySet())); // all of them have left meanwhile
      register(server, first);
      open = true;
    } finally {
      if (!open) {
        server.close();
      }
    }
    grow();
    return server;
  }

  /// Each with how often it has left so far.
  private Map<PoolThread, Integer> threadsToServe() {
    synchronized (lock) {
      checkOpen();
      if (threads.isEmpty() && size > 0) {
        addThread(); // a smaller pool has grown, and no task has come since
      }
      if (threads.isEmpty()) {
        throw new IllegalStateException(this + " has no thread to serve on");
      }
      Map<PoolThread, Integer> found = new LinkedHashMap<>();
      threads.forEach(thread -> found.put(thread, thread.departures()));
      return found;
    }
  }

  /// From now on it hears of threads that come and go. Some may have done so since it was opened on the
  /// first.
  private void register(PoolServer server, Map<PoolThread, Integer> first) {
    synchronized (lock) {
      checkOpen();
      servers.add(server);
      first.forEach(
          (thread, departures) -> {
            if (thread.departures() != departures || !threads.contains(thread)) {
              server.dismiss(thread);
            }
          });
      threads.forEach(server::join);
    }
  }

  /// The thread listens no more; where only one did, another takes over. Under the lock.
  private void dismiss(PoolThread thread) {
    for (PoolServer server : servers) {
      server.dismiss(thread);
      if (!threads.isEmpty()) {
        server.join(threads.getFirst());
      }
    }
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw new ClosedException(this + " is closed");
    }
  }

  /// A server was closed. All threads that may have connections of it.
  List<PoolThread> forget(PoolServer server) {
    servers.remove(server);
    synchronized (lock) {
      return List.copyOf(alive);
    }
  }

  boolean hasThread(Predicate<PoolThread> fitting) {
    synchronized (lock) {
      return threads.stream().anyMatch(fitting);
    }
  }

  /// Of the threads that have room the one with the fewest connections; equals take turns. Null if none has.
  @Nullable PoolThread leastServing(Predicate<PoolThread> hasRoom) {
    synchronized (lock) {
      List<PoolThread> roomy = new ArrayList<>(threads);
      Collections.rotate(roomy, turn++);
      roomy.removeIf(hasRoom.negate());
      return roomy.isEmpty()
          ? null
          : Collections.min(roomy, Comparator.comparingInt(thread -> thread.connections.get()));
    }
  }

  // ---- size

  /// So many threads from now on. More are started when there are tasks for them, or a server. Of too
  /// many, those that have least to do go: each takes no more tasks, finishes those it has, and ends, unless
  /// the pool grows before. With none the tasks that nobody has taken wait.
  ///
  /// @throws IllegalArgumentException if that is negative
  public void resize(int newSize) {
    checkSize(newSize);
    synchronized (lock) {
      size = newSize;
      while (threads.size() > size) {
        PoolThread idlest = idlest();
        threads.remove(idlest);
        leaving.add(idlest);
        idlest.leave();
        dismiss(idlest);
      }
    }
    grow();
  }

  /// The one with the fewest tasks and connections; the youngest of equals. Under the lock.
  private PoolThread idlest() {
    IdentityHashMap<Loop, Integer> load = new IdentityHashMap<>();
    for (PoolTask<?> task : tasks) {
      Loop taker = task.loop();
      if (taker != null) {
        load.merge(taker, 1, Integer::sum);
      }
    }
    return Collections.min(
        threads.reversed(),
        Comparator.comparingInt(
            thread -> thread.connections.get() + load.getOrDefault(thread.loop(), 0)));
  }

  private static void checkSize(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("a pool cannot have " + size + " threads");
    }
  }

  /// Starts a thread for each task that nobody has taken, as far as the size goes; all for a server.
  private void grow() {
    if (queue.size() == 0 && servers.isEmpty()) {
      return;
    }
    synchronized (lock) {
      int wanted = servers.isEmpty() ? Math.min(size, threads.size() + queue.size()) : size;
      while (state != State.ENDED && threads.size() < wanted) {
        if (!tryAddThread()) {
          return;
        }
      }
    }
  }

  /// False if there is none more to be had, and those that are there have to do.
  private boolean tryAddThread() {
    try {
      addThread();
      return true;
    } catch (RuntimeException | Error none) {
      if (threads.isEmpty()) {
        throw none;
      }
      LOG.log(Level.WARNING, this + " cannot have more than " + threads.size() + " threads", none);
      return false;
    }
  }

  private void addThread() {
    PoolThread called = leaving.pollLast();
    PoolThread thread = called == null ? newThread() : called;
    if (called != null) {
      called.comeBack();
    }
    threads.add(thread);
    servers.forEach(server -> server.join(thread));
  }

  private PoolThread newThread() {
    PoolThread thread = new PoolThread(this, queue, "couv-pool-" + number + "-" + (started + 1));
    thread.start(); // its end is told under the lock
    started++;
    alive.add(thread);
    return thread;
  }

  /// Whether a thread that has nothing left may end. Not if it was called back.
  boolean mayLeave(PoolThread thread) {
    synchronized (lock) {
      if (thread.wasCalledBack()) {
        return false;
      }
      threads.remove(thread);
      leaving.remove(thread);
      return true;
    }
  }

  /// A thread of the pool has ended, and its loop is closed.
  void left(PoolThread thread) {
    synchronized (lock) {
      threads.remove(thread);
      leaving.remove(thread);
      alive.remove(thread);
      dismiss(thread);
    }
    finishIfDone();
    growIfPossible(); // if it did not leave, but broke
  }

  /// After a task has come that nobody waits for.
  void growIfPossible() {
    try {
      grow();
    } catch (RuntimeException | Error none) {
      LOG.log(Level.WARNING, this + " has no thread for its tasks", none);
    }
  }

  /// A task was cancelled: if nobody has taken it, nothing of it is left.
  void withdrawn(PoolTask<?> task) {
    if (queue.remove(task)) {
      ended(task);
    }
  }

  /// A task is over.
  void ended(PoolTask<?> task) {
    if (tasks.remove(task)) {
      ended.incrementAndGet();
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
    try {
      end.await();
    } catch (RuntimeException | Error passed) {
      throw passed;
    } catch (Exception interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Takes no more tasks, rejects those that nobody has taken, and cancels the others, together with
  /// whatever else runs on its loops: what tasks have spawned, and connections. Does not wait: a
  /// [#close] does.
  public void cancel() {
    cancelled = true;
    queue.close();
    reject("the pool was cancelled");
    shut();
    List<PoolThread> all;
    synchronized (lock) {
      all = List.copyOf(alive);
    }
    all.forEach(PoolThread::cancel);
  }

  /// Whether nothing is to begin any more.
  boolean isCancelled() {
    return cancelled;
  }

  private void shut() {
    queue.close();
    growIfPossible(); // for a task that came just now, before its submitter could
    List<PoolThread> all;
    synchronized (lock) {
      all = List.copyOf(alive);
      if (state == State.OPEN) {
        state = State.DRAINING;
      }
    }
    servers.forEach(PoolServer::close);
    all.forEach(PoolThread::stopServing);
    finishIfDone();
  }

  /// After a close, when the last thread has left, if there was one.
  @SuppressWarnings("NullAway") // there is only null to complete it with
  private void finishIfDone() {
    synchronized (lock) {
      if (state != State.DRAINING || !alive.isEmpty()) {
        return;
      }
      state = State.ENDED;
    }
    reject("the pool was closed");
    end.complete(null);
  }

  private void reject(String why) {
    for (PoolTask<?> task : queue.drain()) {
      task.reject(why);
    }
  }

  // ---- looking inside

  /// What it has in hand now.
  public PoolStats stats() {
    int running = 0;
    int pending = 0;
    int suspended = 0;
    int all = 0;
    for (PoolTask<?> task : tasks) {
      all++;
      Coroutine<?> coroutine = task.coroutine();
      if (coroutine == null) {
        pending++;
        continue;
      }
      switch (coroutine.status()) {
        case RUNNING, NORMAL, DONE, FAILED, CANCELLED -> running++;
        case READY, CREATED -> pending++;
        case SUSPENDED -> suspended++;
      }
    }
    synchronized (lock) {
      return new PoolStats(size, alive.size(), all, running, pending, suspended, ended.get());
    }
  }

  @Override
  public String toString() {
    return "pool " + number;
  }
}
