// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Native;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What the layers above hold of a loop: libuv's part of it ([NativeLoop]), its deadlines, its memory for calls and
/// transfers, and the way into it from other threads. Whether it has anything to do is counted by its [Liveness],
/// posts come through its [Inbox], its time is its [LoopClock]'s.
///
/// Confined to the thread that runs it, or to whoever that thread has handed its turn to. Only
/// [#post] and [#wake] may be called from anywhere.
public final class EventLoop {
  /// The alarm and the wake-up, which are not the user's.
  private static final int OWN_HANDLES = 2;

  /// How long its end waits for what is inside of libuv's threads.
  private static final long GRACE_NANOS = 2_000_000_000L;

  private final NativeLoop libuv;
  private final Scratch scratch = new Scratch();
  private final TransferBuffers transfers = new TransferBuffers();
  private final TimerQueue timers = new TimerQueue();

  /// Null where libuv waits by itself.
  private final @Nullable EpollSet epoll;

  private final Alarm alarm;
  private final Wakeup wakeup;
  private final Inbox inbox;
  private final Liveness liveness = new Liveness(timers);
  private final LoopClock clock;
  private final long ownBytes;
  private final BooleanSupplier inside;
  private final Escaped escaped;

  /// What worlds that are not libuv's have to do at the end.
  private final List<Runnable> endings = new ArrayList<>(0);

  private volatile @Nullable Thread thread;
  private LongFunction<Instant> calendar = WallTime::instant;
  private volatile Residents residents = Residents.NOBODY;
  private volatile @Nullable Runnable doorkeeper;

  /// `clock` tells the time in nanoseconds; `inside` tells whether the calling thread may use the
  /// loop now.
  public EventLoop(LongSupplier clock, BooleanSupplier inside) {
    Native.version(); // a missing library is reported before anything else can fail
    Failures.prepare();
    Processor.prepare();
    StackRoom.prepare();
    this.clock = new LoopClock(clock);
    this.inside = inside;
    libuv = new NativeLoop(liveness);
    escaped = libuv.escaped;
    try {
      epoll = EpollSet.open(libuv);
    } catch (Throwable failed) {
      libuv.close();
      libuv.free();
      throw failed;
    }
    try {
      alarm = new Alarm(libuv);
      wakeup = new Wakeup(libuv, epoll);
      inbox = new Inbox(libuv, wakeup);
      Census.opened(this);
      alarm.open();
      Undo.unless(wakeup::open, alarm::close);
    } catch (Throwable failed) {
      libuv.close();
      free();
      throw failed;
    }
    ownBytes = libuv.pool.usedBytes();
    updateTime();
  }

  // ---- running

  /// One turn of libuv: serves what is ready, or, if it may block, waits for what comes next. A
  /// blocking turn that is timed ends when the next deadline is due. Throws what escaped a callback.
  public void poll(boolean mayBlock, boolean timed) {
    // What is left of a batch of posts has rung the bell already.
    boolean blocks = mayBlock && inbox.isEmpty();
    boolean untilDue = blocks && timed && !timers.isEmpty();
    turn(blocks, untilDue, untilDue ? timers.nextDeadline() : 0);
  }

  /// Whether libuv has nothing that could bring something: neither requests nor handles but the loop's own, which only end a wait.
  public boolean isBare() {
    return liveness.openHandles == OWN_HANDLES && !liveness.isOwed();
  }

  /// One turn of libuv; a blocking one ends at that moment of `System.nanoTime` at the latest.
  public void pollUntil(long limit, boolean timed) {
    boolean sooner = timed && !timers.isEmpty() && timers.nextDeadline() - limit < 0;
    turn(inbox.isEmpty(), true, sooner ? timers.nextDeadline() : limit);
  }

  private void turn(boolean blocks, boolean limited, long limit) {
    clock.turn();
    if (epoll != null) {
      epoll.turn(blocks, limited, limit);
    } else {
      if (blocks && limited) {
        alarm.set(limit);
      } else if (blocks) {
        alarm.clear();
      }
      libuv.turn(blocks);
    }
    updateTime();
    escaped.rethrow();
  }

  /// Runs between two events of one turn of libuv, on top of its frames: where what the first of them
  /// brought can be used while it is still in the caches. What it throws is thrown by the poll.
  public void interlude(Runnable newInterlude) {
    libuv.interlude(newInterlude);
  }

  /// Tells up to `limit` entries that their moment has come. True if more are due.
  public boolean fireTimers(int limit) {
    for (int fired = 0; fired < limit; fired++) {
      TimerEntry entry = timers.pollDue(now());
      if (entry == null) {
        return false;
      }
      entry.due();
    }
    return !timers.isEmpty() && timers.nextDeadline() - now() <= 0;
  }

  /// Runs up to `limit` posted tasks. True if more are waiting.
  public boolean runPosted(int limit) {
    return inbox.run(limit);
  }

  /// Puts a task into the inbox and wakes the loop. False if the loop is closed: then the task will
  /// never run. Any thread.
  public boolean post(Runnable task) {
    StackRoom.toTouch();
    knock();
    return inbox.post(task);
  }

  /// The calling thread comes in, by a post or by another way. Any thread.
  public void knock() {
    Runnable told = doorkeeper;
    if (told != null) {
      told.run();
    }
  }

  /// Is told of each post, before it is made and on the thread that makes it. Any thread.
  public void doorkeeper(Runnable newDoorkeeper) {
    doorkeeper = newDoorkeeper;
  }

  /// Ends the loop's poll. Any thread.
  public void wake() {
    StackRoom.toTouch();
    wakeup.raise();
  }

  public boolean hasPosted() {
    return !inbox.isEmpty();
  }

  // ---- liveness

  /// What keeps this loop alive; only for its own thread, but for whether it sleeps.
  public Liveness liveness() {
    return liveness;
  }

  /// Whether it waits for others and for nothing else, and nobody has come so far. Any thread.
  public boolean isAsleep() {
    return liveness.isAsleep() && inbox.isEmpty();
  }

  /// The thread that runs it, from its first run on. Any thread.
  public @Nullable Thread thread() {
    return thread;
  }

  public void thread(Thread newThread) {
    thread = newThread;
  }

  // ---- time

  public TimerQueue timers() {
    return timers;
  }

  /// The loop's time, which stands still while coroutines run.
  public long now() {
    return clock.now();
  }

  /// The clock itself.
  public long clock() {
    return clock.read();
  }

  /// The moment on that clock at which so much time will be over.
  public long deadline(Duration duration) {
    return clock() + TimerQueue.nanos(duration);
  }

  /// What the clock said when it was last looked at, which is at least once in each turn. For what is
  /// noted at every wait: looking at the clock costs too much there.
  public long recently() {
    return clock.recently();
  }

  public void updateTime() {
    clock.update();
  }

  /// What the calendar says at that moment of its clock.
  public Instant instant(long nanos) {
    return calendar.apply(nanos);
  }

  /// Another calendar than the machine's: that of another world.
  public void calendar(LongFunction<Instant> newCalendar) {
    calendar = newCalendar;
  }

  // ---- memory and ownership

  public long address() {
    return libuv.address;
  }

  /// What it waits for in the kernel; null where libuv waits by itself.
  public @Nullable EpollSet epoll() {
    return epoll;
  }

  public Scratch scratch() {
    return scratch;
  }

  public TransferBuffers transfers() {
    return transfers;
  }

  NativePool pool() {
    return libuv.pool;
  }

  NativeLoop libuv() {
    return libuv;
  }

  /// Whether the calling thread has the loop's turn. Any thread.
  public boolean isInside() {
    return inside.getAsBoolean();
  }

  /// Throws if the loop is closed: its memory is gone.
  void checkOpen() {
    libuv.checkOpen();
  }

  /// Throws unless the calling thread has the loop's turn, and stack to use it.
  public void checkThread(Object subject) {
    StackRoom.toTouch();
    if (!isInside()) {
      throw Caller.foreign(subject);
    }
  }

  /// Something failed where nobody could be thrown it: the next poll throws it. Of those that have come
  /// by then the first, with the others suppressed.
  public void escaped(Throwable thrown) {
    escaped.add(thrown);
  }

  public EventLoopStats stats() {
    boolean closed = isClosed();
    return new EventLoopStats(
        closed ? liveness.openHandles : liveness.openHandles - OWN_HANDLES,
        liveness.closingHandles,
        liveness.requests,
        liveness.waits,
        timers.size(),
        liveness.outsideWork,
        blocksInUse(),
        libuv.pool.usedBytes() - (closed ? 0 : ownBytes),
        closed ? 0 : keptBytes(),
        clock.turns());
  }

  private long keptBytes() {
    return libuv.bytes()
        + scratch.bytes()
        + transfers.bytes()
        + (epoll == null ? 0 : epoll.bytes());
  }

  /// Tells who runs on this loop.
  public void residents(Residents newResidents) {
    residents = newResidents;
  }

  /// Who runs on this loop. Any thread.
  public Residents residents() {
    return residents;
  }

  int blocksInUse() {
    return libuv.pool.used() - (isClosed() ? 0 : OWN_HANDLES);
  }

  /// What it has in hand, in words: what runs on it, and who owns its native blocks. Exact while the
  /// loop does not run.
  public String describe() {
    StringBuilder words = new StringBuilder(residents.describe());
    for (NativeOwner owner : owners()) {
      words.append("\n  native block of ").append(owner);
    }
    return words.toString();
  }

  /// Whose native blocks libuv knows, in a list of its own. Loop thread.
  public List<NativeOwner> owners() {
    List<NativeOwner> owners = libuv.owners();
    owners.remove(alarm);
    owners.remove(wakeup);
    return owners;
  }

  // ---- the end

  /// Has that done when the loop ends: by worlds that libuv knows nothing of, which close what is open there.
  public void atEnd(Runnable ending) {
    endings.add(ending);
  }

  public boolean isClosed() {
    return libuv.isClosed();
  }

  /// Closes every handle, cancels what can be cancelled, waits for libuv's last callback and frees
  /// all memory. Whoever still waited has been told before, by the layer above. What is left in the
  /// inbox goes to `orphans`. One step that fails keeps no other from being tried; what it threw is
  /// thrown at the end.
  ///
  /// One of libuv's threads may be inside a call that never ends, an `open` of a named pipe for example.
  /// After a while the rest is therefore left to a thread of its own, which does not keep the VM.
  public void close(Consumer<Runnable> orphans) {
    if (isClosed()) {
      return;
    }
    libuv.endOwners();
    endings.forEach(escaped::attempt);
    libuv.shut();
    if (drain(System.nanoTime() + GRACE_NANOS)) {
      escaped.attempt(this::finish);
    } else {
      escaped.attempt(
          () ->
              Thread.ofPlatform().daemon().name("end of loop " + libuv.number).start(this::finish));
    }
    timers.close(escaped);
    inbox.drainTo(orphan -> escaped.attempt(() -> orphans.accept(orphan)));
    escaped.rethrow();
  }

  /// Every handle must be closing, and every request cancelled or about to end. False if they have not
  /// ended at that moment of `System.nanoTime`.
  private boolean drain(long limit) {
    while (liveness.isOwed()) {
      if (System.nanoTime() - limit >= 0) {
        return false;
      }
      alarm.set(limit);
      libuv.drain();
    }
    return true;
  }

  /// Nobody else uses it any more, so any thread may.
  private void finish() {
    alarm.close();
    wakeup.close();
    libuv.close();
    libuv.endOwners(); // a request that completed meanwhile, kept for a next one
    free();
  }

  private void free() {
    scratch.close();
    transfers.close();
    if (epoll != null) {
      epoll.close();
    }
    libuv.free();
    Census.closed(this);
  }
}
