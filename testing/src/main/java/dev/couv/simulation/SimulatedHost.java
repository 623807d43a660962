// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Mode;
import dev.couv.memory.Entropy;
import dev.couv.memory.MemoryProcess;
import dev.couv.memory.Node;
import dev.couv.memory.Runner;
import dev.couv.signal.Signal;
import dev.couv.world.LoopThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A machine of a simulation, and the program on it: one loop for each of its lives, those of the program's pools, and of the
/// children it starts.
///
/// ```
///            start                body ends
///   DOWN ───────────▶ RUNNING ───────────────▶ DOWN
///    ▲                 │   ▲
///    │ crash     pause │   │ resume
///    └─────────────────▼───┴── PAUSED
/// ```
final class SimulatedHost implements Runner {
  enum State {
    DOWN,
    RUNNING,
    /// Its program stands still; its clock and its system go on.
    PAUSED
  }

  /// So often it may have turns at one moment before that counts as standing still.
  private static final int MOST_TURNS = 1_000_000;

  private static final long MOST_PATIENCE = 5_000_000_000L;

  /// What keeps the orders of its processes apart.
  private static final long CHILD_SHUFFLE = 0x9E3779B97F4A7C15L;

  private final Node node;
  private final Action body;
  private final boolean client;
  private final long shuffle;
  private final SimulatedDisk disk;
  private final Outsiders outsiders;

  /// As long as the machine is there.
  private final HostClock machineClock;

  /// Of the present life.
  private HostClock clock;

  private State state = State.DOWN;
  private int lives;
  private @Nullable Loop loop;

  /// The program's own, and behind it those of its pools.
  private final List<HostLoop> loops = new ArrayList<>();

  /// What its programs have started, and has not ended.
  private final List<ChildRun> children = new ArrayList<>();

  private @Nullable MemoryProcess main;

  /// Which of several loops is first; there is none before there is a pool or a child.
  private @Nullable Entropy order;

  private @Nullable CompletableFuture<?> end;

  /// Those of each process that runs, in the order they came.
  private final Map<MemoryProcess, Offloads> offloads = new LinkedHashMap<>();

  /// When it is next looked at without anything happening to it; of the simulation's time.
  private long wakes = Long.MAX_VALUE;

  /// One of its coroutines did, however short: its thread may be slow to look, so it is noted when it happens.
  private boolean waitedInRealTime;

  SimulatedHost(
      Node node, Action body, boolean client, long shuffle, HostClock clock, Outsiders outsiders) {
    this.node = node;
    this.body = body;
    this.client = client;
    this.shuffle = shuffle;
    this.clock = clock;
    this.outsiders = outsiders;
    machineClock = clock.again();
    node.runner(this);
    disk = new SimulatedDisk(node.entropy().split());
    node.disk().trouble(disk);
  }

  SimulatedDisk disk() {
    return disk;
  }

  Node node() {
    return node;
  }

  String name() {
    return node.name();
  }

  boolean isClient() {
    return client;
  }

  State state() {
    return state;
  }

  HostClock clock() {
    return machineClock;
  }

  // ---- its lives

  void start() {
    lives++;
    clock = clock.again();
    MemoryProcess started = node.boot();
    main = started;
    Loop opened = open(started, clock);
    loop = opened;
    state = State.RUNNING;
    wakes = Long.MAX_VALUE;
    HostLoop first = new HostLoop(started, waits -> step(opened, waits), () -> end(opened));
    loops.add(first);
    end =
        opened.submit(
            () -> {
              first.begun(outsiders);
              Loop.run(this::live);
            });
  }

  private Loop open(MemoryProcess process, HostClock time) {
    process.threads((loopName, member) -> join(process, loopName, member));
    Offloads calls = new Offloads();
    offloads.put(process, calls);
    process.callOrder(calls::inOrder);
    return Loop.open(
        LoopOptions.DEFAULT
            .withTime(time)
            .withWorld(process.world())
            .withShuffle(shuffle + lives + CHILD_SHUFFLE * process.pid()));
  }

  /// What its code meets while it unwinds after a crash is nobody's.
  private void live() throws Exception {
    try {
      body.run();
    } catch (Exception met) {
      if (state != State.DOWN) {
        throw met;
      }
    }
  }

  private static boolean step(Loop running, boolean waits) {
    running.run(waits ? Mode.STEP : Mode.READY);
    return true; // it ends with the host
  }

  /// Nothing is protected from that.
  private static void end(Loop ending) {
    ending.shutdown(Duration.ZERO);
    ending.close();
  }

  /// A pool of the program has another loop.
  private void join(MemoryProcess process, String loopName, LoopThreads.Member member) {
    if (process.isOver()) {
      throw new IllegalStateException(name() + " is down: no thread for " + loopName);
    }
    add(HostLoop.of(process, member, outsiders));
  }

  private void add(HostLoop more) {
    if (order == null) {
      order = node.entropy().split();
    }
    loops.add(more);
  }

  // ---- what its programs start

  @Override
  public void run(MemoryProcess process, Main program) {
    HostClock time = clock.again();
    Loop opened = open(process, time);
    ChildRun run = new ChildRun(process, opened, time);
    add(run.begin(program, outsiders));
    children.add(run);
  }

  @Override
  public void end(MemoryProcess process) {
    endLoops(process);
    children.removeIf(run -> run.process() == process);
  }

  /// A child that has ended by itself tells so when its loop has.
  private void settleChildren() {
    for (ChildRun run : List.copyOf(children)) {
      if (run.isOver()) {
        children.remove(run);
        endLoops(run.process()); // those of its pools
        run.settle();
      }
    }
  }

  /// Cut off from everything, its code unwinds.
  void crash() {
    if (state != State.DOWN || !loops.isEmpty()) {
      node.crash();
      close();
      children.forEach(run -> endLoops(run.process()));
      children.clear();
    }
  }

  /// Its program is ended at once; its system goes on, and closes what it had open.
  void kill() {
    if (state != State.DOWN && main != null) {
      main.ended(0, Signal.KILL.name());
      close();
    }
  }

  /// Its program has ended: what it has open is closed as the system of a machine does, and others see that.
  void ended() {
    MemoryProcess ending = main;
    close();
    if (ending != null) {
      ending.ended(0, null);
    }
  }

  /// What it has started goes on, if there is power.
  private void close() {
    clock.cutOff();
    state = State.DOWN;
    loop = null;
    if (main != null) {
      endLoops(main);
    }
  }

  private void endLoops(MemoryProcess process) {
    Offloads calls = offloads.remove(process);
    if (calls != null) {
      calls.end();
    }
    for (ChildRun run : children) {
      if (run.process() == process) {
        run.cutOff();
      }
    }
    for (HostLoop each : List.copyOf(loops)) {
      if (each.process() == process) {
        loops.remove(each);
        each.end();
        process.lose(); // what its pools wait for; the program itself has ended
      }
    }
  }

  /// Whether anything of it has turns now.
  boolean isTurning() {
    return state == State.RUNNING || (state == State.DOWN && !loops.isEmpty());
  }

  void pause() {
    state = state == State.RUNNING ? State.PAUSED : state;
  }

  void resume() {
    state = state == State.PAUSED ? State.RUNNING : state;
  }

  // ---- its turns

  /// Runs until nothing is left to do at this moment: how many turns that took.
  int run() {
    int turns = 0;
    do {
      turnAll();
      turns++;
      if (turns > MOST_TURNS) {
        throw new IllegalStateException(
            name() + " has had a million turns at one moment: something runs and never waits");
      }
    } while ((!isOver() || state == State.DOWN) && (isBusy() || makeCall()));
    return turns;
  }

  private void turnAll() {
    for (HostLoop each : inOrder()) {
      Offloads later = offloads.get(each.process());
      if (later != null) {
        each.turn(later);
        waitedInRealTime |= each.hasWaitedInRealTime();
      }
    }
    loops.removeIf(HostLoop::isOver);
    settleChildren();
  }

  /// Has one call made on another thread, now that nothing else is left to do.
  private boolean makeCall() {
    for (var each : List.copyOf(offloads.entrySet())) {
      if (!each.getKey().isStopped() && each.getValue().makeNext(this::turnBlocked)) {
        return true;
      }
    }
    return false;
  }

  /// If a coroutine waits for a lock of the VM's, the next turn may be its own.
  private void turnBlocked() {
    if (!blocked().isEmpty()) {
      inOrder().forEach(HostLoop::turnOnce);
    }
  }

  private List<HostLoop> inOrder() {
    List<HostLoop> turning = new ArrayList<>(loops);
    if (order != null && turning.size() > 1) {
      Collections.rotate(turning, order.random().nextInt(turning.size()));
    }
    return turning;
  }

  private boolean isBusy() {
    for (HostLoop each : loops) {
      if (each.isBusy(machineClock)) {
        return true;
      }
    }
    return false;
  }

  /// Whether one of its coroutines blocks in plain Java code, where the simulation does not see it. Not one that only waits a
  /// moment for a lock of the VM's, as while a class is loaded by another simulation: that is waited for.
  boolean isBlocked() {
    if (waitedInRealTime) {
      return true;
    }
    long end = System.nanoTime() + MOST_PATIENCE;
    for (List<Thread> blocked = blocked(); !blocked.isEmpty(); blocked = blocked()) {
      for (Thread thread : blocked) {
        if (thread.getState() == Thread.State.TIMED_WAITING || System.nanoTime() - end > 0) {
          return true;
        }
      }
      Thread.onSpinWait();
      run();
    }
    return false;
  }

  private List<Thread> blocked() {
    List<Thread> blocked = new ArrayList<>();
    loops.forEach(each -> each.blocked().forEach(blocked::add));
    return blocked;
  }

  String dump() {
    return loop == null ? "" : loop.dump();
  }

  /// When its next deadline is, of the simulation's time.
  long nextDeadline() {
    long next = Long.MAX_VALUE;
    for (HostLoop each : loops) {
      next = Math.min(next, each.nextDeadline(machineClock));
    }
    return next;
  }

  long wakes() {
    return wakes;
  }

  void wakes(long moment) {
    wakes = moment;
  }

  // ---- its end

  boolean isOver() {
    return end != null && end.isDone();
  }

  /// What its program failed with; null if it did not.
  @Nullable Throwable failure() {
    CompletableFuture<?> over = end;
    if (over == null || !over.isCompletedExceptionally() || over.isCancelled()) {
      return null;
    }
    Throwable thrown = over.exceptionNow();
    return thrown instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : thrown;
  }

  @Override
  public String toString() {
    return name();
  }
}
