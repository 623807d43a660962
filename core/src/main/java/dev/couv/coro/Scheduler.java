// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Caller;
import dev.couv.loop.Census;
import dev.couv.loop.EventLoop;
import dev.couv.loop.EventLoopStats;
import dev.couv.loop.Residents;
import dev.couv.loop.StackRoom;
import dev.couv.world.World;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The ready queue of one loop, and the run that alternates it with libuv's turns.
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
///
/// ## Explicit resumption
///
/// The resumed strand runs next, before the queue; so does its resumer when the strand suspends. At
/// most one continuation is advanced that way at any moment.
///
/// ## Strands that block in plain Java code
///
/// They leave the thread without telling. After each continuation the strand that ran, if it is
/// still RUNNING, must be blocked; it is found again by its thread when it goes on.
final class Scheduler {
  /// Continuations that run between two looks at the sockets.
  private static final int READY_BATCH = 256;

  /// So many must be ready before any of them runs between two events; then as many do.
  private static final int INTERLUDE = 64;

  /// Interludes in one turn of libuv: after these, timers and posts have their chance.
  private static final int INTERLUDES = 16;

  private final EventLoop events;
  private final World world;
  private final Polling polling;
  private final Outsiders outsiders;
  private final Engine engine;
  private final ReadyQueue ready;
  private final Failures failures;
  private final Idleness idleness = new Idleness();
  private final Shutdown shutdown;
  private final Scope root;

  /// If turns are watched.
  private final @Nullable TurnWatch turns;

  private @Nullable Loop loop;
  // Read by other threads.
  private volatile @Nullable Thread owner;
  private volatile boolean running;
  private volatile boolean halted;

  private @Nullable Strand current;
  private final IdentityHashMap<Thread, Strand> blocked = new IdentityHashMap<>();

  /// Whether somebody interrupted the loop's thread during the run: told when it ends. Kept here,
  /// because the JDK clears the flag of a thread that carries virtual ones.
  private boolean interrupted;

  /// Runs before the queue.
  private @Nullable Runnable advanced;

  /// Whether an idle loop has something to do by now. Made once: a loop is idle at every turn.
  private final BooleanSupplier toDo = this::hasToDo;

  /// How many interludes the present turn may still have: none, except when the loop drives itself.
  private int interludes;

  private int strands;

  /// Those that can go on by themselves: not passive.
  private int active;

  Scheduler(LoopOptions options, OnFailure onFailure) {
    events = new EventLoop(options.time()::nanos, this::isInside);
    world = options.world();
    polling = new Polling(events, options.time());
    outsiders = new Outsiders(this, options, polling);
    events.residents(new Coroutines());
    events.interlude(this::interlude);
    engine = Engine.create(this);
    ready = new ReadyQueue(options.shuffleSeed());
    failures = new Failures(this);
    shutdown = new Shutdown(this, polling);
    root = new Scope(this, null, onFailure);
    turns = options.turnLimit().map(limit -> new TurnWatch(this, limit)).orElse(null);
    if (turns != null) {
      turns.start();
    }
  }

  /// The handle that users hold, told once it is made.
  void loop(Loop handle) {
    loop = handle;
  }

  Loop loop() {
    if (loop == null) {
      throw new AssertionError("a scheduler without its loop");
    }
    return loop;
  }

  Scope root() {
    return root;
  }

  EventLoop events() {
    return events;
  }

  World world() {
    return world;
  }

  Outsiders outsiders() {
    return outsiders;
  }

  Engine engine() {
    return engine;
  }

  boolean isTimeVirtual() {
    return polling.isTimeVirtual();
  }

  // ---- whose turn it is

  @Nullable Strand current() {
    return current;
  }

  /// The strand goes on, on its own thread.
  void entered(Strand strand) {
    if (current != strand) {
      current = strand;
      if (!blocked.isEmpty()) {
        blocked.remove(strand.thread);
      }
    }
  }

  /// The strand of that thread, which this loop's thread carries now; null if it is none of ours.
  @Nullable Strand strandOf(Thread thread) {
    Strand strand = current;
    if (strand != null && strand.thread == thread) {
      return strand;
    }
    strand = blocked.get(thread);
    if (strand != null) {
      entered(strand);
    }
    return strand;
  }

  /// Whether the calling thread may use the loop now: it is one of its coroutines, or its thread.
  boolean isInside() {
    Strand strand = Engine.current();
    if (strand != null) {
      return strand.scheduler() == this;
    }
    Thread bound = owner;
    return bound == null || bound == Thread.currentThread();
  }

  /// Likewise, but not before a thread has run it.
  boolean isAtHome() {
    return owner != null && isInside();
  }

  void checkInside(Object subject) {
    StackRoom.toTouch();
    if (!isInside()) {
      throw new IllegalStateException(
          Caller.call()
              + ": "
              + subject
              + " belongs to another loop or thread: only its own loop's coroutines can use it."
              + " From elsewhere use Loop.post or Loop.submit");
    }
  }

  // ---- the ready queue

  /// A continuation may run. Loop thread.
  void enqueue(Runnable task, Placement placement) {
    switch (placement) {
      case BACK -> ready.add(task);
      case NEXT -> {
        if (advanced != null) {
          ready.add(advanced); // its resumer was pinned and went on, and resumes another
        }
        advanced = task;
      }
    }
  }

  /// Runs a strand that is in the queue next.
  void advance(Strand strand) {
    Runnable task = strand.task;
    if (task != null && task != advanced && ready.remove(task)) {
      enqueue(task, Placement.NEXT);
    }
  }

  /// Runs what was advanced, on the loop's thread between two runs.
  void runAdvanced() {
    boolean outermost = !running;
    if (outermost) {
      enterRun();
    }
    try {
      for (Runnable task; (task = advanced) != null; ) {
        advanced = null;
        runTask(task);
      }
    } finally {
      if (outermost) {
        leaveRun();
      }
    }
  }

  private void runReady(int limit) {
    interrupted |= Thread.interrupted();
    for (int ran = 0; ran < limit && !halted; ran++) {
      Runnable task = ready.poll();
      if (task == null) {
        return;
      }
      runTask(task);
      while ((task = advanced) != null) {
        advanced = null;
        runTask(task);
      }
    }
  }

  /// Between two events, inside libuv's turn.
  private void interlude() {
    if (ready.size() >= INTERLUDE && interludes > 0) {
      interludes--;
      events.updateTime(); // the turn may have begun long ago, by waiting
      runReady(INTERLUDE);
    }
  }

  private void runTask(Runnable task) {
    if (turns == null) {
      task.run();
    } else {
      turns.begin();
      task.run();
      turns.end(current);
    }
    Strand ran = current;
    if (ran != null) {
      current = null;
      Thread thread = ran.thread;
      if (ran.isBlocked() && thread != null) {
        blocked.put(thread, ran);
        ran.blocked();
      }
    }
  }

  // ---- running

  /// Runs in that mode. True if something is still awaited.
  boolean run(Mode mode) {
    halted = false; // before it can be seen running: a halt must not be lost
    enterRun();
    try {
      switch (mode) {
        case LOOP -> drive(() -> halted);
        case STEP -> {
          polling.look();
          // What wakes the loop may make nobody ready: a handle was closed, an alarm outlived.
          while (ready.isEmpty() && !halted && (tellIdle() || (isAlive() && idle()))) {}
          runReady(ready.size());
        }
        case READY -> {
          polling.look();
          if (ready.isEmpty()) {
            tellIdle();
          }
          runReady(ready.size());
        }
      }
      failures.settle(ready.isEmpty());
      // Who halts it may leave coroutines whom nothing else would have woken: the next run may.
      return isAlive() || !ready.isEmpty() || (halted && active > 0);
    } finally {
      leaveRun();
    }
  }

  /// Runs until `done`, or until nothing can happen any more: then false.
  boolean drive(BooleanSupplier done) {
    return drive(done, () -> outsiders.await(this::isBusy));
  }

  /// Likewise, for a whole program: false only if it is certain.
  boolean driveRun(BooleanSupplier done) {
    return drive(done, () -> outsiders.awaitInRun(this::isBusy));
  }

  /// `outside` waits for those outside when nothing of the loop's own is left; false if nobody will come.
  private boolean drive(BooleanSupplier done, BooleanSupplier outside) {
    boolean outermost = !running;
    if (outermost) {
      enterRun();
    }
    try {
      polling.look();
      while (true) {
        runReady(READY_BATCH);
        interludes = INTERLUDES;
        failures.settle(ready.isEmpty());
        if (done.getAsBoolean()) {
          return true;
        }
        if (!ready.isEmpty()) {
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
    if (ready.isEmpty() && !events.hasPosted()) {
      idleness.reached();
    }
    return true;
  }

  private boolean idle() {
    boolean atWork = !blocked.isEmpty() || engine.isAlive();
    if (atWork || !events.isUpToOthers()) {
      return polling.idle(toDo, atWork);
    }
    events.asleep(true);
    try {
      return polling.idle(toDo, false);
    } finally {
      events.asleep(false);
    }
  }

  private void enterRun() {
    Thread thread = Thread.currentThread();
    if (owner == null) {
      owner = thread;
      events.thread(thread);
    }
    interrupted = Thread.interrupted();
    running = true;
    engine.enter();
  }

  private void leaveRun() {
    engine.leave();
    running = false;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether anything can still happen by itself.
  private boolean isAlive() {
    return events.isAlive()
        || !blocked.isEmpty()
        || events.hasPosted()
        || engine.isAlive()
        || idleness.isAwaited();
  }

  private boolean isBusy() {
    return !ready.isEmpty() || isAlive() || halted;
  }

  private boolean hasToDo() {
    return !ready.isEmpty() || !isAlive() || halted;
  }

  boolean isRunning() {
    return running;
  }

  void halt() {
    halted = true;
    events.wake();
  }

  void checkOwner() {
    Thread bound = owner;
    if (bound != null && bound != Thread.currentThread()) {
      throw new IllegalStateException(
          "the loop belongs to the thread that ran it first, " + bound.getName());
    }
  }

  /// Makes this the loop's thread, if that has ended: whoever comes then closes it.
  synchronized void inherit() {
    Thread bound = owner;
    Thread heir = Thread.currentThread();
    if (bound != null && !bound.isAlive() && !heir.isVirtual()) {
      owner = heir;
      events.thread(heir);
    }
  }

  Idleness idleness() {
    return idleness;
  }

  // ---- lives and ends

  void begun() {
    strands++;
  }

  void ended(Strand strand) {
    strands--;
    if (strands == 0) {
      shutdown.allEnded();
    }
  }

  int strands() {
    return strands;
  }

  void activated() {
    active++;
  }

  void deactivated() {
    active--;
  }

  /// How many are not passive, in whatever scope.
  int active() {
    return active;
  }

  /// A strand failed and nobody awaited it so far.
  void unclaimed(Strand strand) {
    strand.scope().unsettled();
    failures.add(strand, ready.added());
  }

  /// Whether every failure has been claimed by somebody, or handed to its scope.
  boolean isSettled() {
    return failures.isSettled();
  }

  /// Whether everyone who was ready at that count has had a turn.
  boolean haveRun(long added) {
    return ready.haveRun(added);
  }

  /// Something failed that nobody can be told of.
  void report(Strand strand, Throwable failure) {
    failures.report(strand, failure);
  }

  /// A handler of its end has thrown.
  void reportHandler(Strand strand, Throwable failure) {
    failures.reportHandler(strand, failure);
  }

  /// A scope failed whose owner is cancelled.
  void reportScope(Strand owner, Throwable failure) {
    failures.reportScope(owner, failure);
  }

  /// What a scope had to do at its end failed, and nobody can be told.
  void reportEnd(Scope scope, Throwable failure) {
    failures.reportEnd(scope, failure);
  }

  /// Nobody but another thread could wake those.
  void reportWaiting(List<Strand> stuck, long millis) {
    failures.reportWaiting(stuck, millis);
  }

  /// A failure that nobody awaits ends the run.
  void reportEnding(Strand strand, Throwable failure) {
    failures.reportEnding(strand, failure);
  }

  LoopStats stats() {
    EventLoopStats e = events.stats();
    return new LoopStats(
        strands,
        ready.size(),
        e.openHandles(),
        e.closingHandles(),
        e.requests(),
        e.timers(),
        e.polls(),
        e.blocks(),
        e.nativeBytes(),
        Engine.kind());
  }

  boolean isHalted() {
    return halted;
  }

  /// Where the loop's thread is. Any thread.
  String ownerStack() {
    Thread thread = owner;
    StringJoiner lines = new StringJoiner("\n");
    if (thread != null) {
      for (StackTraceElement frame : thread.getStackTrace()) {
        lines.add("    at " + frame);
      }
    }
    return lines.toString();
  }

  /// How it ends.
  Shutdown shutdown() {
    return shutdown;
  }

  /// Cancels every coroutine and runs until they have ended, or are given up.
  void endAll(String reason) {
    halted = false;
    shutdown.run(reason);
  }

  /// Whether everybody who is left blocks in plain Java code, or waits for what only such a one could
  /// bring.
  boolean areOnlyBlockedLeft() {
    return ready.isEmpty()
        && !idleness.isAwaited()
        && (blocked.size() == strands
            || (!blocked.isEmpty() && !events.isAlive() && !events.hasPosted()));
  }

  /// Frees everything. All strands must have ended, or been given up. What is left in the queue are
  /// continuations of plain virtual threads, which go on elsewhere.
  void close() {
    if (turns != null) {
      turns.close();
    }
    events.close(Runnable::run);
    for (Runnable task; (task = ready.poll()) != null; ) {
      engine.orphan(task);
    }
    Census.outlived(strands);
  }

  /// A strand that was given up has ended, on another thread.
  void endedTooLate() {
    Census.outlivingEnded();
  }

  /// The coroutines, as a tool sees them.
  private final class Coroutines implements Residents {
    @Override
    public int count() {
      return strands;
    }

    @Override
    public String describe() {
      return Dump.of(Scheduler.this);
    }
  }
}
