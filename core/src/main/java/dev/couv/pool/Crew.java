// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.error.ClosedException;
import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.Exhibit;
import dev.couv.loop.Exhibits;
import dev.couv.loop.Transition;
import dev.couv.sync.Promise;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The threads of a pool: how many there are, who comes and who goes, and which servers hear of it. Any thread.
final class Crew implements Exhibit {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  /// ```
  ///        the pool is closed             the last thread has ended
  ///   OPEN ──────────────────▶ DRAINING ─────────────────────────────▶ ENDED
  /// ```
  @CheckReturnValue
  private enum State {
    OPEN,
    DRAINING,
    ENDED;

    State drain() {
      return this == OPEN ? DRAINING : this;
    }

    State end() {
      return Transition.require(this, this == DRAINING, "end", ENDED);
    }
  }

  private final int number;
  private final PoolTasks tasks;
  private final LoopOptions options;
  private final Runnable arrival;

  /// Done when the last thread has ended after a close.
  private final Promise<@Nullable Void> end = Promise.outside(() -> {});

  /// Changed under the lock or by a server that is closed.
  private final List<PoolServer> servers = new CopyOnWriteArrayList<>();

  /// Guards what follows. Nobody waits under it, and no loop's thread takes it while it runs coroutines
  /// that could hold it: a thread of the pool does when it has closed its loop.
  private final Object lock = new Object();

  /// Those that take tasks.
  private final ArrayDeque<PoolThread> threads = new ArrayDeque<>();

  /// Those that take no more and have tasks left. They come back if the pool grows meanwhile; so there
  /// are never more threads than it was allowed at some time.
  private final ArrayDeque<PoolThread> leaving = new ArrayDeque<>();

  /// All that have not ended: those, and the ones that leave.
  private final Set<PoolThread> alive = new LinkedHashSet<>();

  private State state = State.OPEN;
  private int size;
  private int started;

  /// Whether there are as many as there may be. Written under the lock; read without, by everybody who submits.
  private volatile boolean complete;

  /// Of the threads that have equally many connections.
  private int turn;

  /// Of the pool with that number; all its loops have these options, and `arrival` runs in each coroutine that takes tasks, before it does.
  Crew(int number, PoolTasks tasks, LoopOptions options, Runnable arrival) {
    this.number = number;
    this.tasks = tasks;
    this.options = options;
    this.arrival = arrival;
    Exhibits.show(this);
  }

  /// So many threads from the beginning.
  void start(int threadCount) {
    synchronized (lock) {
      size = threadCount;
      count();
      while (threads.size() < threadCount) {
        addThread();
      }
    }
  }

  void arrived() {
    arrival.run();
  }

  // ---- size

  void resize(int newSize) {
    synchronized (lock) {
      size = newSize;
      while (threads.size() > size) {
        PoolThread idlest = idlest();
        threads.remove(idlest);
        leaving.add(idlest);
        idlest.leave();
        dismiss(idlest);
      }
      count();
    }
    grow();
  }

  /// After each change of the size or the threads. Under the lock.
  private void count() {
    complete = threads.size() >= size;
  }

  /// The one with the fewest tasks and connections; the youngest of equals. Under the lock.
  private PoolThread idlest() {
    IdentityHashMap<Loop, Integer> load = tasks.loads();
    return Collections.min(
        threads.reversed(),
        Comparator.comparingInt(
            thread -> thread.connections() + load.getOrDefault(thread.loop, 0)));
  }

  /// Starts a thread for each task that nobody has taken, as far as the size goes; all for a server.
  void grow() {
    if (complete || (tasks.line.size() == 0 && servers.isEmpty())) {
      return;
    }
    synchronized (lock) {
      int wanted = servers.isEmpty() ? Math.min(size, threads.size() + tasks.line.size()) : size;
      while (state != State.ENDED && threads.size() < wanted) {
        if (!tryAddThread()) {
          return;
        }
      }
    }
  }

  /// After a task has come that nobody waits for.
  void growIfPossible() {
    try {
      grow();
    } catch (RuntimeException | Error none) {
      LOG.log(Level.WARNING, this + " has no thread for its tasks", none);
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
    count();
    servers.forEach(server -> server.join(thread));
  }

  private PoolThread newThread() {
    PoolThread thread =
        new PoolThread(this, options, tasks.line, "couv-pool-" + number + "-" + (started + 1));
    thread.start(); // its end is told under the lock
    started++;
    alive.add(thread);
    return thread;
  }

  /// Whether a thread that has nothing left may end. Not if it was called back.
  boolean mayEnd(PoolThread thread) {
    synchronized (lock) {
      if (thread.isCalledBack()) {
        return false;
      }
      threads.remove(thread);
      count(); // before the line is looked at once more: see ended
      leaving.remove(thread);
      return true;
    }
  }

  /// A thread has ended, and its loop is closed.
  void ended(PoolThread thread) {
    synchronized (lock) {
      threads.remove(thread);
      count(); // before the line is looked at once more: see ended
      leaving.remove(thread);
      alive.remove(thread);
      dismiss(thread);
    }
    finishIfDone();
    growIfPossible(); // it may have broken, or somebody took it for one that takes tasks
  }

  // ---- servers

  /// Those that a new server begins on, each with the stay that it has now.
  ///
  /// @throws IllegalStateException if there is none
  Map<PoolThread, PoolThread.Stay> threadsToServe() {
    synchronized (lock) {
      checkOpen();
      if (threads.isEmpty() && size > 0) {
        addThread(); // a smaller pool has grown, and no task has come since
      }
      if (threads.isEmpty()) {
        throw new IllegalStateException(this + " has no thread to serve on");
      }
      Map<PoolThread, PoolThread.Stay> found = new LinkedHashMap<>();
      threads.forEach(thread -> found.put(thread, thread.stay()));
      return found;
    }
  }

  /// From now on the server hears of threads that come and go. Some may have done so since it was opened on the
  /// first.
  void register(PoolServer server, Map<PoolThread, PoolThread.Stay> first) {
    synchronized (lock) {
      checkOpen();
      servers.add(server);
      first.forEach(
          (thread, stay) -> {
            if (stay.isOver() || !threads.contains(thread)) {
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

  /// A server was closed. All threads that may have connections of it.
  List<PoolThread> forget(PoolServer server) {
    servers.remove(server);
    return alive();
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
          : Collections.min(roomy, Comparator.comparingInt(PoolThread::connections));
    }
  }

  // ---- the end

  private void checkOpen() {
    if (state != State.OPEN) {
      throw new ClosedException(this + " is closed");
    }
  }

  boolean isClosed() {
    synchronized (lock) {
      return state != State.OPEN;
    }
  }

  /// No more tasks come: each thread ends when it has nothing left. Servers are closed.
  void drain() {
    growIfPossible(); // for a task that came just now, before its submitter could
    List<PoolThread> all;
    synchronized (lock) {
      all = alive();
      state = state.drain();
    }
    servers.forEach(PoolServer::close);
    all.forEach(PoolThread::stopServing);
    finishIfDone();
  }

  /// Everything that runs on the threads is cancelled.
  void cancel() {
    alive().forEach(PoolThread::cancel);
  }

  /// After [#drain], when the last thread has ended, if there was one.
  @SuppressWarnings("NullAway") // there is only null to complete it with
  private void finishIfDone() {
    synchronized (lock) {
      if (state != State.DRAINING || !alive.isEmpty()) {
        return;
      }
      state = state.end();
    }
    tasks.reject("the pool was closed");
    end.complete(null);
  }

  /// Waits until the last thread has ended. A coroutine is suspended meanwhile, a plain thread blocked.
  void awaitEnd() {
    try {
      end.await();
    } catch (RuntimeException | Error passed) {
      throw passed;
    } catch (Exception interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- looking

  private List<PoolThread> alive() {
    synchronized (lock) {
      return List.copyOf(alive);
    }
  }

  PoolStats stats() {
    int threadCount;
    int wanted;
    synchronized (lock) {
      threadCount = alive.size();
      wanted = size;
    }
    return tasks.stats(wanted, threadCount);
  }

  @Override
  public String kind() {
    return "pool";
  }

  @Override
  public Map<String, Object> figures() {
    PoolStats now = stats();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("pending", now.pending());
    figures.put("running", now.running());
    figures.put("suspended", now.suspended());
    figures.put("threads", now.threads());
    figures.put("ended", now.ended());
    return figures;
  }

  @Override
  public String toString() {
    return "pool " + number;
  }
}
