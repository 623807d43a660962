// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.error.ClosedException;
import dev.couv.net.Served;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.sync.Promise;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One thread of a pool and its loop. A coroutine there, the taker, takes the next task when all that
/// is ready on the loop has had its turn, so that a thread that is busy leaves tasks to the others.
final class PoolThread {
  private final LoopPool pool;
  private final TaskLine queue;
  private final Thread thread;
  private final Loop loop;

  /// How many connections of servers it has, and of each.
  final AtomicInteger connections = new AtomicInteger();

  private final Map<PoolServer, AtomicInteger> loads = new ConcurrentHashMap<>();

  private volatile boolean leaving;

  /// Is broken when it leaves, and takes the taker away from the queue in that same moment: a task that
  /// comes later does not find it there. Written under the pool's lock.
  private volatile Promise<PoolTask<?>> departure = unbroken();

  /// How often it has left. Written under the pool's lock.
  private final AtomicInteger departures = new AtomicInteger();

  /// Guarded by the pool's lock.
  private boolean calledBack;

  /// Whether the loop has still to look whether it leaves: one post does for any number of changes.
  private final AtomicBoolean changed = new AtomicBoolean();

  // Loop only: how often it has left, as far as the loop has heard, and whether it takes tasks.
  private int knownDepartures;
  private boolean takes = true;

  /// Written by the loop; read there.
  private @Nullable Coroutine<?> taker;

  /// Loop only.
  private final IdentityHashMap<PoolServer, TcpListener> servers = new IdentityHashMap<>(0);

  /// Loop only: the connections of each server, also those that were handed over.
  private final IdentityHashMap<PoolServer, Served<TcpStream>> served = new IdentityHashMap<>(0);

  PoolThread(LoopPool pool, TaskLine queue, String name) {
    this.pool = pool;
    this.queue = queue;
    thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    loop = Loop.open();
  }

  /// Throws if the system has no thread for it: then it has ended.
  void start() {
    boolean started = false;
    try {
      thread.start();
      started = true;
    } finally {
      if (!started) {
        loop.close();
      }
    }
  }

  Loop loop() {
    return loop;
  }

  private void run() {
    try (loop) {
      startTaker();
      do {
        loop.run(Mode.LOOP);
      } while (!pool.mayLeave(this));
    } finally {
      pool.left(this);
    }
  }

  private void startTaker() {
    loop.spawn(
        () -> {
          if (taker != null) {
            taker.cancel("another takes its place"); // it was called back before it had begun
          }
          taker = Coroutine.current().named("taker of " + pool);
          LoopPool.CURRENT.get("a task").pool = pool;
          take();
        });
  }

  private void take() throws Exception {
    while (!leaving) {
      PoolTask<?> task;
      try {
        task = Await.any(departure, queue);
      } catch (ClosedException leavingOrDrained) {
        return;
      }
      if (leaving && handedBack(task)) {
        return;
      }
      task.start(loop);
      Coroutine.pause();
    }
  }

  private static Promise<PoolTask<?>> unbroken() {
    return new Promise<PoolTask<?>>().ignore();
  }

  /// It left just when the task came, which goes where it was in the queue. False if the pool is closed: then what it has is to be run.
  private boolean handedBack(PoolTask<?> task) {
    if (!queue.handBack(task)) {
      return false;
    }
    pool.growIfPossible();
    return true;
  }

  /// Takes no more; what it has it finishes. Under the pool's lock.
  void leave() {
    leaving = true;
    departure.fail(new ClosedException("the thread leaves"));
    departures.incrementAndGet();
    postChange();
  }

  /// Takes tasks again. Under the pool's lock, after [#leave].
  void comeBack() {
    departure = unbroken();
    leaving = false;
    calledBack = true;
    postChange();
  }

  private void postChange() {
    if (!changed.getAndSet(true)) {
      post(this::change);
    }
  }

  /// It has left, or come back, or both, any number of times.
  private void change() {
    changed.set(false); // what comes from now on is posted again
    int left = departures.get();
    if (left != knownDepartures) {
      knownDepartures = left;
      takes = false;
      if (taker != null) {
        taker.cancel("the pool has become smaller");
      }
      closeListeners();
    }
    if (!leaving && !takes) {
      takes = true;
      startTaker();
    }
  }

  /// Since it was last asked. Under the pool's lock.
  boolean wasCalledBack() {
    boolean was = calledBack;
    calledBack = false;
    return was;
  }

  /// How often it has left. Under the pool's lock.
  int departures() {
    return departures.get();
  }

  /// Nothing begins here any more, and what runs is cancelled: tasks, what they have spawned,
  /// connections. Any thread.
  void cancel() {
    post(() -> Coroutine.current().scope().cancel());
  }

  // ---- servers

  /// Loop thread.
  boolean serves(PoolServer server) {
    return servers.containsKey(server);
  }

  /// False if it is about to leave. Loop thread.
  boolean serves(PoolServer server, TcpListener listener) {
    if (leaving) {
      return false;
    }
    TcpListener earlier = servers.put(server, listener);
    if (earlier != null) {
      earlier.close(); // it has left and come back meanwhile
    }
    return true;
  }

  /// Loop thread.
  Served<TcpStream> served(PoolServer server) {
    return served.computeIfAbsent(server, each -> each.served(this));
  }

  /// So many connections more: how many it has now of that server. Any thread, also that of a loop: which takes
  /// no lock here, because the first to come is a coroutine.
  int counted(PoolServer server, int change) {
    connections.addAndGet(change);
    AtomicInteger load = loads.get(server);
    if (load == null && change >= 0) {
      load = loads.computeIfAbsent(server, _ -> new AtomicInteger());
    }
    return load == null ? 0 : load.addAndGet(change);
  }

  /// Whoever waits to accept for it sees whether there is room. On its loop.
  void lookAgain(PoolServer server) {
    Served<TcpStream> accepting = served.get(server);
    if (accepting != null) {
      accepting.changed();
    }
  }

  /// Accepts no more for it, and ends the connections that it has. Any thread.
  void stopServing(PoolServer server) {
    post(
        () -> {
          TcpListener listener = servers.remove(server);
          if (listener != null) {
            listener.close();
          }
          Served<TcpStream> left = served.remove(server);
          if (left != null) {
            left.end();
            loads.remove(server);
          }
        });
  }

  /// Likewise, for all servers. Any thread.
  void stopServing() {
    post(
        () -> {
          closeListeners();
          served.keySet().forEach(this::stopServing);
        });
  }

  private void closeListeners() {
    servers.values().forEach(TcpListener::close);
    servers.clear();
  }

  /// In a coroutine of its loop, unless that is gone. Any thread.
  void post(Runnable task) {
    try {
      loop.post(task);
    } catch (ClosedException gone) {
      return; // and with it everything it had
    }
  }
}
