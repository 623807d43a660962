// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Caller;
import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import dev.couv.loop.StackRoom;
import dev.couv.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Runs the strands of one loop: the run that alternates those that are ready with libuv's turns.
///
/// ## A turn
///
/// libuv is polled, due timers and posted tasks are served, and what is ready runs. Callbacks only
/// make strands ready; user code always runs from [#runReady]. All of it in bounded batches, so that
/// neither busy coroutines nor busy sockets starve the others.
///
/// When hundreds of sockets have something at once, the first of the strands they made ready run
/// before libuv serves the next sockets: by the end of the turn, what the callbacks touched would have
/// left the caches. The order is that of the queue all the same, and no callback is in the middle of
/// anything by then; only libuv's own frames are below.
public final class Scheduler {
  /// Continuations that run between two looks at the sockets, at most.
  private static final int READY_BATCH = 256;

  /// How long they may take together. It is known afterwards only: whoever suddenly computes long holds up one batch.
  private static final long BATCH_NANOS = 1_000_000;

  /// So many must be ready before any of them runs between two events; then as many do.
  private static final int INTERLUDE = 64;

  /// Interludes in one turn of libuv: after these, timers and posts have their chance.
  private static final int INTERLUDES = 16;

  private final Keeper keeper;
  private final World world;
  private final EventLoop events;
  private final Polling polling;
  private final Rota rota;
  private final Engine engine;
  private final Idleness idleness = new Idleness();
  private final TurnEnd turnEnd;
  private final LoopLocals locals = new LoopLocals();

  /// If turns are watched.
  private final @Nullable TurnWatch turns;

  private final LoopThread thread;

  // Read by other threads.
  private volatile boolean running;
  private volatile boolean halted;

  /// Whether an idle loop has something to do by now. Made once: a loop is idle at every turn.
  private final BooleanSupplier toDo = this::hasToDo;

  /// How many continuations the next batch has: as many as take [#BATCH_NANOS] if they take as long as those of the last full
  /// one.
  private int batch = READY_BATCH;

  /// Whether a run is to be repeated: then how long something takes decides nothing.
  private final boolean repeatable;

  /// How many interludes the present turn may still have: none, except when the loop drives itself.
  private int interludes;

  private int strands;

  /// Those that can go on by themselves: not passive.
  private int active;

  /// A scheduler of that keeper, in that world; ready strands run in an order drawn from the seed if there is one, and
  /// turns that last longer than the limit are told, if there is one.
  public Scheduler(
      Keeper keeper,
      World world,
      Clock clock,
      OptionalLong shuffleSeed,
      Optional<Duration> turnLimit) {
    this.keeper = keeper;
    this.world = world;
    events = new EventLoop(clock.nanos(), this::isInside);
    events.calendar(world::instant);
    polling = new Polling(events, clock);
    events.interlude(this::interlude);
    rota = new Rota(shuffleSeed, world.isRepeatable());
    repeatable = clock.isVirtual() || shuffleSeed.isPresent();
    thread = new LoopThread(events, rota);
    turnEnd = new TurnEnd(events::escaped);
    engine = Engine.create(rota, events, clock.isVirtual());
    turns = turnLimit.map(limit -> new TurnWatch(rota::current, thread::stack, limit)).orElse(null);
    if (turns != null) {
      rota.watchedBy(turns);
      turns.start();
    }
  }

  // ---- what it consists of

  public Keeper keeper() {
    return keeper;
  }

  public World world() {
    return world;
  }

  public EventLoop events() {
    return events;
  }

  public Polling polling() {
    return polling;
  }

  public LoopLocals locals() {
    return locals;
  }

  public LoopThread thread() {
    return thread;
  }

  /// Which engine all loops of this process run on.
  public static String engineKind() {
    return Engine.kind();
  }

  /// Who waits until there is nothing to do.
  public Idleness idleness() {
    return idleness;
  }

  Rota rota() {
    return rota;
  }

  Engine engine() {
    return engine;
  }

  // ---- who may use it

  /// Whether the calling thread may use the loop now: it is one of its coroutines, or its thread.
  public boolean isInside() {
    Fiber current = Engine.current();
    if (current != null) {
      return current.rota() == rota;
    }
    return thread.mayBeHere();
  }

  /// Whether it [may use it][#isInside] and a thread has run it before.
  public boolean isAtHome() {
    return thread.isKnown() && isInside();
  }

  /// Throws if the calling thread may not use the loop now, and so not the subject.
  public void checkInside(Object subject) {
    StackRoom.toTouch();
    if (!isInside()) {
      throw Caller.foreign(subject);
    }
  }

  // ---- running

  /// Runs what was advanced, on the loop's thread between two runs.
  void runAdvanced() {
    boolean outermost = !running;
    if (outermost) {
      enterRun();
    }
    try {
      rota.runAdvanced();
      if (outermost) {
        turnEnd.reached();
      }
    } finally {
      if (outermost) {
        leaveRun();
      }
    }
  }

  private int runReady(int limit) {
    thread.look();
    int ran = 0;
    while (ran < limit && !halted && rota.runNext()) {
      ran++;
    }
    turnEnd.reached();
    return ran;
  }

  /// Runs those that are ready, but no more than the loop may spend on them before it looks at the sockets.
  private void runBatch() {
    long begun = events.now(); // the loop has looked just before
    int ran = runReady(batch);
    if (ran == batch && !repeatable) { // one that is not full was short enough: the loop looks
      long each = Math.max(1, (events.clock() - begun) / ran);
      batch = Math.clamp(BATCH_NANOS / each, 1, READY_BATCH);
    }
  }

  /// Has the task run on the loop's thread when those that are ready have had their turns: once. Loop thread.
  public void atTurnEnd(Runnable task) {
    turnEnd.add(task);
  }

  /// Between two events, inside libuv's turn.
  private void interlude() {
    if (rota.ready.size() >= INTERLUDE && interludes > 0) {
      interludes--;
      events.updateTime(); // the turn may have begun long ago, by waiting
      runReady(INTERLUDE);
    }
  }

  /// Runs until nothing can happen by itself any more, or it is halted; `outside` waits for those outside of the loop
  /// who may still come. True if something is still awaited.
  public boolean runLoop(BooleanSupplier outside) {
    return inRun(() -> drive(() -> halted, outside));
  }

  /// Waits for something, if nobody is ready, and gives each that is ready then one turn. True if something is still
  /// awaited.
  public boolean runStep() {
    return inRun(
        () -> {
          polling.look();
          // What wakes the loop may make nobody ready: a handle was closed, an alarm outlived.
          while (rota.ready.isEmpty() && !halted && (tellIdle() || (isAlive() && idle()))) {}
          runReady(rota.ready.size());
        });
  }

  /// Gives each that is ready one turn, and waits for nobody. True if something is still awaited.
  public boolean runReady() {
    return inRun(
        () -> {
          polling.look();
          if (rota.ready.isEmpty()) {
            tellIdle();
          }
          runReady(rota.ready.size());
        });
  }

  private boolean inRun(Runnable part) {
    halted = false; // before it can be seen running: a halt must not be lost
    enterRun();
    try {
      part.run();
      keeper.settle(rota.ready.isEmpty());
      // Who halts it may leave coroutines whom nothing else would have woken: the next run may.
      return isAlive() || !rota.ready.isEmpty() || (halted && active > 0);
    } finally {
      leaveRun();
    }
  }

  /// Runs until `done`, or until nothing can happen any more: then false. `outside` waits for those outside when
  /// nothing of the loop's own is left; false if nobody will come.
  public boolean drive(BooleanSupplier done, BooleanSupplier outside) {
    boolean outermost = !running;
    if (outermost) {
      enterRun();
    }
    try {
      polling.look();
      while (true) {
        runBatch();
        interludes = INTERLUDES;
        keeper.settle(rota.ready.isEmpty());
        if (done.getAsBoolean()) {
          return true;
        }
        if (!rota.ready.isEmpty()) {
          polling.look();
        } else if (!tellIdle() && (isAlive() ? !idle() : !outside.getAsBoolean())) {
          return false;
        }
      }
    } finally {
      interludes = 0;
      if (outermost) {
        leaveRun();
      }
    }
  }

  /// Nothing is ready: whoever waits for that goes on, unless something has come by now. False if nobody
  /// does.
  private boolean tellIdle() {
    if (!idleness.isAwaited()) {
      return false;
    }
    polling.look();
    if (rota.ready.isEmpty() && !events.hasPosted()) {
      idleness.reached();
    }
    return true;
  }

  private boolean idle() {
    boolean atWork = rota.hasBlocked() || engine.isAlive();
    if (atWork || !events.liveness().isUpToOthers()) {
      return polling.idle(toDo, atWork);
    }
    events.liveness().asleep(true);
    try {
      return polling.idle(toDo, false);
    } finally {
      events.liveness().asleep(false);
    }
  }

  private void enterRun() {
    thread.enter();
    running = true;
    engine.enter();
  }

  private void leaveRun() {
    engine.leave();
    running = false;
    thread.leave();
  }

  /// Whether anything can still happen by itself.
  private boolean isAlive() {
    return events.liveness().isAlive()
        || rota.hasBlocked()
        || events.hasPosted()
        || engine.isAlive()
        || idleness.isAwaited();
  }

  /// Whether it has something to do, or something can still happen by itself.
  public boolean isBusy() {
    return !rota.ready.isEmpty() || isAlive() || halted;
  }

  private boolean hasToDo() {
    return !rota.ready.isEmpty() || !isAlive() || halted;
  }

  public boolean isRunning() {
    return running;
  }

  /// Makes the run return when the strand that runs now, if any, suspends or ends. Any thread.
  public void halt() {
    halted = true;
    events.wake();
  }

  public boolean isHalted() {
    return halted;
  }

  /// A halt that was asked for before does not count.
  public void unhalt() {
    halted = false;
  }

  /// Whose turn it is, if it is anybody's. Any thread: by then it may be another's.
  public @Nullable Named current() {
    return rota.current();
  }

  // ---- lives and ends

  void begun() {
    strands++;
  }

  void ended() {
    strands--;
    if (strands == 0) {
      keeper.allEnded();
    }
  }

  /// How many have begun to belong to a group and have not ended.
  public int strands() {
    return strands;
  }

  public void activated() {
    active++;
  }

  public void deactivated() {
    active--;
  }

  /// How many are not passive, in whatever group.
  public int active() {
    return active;
  }

  /// How many are ready.
  public int ready() {
    return rota.ready.size();
  }

  /// The threads of those that block in plain Java code.
  public List<Thread> blocked() {
    return rota.blockedThreads();
  }

  /// Whether a coroutine has waited for a real time, in a world whose runs are to be repeated.
  public boolean hasWaitedInRealTime() {
    Comeback comeback = rota.comeback();
    return comeback != null && comeback.isTimed();
  }

  /// Marks a moment, for [#haveRun].
  public long moment() {
    return rota.ready.added();
  }

  /// Whether everyone who was ready at that moment has had a turn.
  public boolean haveRun(long moment) {
    return rota.ready.haveRun(moment);
  }

  /// Whether everybody who is left blocks in plain Java code, or waits for what only such a one could
  /// bring.
  public boolean areOnlyBlockedLeft() {
    return rota.ready.isEmpty()
        && !idleness.isAwaited()
        && (rota.blocked() == strands
            || (rota.hasBlocked() && !events.liveness().isAlive() && !events.hasPosted()));
  }

  /// Frees everything. All strands must have ended, or been given up. What is left in the queue are
  /// continuations of plain virtual threads, which go on elsewhere.
  public void close() {
    if (turns != null) {
      turns.close();
    }
    events.close(Runnable::run);
    for (Runnable task; (task = rota.ready.poll()) != null; ) {
      engine.orphan(task);
    }
    Census.outlive(strands);
  }
}
