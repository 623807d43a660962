// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Coroutines as virtual threads that the loop's own thread carries: a switch is a continuation's
/// yield and run, with no other thread involved.
///
/// ## How a turn goes
///
/// The JDK hands a virtual thread's continuation to its scheduler, [Dispatcher], whenever the thread
/// may run: started, unparked, or after a `Thread.yield`. The dispatcher puts it into the loop's
/// ready queue, and the loop's thread runs it. A coroutine that waits for something of ours parks;
/// one that blocks in plain Java code parks too, only that the JDK wakes it.
///
/// ## Rules
///
/// - Nothing is ever rejected: a thread whose continuation was refused would hang for ever. After
///   the loop is closed, what is left runs on threads kept for that.
/// - The loop's thread takes no lock that a coroutine can take. The dispatcher's queues are the ready
///   queue (this thread only) and the event loop's inbox (lock-free).
/// - The dispatcher is a `ForkJoinPool` only because the JDK gives the timed parks of its virtual
///   threads to such a scheduler: so `Thread.sleep` uses the loop's timers, and no helper thread.
final class LoopScheduledEngine extends Engine {
  static {
    Pollers.startOutsideOfLoops();
    VirtualThreads.endOne();
  }

  /// Runs what the threads of closed loops still want to run, on platform threads of its own.
  private static final Executor ORPHANS =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("couv-orphans-", 1).factory());

  private final Rota rota;
  private final EventLoop events;
  private final boolean timeVirtual;
  private final Dispatcher dispatcher = new Dispatcher();

  /// The loop's thread, from its first run on.
  private @Nullable Thread carrier;

  /// The strand whose continuation the next `execute` on the loop's thread brings.
  private @Nullable Fiber placing;

  private Placement placement = Placement.BACK;

  /// Strands that are ready, but whose continuation another thread was quicker to ask for.
  private int astray;

  LoopScheduledEngine(Rota rota, EventLoop events, boolean timeVirtual) {
    this.rota = rota;
    this.events = events;
    this.timeVirtual = timeVirtual;
  }

  static @Nullable Fiber currentFiber() {
    Thread current = Thread.currentThread();
    if (!current.isVirtual()) {
      return null;
    }
    Rota rota = Carriers.of(VirtualThreads.carrier());
    return rota == null ? null : rota.of(current);
  }

  @Override
  void start(Fiber fiber, Placement where) {
    Thread thread = VirtualThreads.create(dispatcher, fiber.name(), fiber);
    fiber.thread = thread;
    fiber.task = VirtualThreads.task(thread);
    place(fiber, where);
    try {
      thread.start(); // it may wait for a lock: others are placed meanwhile
    } catch (Throwable refused) {
      if (placing == fiber) {
        placing = null;
      }
      throw refused;
    }
    if (where == Placement.NEXT) {
      rota.advance(fiber);
    }
  }

  @Override
  void ready(Fiber fiber, Placement where) {
    fiber.turn = true;
    Thread thread = fiber.thread;
    Runnable task = fiber.task;
    if (thread != null
        && task != null
        && !events.isClosed()
        && hasRoom()
        && VirtualThreads.claim(thread)) {
      rota.enqueue(task, where); // what an unpark would lead to, without the way through the JDK
      return;
    }
    place(fiber, where);
    LockSupport.unpark(fiber.thread);
    if (placing == fiber) {
      // Another thread has unparked it just before: its continuation is on that thread's way here.
      placing = null;
      fiber.astray = true;
      astray++;
    }
  }

  /// Whether there is memory to queue one more: whoever is claimed must not be lost. Else the JDK sees to it, which tries again until there is.
  private boolean hasRoom() {
    try {
      rota.ready.makeRoom();
      return true;
    } catch (OutOfMemoryError none) {
      return false;
    }
  }

  @Override
  void switchOut(Fiber fiber, Object blocker) {
    Thread thread = Thread.currentThread();
    LockSupport.setCurrentBlocker(blocker);
    boolean parked = fiber.turn || VirtualThreads.park(thread);
    goOn(fiber, thread, parked, blocker);
  }

  /// Behind the park. A method of its own, because nothing may branch on the way to it: a hundred thousand may have parked before the first of
  /// them is back, and where the compiler has never seen which way a branch goes, each of them leaves the compiled code there, which costs more
  /// than ten switches. A call that nobody has made is no such branch, and this one is called anew.
  private void goOn(Fiber fiber, Thread thread, boolean parked, Object blocker) {
    boolean parkedAgain = parked;
    while (parkedAgain && !fiber.turn) {
      parkedAgain = VirtualThreads.park(thread);
    }
    LockSupport.setCurrentBlocker(null);
    if (!parkedAgain) {
      throw Pinned.error(blocker);
    }
    fiber.turn = false;
    if (fiber.astray) {
      fiber.astray = false;
      astray--;
    }
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // the scheduler it yields to is our own
  boolean requeue(Fiber fiber) {
    place(fiber, Placement.BACK);
    Thread.yield();
    // Still set where the thread is pinned: then it did not yield.
    boolean yielded = placing != fiber;
    if (!yielded) {
      placing = null;
    }
    return yielded;
  }

  /// The next continuation that the JDK hands over is this strand's. Unset by the caller, in case it
  /// hands over none: a stray unpark may have done so before.
  private void place(Fiber fiber, Placement where) {
    placing = fiber;
    placement = where;
  }

  @Override
  boolean isAlive() {
    return astray > 0;
  }

  @Override
  void enter() {
    Thread current = Thread.currentThread();
    carrier = current;
    Carriers.add(current, rota);
  }

  @Override
  void leave() {
    Carriers.remove(Thread.currentThread());
  }

  @Override
  void orphan(Runnable task) {
    ORPHANS.execute(task);
  }

  /// The scheduler as the JDK sees it.
  private final class Dispatcher extends ForkJoinPool {
    Dispatcher() {
      super(1);
    }

    /// A continuation may run. Any thread; may be called with the calling thread pinned.
    @Override
    public void execute(Runnable task) {
      // By the carrier: inside a coroutine the current thread is the coroutine's.
      if (carrier != null && VirtualThreads.carrier() == carrier && !events.isClosed()) {
        Fiber known = placing;
        if (known != null && known.task == task) {
          placing = null;
          rota.enqueue(task, placement);
        } else if (!isLetThrough(task)) {
          rota.enqueue(task, Placement.BACK);
        }
      } else if (!isBrought(task) && !events.post(() -> rota.enqueue(task, Placement.BACK))) {
        orphan(task);
      }
    }

    /// By the loop's own thread, which has just left it: another let go of the lock before it had parked.
    private boolean isLetThrough(Runnable task) {
      Comeback comeback = rota.comeback();
      Fiber fiber = rota.current();
      if (comeback == null || fiber == null || fiber.task != task || fiber.thread == null) {
        return false;
      }
      if (VirtualThreads.hasYielded(fiber.thread)) {
        comeback.forgo(); // it lets others run, and nobody else brings it
        return false;
      }
      return comeback.bring(task);
    }

    /// By another thread, to the loop's, which waits for it.
    private boolean isBrought(Runnable task) {
      Comeback comeback = rota.comeback();
      if (comeback == null || !comeback.isExpected(task)) {
        return false;
      }
      events.knock(); // before the loop goes on
      return comeback.bring(task);
    }

    /// A timed park begins. On the loop's thread, just after the parking thread has left it.
    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      Comeback comeback = rota.comeback();
      if (comeback != null) {
        comeback.forgoInTime();
      }
      // Woken by a virtual clock, the JDK's code would look at the machine's, find that it is too
      // early, and park again, for ever: so it waits in real time.
      if (events.isClosed() || timeVirtual) {
        return ForkJoinPool.commonPool().schedule(task, delay, unit);
      }
      JdkTimer timer = new JdkTimer(task);
      // Within half the clock's range: deadlines are compared by their difference.
      long nanos = Math.clamp(unit.toNanos(delay), 0, Long.MAX_VALUE / 2);
      events.timers().add(timer, events.clock() + nanos);
      return timer;
    }
  }

  /// A timed park of plain Java code, on the loop's timers.
  private final class JdkTimer extends TimerEntry implements ScheduledFuture<Object> {
    private final Runnable task;
    private boolean cancelled;

    /// Where it waits after the loop has ended.
    private volatile @Nullable ScheduledFuture<?> elsewhere;

    JdkTimer(Runnable task) {
      this.task = task;
    }

    /// A plain virtual thread outlives the loop: it is still to be woken.
    @Override
    protected void loopEnds() {
      elsewhere =
          ForkJoinPool.commonPool()
              .schedule(task, getDelay(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
    }

    @Override
    protected void due() {
      task.run();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      ScheduledFuture<?> moved = elsewhere;
      cancelled =
          moved != null
              ? moved.cancel(mayInterruptIfRunning)
              : !events.isClosed() && events.timers().remove(this);
      return cancelled;
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public boolean isDone() {
      return !isQueued();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(deadline() - events.clock(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }

    @Override
    public Object get() throws ExecutionException {
      throw new UnsupportedOperationException("the JDK only cancels it");
    }

    @Override
    public Object get(long timeout, TimeUnit unit) throws ExecutionException {
      throw new UnsupportedOperationException("the JDK only cancels it");
    }
  }
}
