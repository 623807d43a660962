// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Mode;
import dev.couv.error.ClosedException;
import dev.couv.loop.Undo;
import dev.couv.sync.Promise;
import dev.couv.world.LoopThreads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// One thread of a pool and its loop. A coroutine there, the taker, takes the next task when all that
/// is ready on the loop has had its turn, so that a thread that is busy leaves tasks to the others.
///
/// It comes and goes in stays: when it is to leave, its stay is over, and a new one begins if it is called back
/// before it has ended. Each stay has a taker of its own.
final class PoolThread implements LoopThreads.Member {
  /// From when it comes, or is called back, until it is to leave.
  static final class Stay {
    /// Is broken when it leaves, and takes the taker away from the line in that same moment: a task that
    /// comes later does not find it there.
    private final Promise<PoolTask<?>> end = new Promise<PoolTask<?>>().ignore();

    boolean isOver() {
      return end.isDone();
    }
  }

  private final Crew crew;
  private final TaskLine line;
  private final LoopThreads threads;
  private final String name;
  final Loop loop;

  /// What each server has here.
  private final Map<PoolServer, Station> stations = new ConcurrentHashMap<>();

  /// Written under the crew's lock.
  private volatile Stay stay = new Stay();

  /// The last stay that the loop has heard of. Loop only.
  private Stay known = stay;

  /// Whether the loop has still to hear of it: one post does for any number of changes.
  private final AtomicBoolean changed = new AtomicBoolean();

  PoolThread(Crew crew, LoopOptions options, TaskLine line, String name) {
    this.crew = crew;
    this.line = line;
    threads = options.world().threads();
    this.name = name;
    loop = Loop.open(options);
  }

  /// Throws if the system has no thread for it: then it has ended.
  void start() {
    Undo.unless(() -> threads.start(name, this), loop::close);
  }

  @Override
  public void liveOnThisThread() {
    try {
      begin();
      do {
        loop.run(Mode.LOOP);
      } while (!crew.mayEnd(this));
    } finally {
      end();
    }
  }

  @Override
  public void begin() {
    startTaker(known);
  }

  @Override
  public boolean turn() {
    return loop.run(Mode.READY) || !crew.mayEnd(this);
  }

  @Override
  public void end() {
    try {
      loop.close();
    } finally {
      crew.ended(this);
    }
  }

  // ---- taking tasks

  private void startTaker(Stay here) {
    loop.spawn(
            () -> {
              crew.arrived();
              take(here);
            })
        .named("taker of " + crew);
  }

  private void take(Stay here) throws Exception {
    while (!here.isOver()) {
      PoolTask<?> task = line.poll();
      if (task == null) {
        try {
          task = Await.any(here.end, line);
        } catch (ClosedException leavingOrDrained) {
          return;
        }
      }
      if (here.isOver() && handedBack(task)) {
        return;
      }
      task.start(loop);
      Coroutine.pause();
    }
  }

  /// It left just when the task came, which goes where it was in the line. False if the pool is closed: then
  /// what it has is to be run.
  private boolean handedBack(PoolTask<?> task) {
    if (!line.handBack(task)) {
      return false;
    }
    crew.growIfPossible();
    return true;
  }

  // ---- coming and going

  Stay stay() {
    return stay;
  }

  /// Takes no more; what it has it finishes. Under the crew's lock.
  void leave() {
    stay.end.fail(new ClosedException("the thread leaves"));
    postChange();
  }

  /// Takes tasks again. Under the crew's lock, after [#leave].
  void comeBack() {
    stay = new Stay();
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
    Stay now = stay;
    if (known.isOver()) {
      stations.values().forEach(Station::stopListening);
    }
    if (now != known && !now.isOver()) {
      known = now;
      startTaker(now);
    }
  }

  /// Whether it was called back, and its loop has not heard of that. On its own thread, under the crew's lock.
  boolean isCalledBack() {
    return stay != known && !stay.isOver();
  }

  /// Nothing begins here any more, and what runs is cancelled: tasks, what they have spawned,
  /// connections. Any thread.
  void cancel() {
    post(() -> Coroutine.current().scope().cancel());
  }

  // ---- servers

  /// What the server has here. In a coroutine, or where it is known to be there: a loop's thread takes no lock.
  Station station(PoolServer server) {
    Station known = stations.get(server);
    return known != null ? known : stations.computeIfAbsent(server, PoolServer::station);
  }

  /// How many connections of the server it has. Any thread.
  int load(PoolServer server) {
    Station station = stations.get(server);
    return station == null ? 0 : station.load();
  }

  /// How many connections of open servers it has. Any thread.
  int connections() {
    int sum = 0;
    for (Station station : stations.values()) {
      sum += station.load();
    }
    return sum;
  }

  /// Whoever waits here to accept for it sees whether there is room. Any thread.
  void lookAgain(PoolServer server) {
    post(
        () -> {
          Station station = stations.get(server);
          if (station != null) {
            station.lookAgain();
          }
        });
  }

  /// Accepts no more for it, and ends the connections that it has. Any thread.
  void stopServing(PoolServer server) {
    post(
        () -> {
          Station station = stations.remove(server);
          if (station != null) {
            station.end();
          }
        });
  }

  /// Accepts no more for any server, and ends all connections. Any thread.
  void stopServing() {
    post(() -> stations.values().forEach(Station::end));
  }

  /// In a coroutine of its loop, unless that is gone. Any thread.
  @Override
  public void post(Runnable task) {
    try {
      loop.post(task);
    } catch (ClosedException gone) {
      return; // and with it everything it had
    }
  }
}
