// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.error.ClosedException;
import dev.couv.loop.Caller;
import dev.couv.loop.Census;
import dev.couv.loop.StackRoom;
import dev.couv.loop.Wording;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The running half of a coroutine: its thread, its state, what it awaits and how that ended. What users hold of it
/// is its [handle][#handle()].
///
/// Confined to the loop: everything here happens on the loop's thread, or on the strand's own while
/// that has the turn. The engines order the two, so no field is volatile.
public final class Strand extends Suspendable {
  private static final AtomicLong NUMBERS = new AtomicLong();

  // Immutable.
  private final Callable<?> body;
  private final Group group;
  private final SpawnSite site;

  private final long number = NUMBERS.incrementAndGet();

  private volatile @Nullable String name;

  /// What users hold of it, or a [ReleasedHandle] if only they hold that.
  private @Nullable Object handle;

  // Owned by the groups: the last that it has opened and that is not closed.
  private @Nullable Group block;

  // The run.
  private boolean adopted;
  private boolean begun;
  private @Nullable Ending ending;
  private @Nullable Holder holder;

  /// A strand that is to run the body, as one of that group: it has not joined it yet.
  public Strand(Scheduler scheduler, Callable<?> body, Group group, SpawnSite site) {
    super(scheduler);
    this.body = body;
    this.group = group;
    this.site = site;
  }

  // ---- who runs

  /// The calling one, or null if the caller is none.
  public static @Nullable Strand currentOrNull() {
    return (Strand) Engine.current();
  }

  /// The calling coroutine, which has stack for an await. `call` names what needs one; anything but a string is
  /// what it is needed for, and the call is looked for on the stack.
  public static Strand current(Object call) {
    StackRoom.toWait();
    Strand current = currentOrNull();
    if (current == null) {
      String twin = Caller.twin();
      boolean named = call instanceof String;
      throw new IllegalStateException(
          (named ? call : Caller.call())
              + " can only be called in a coroutine: Loop.run starts the first one"
              + (twin == null ? "" : ". Elsewhere use " + twin + ", which blocks the thread")
              + (named ? "" : " (" + Wording.of(call) + ")"));
    }
    return current;
  }

  // ---- what it is

  /// What users hold of it; null if nobody does any more.
  public @Nullable Object handle() {
    return handle instanceof ReleasedHandle released ? released.get() : handle;
  }

  /// The handle that was made for it.
  public void handle(Object made) {
    handle = made;
  }

  /// From now on the handle is kept by its users alone: only they can start it.
  public void holdWeakly() {
    Object letGo = handle;
    if (letGo != null
        && !(letGo instanceof ReleasedHandle)) { // at its first yield, and not at those after it
      handle = new ReleasedHandle(letGo, this::postAbandoned);
    }
  }

  /// Whether nobody has the handle any more.
  private boolean isHandleGone() {
    return handle == null || (handle instanceof ReleasedHandle released && released.refersTo(null));
  }

  @Override
  void releaseHandle() {
    holdWeakly();
    if (isHandleGone()) {
      postAbandoned(); // it was let go of while it ran
    }
  }

  private void postAbandoned() {
    scheduler().events().post(this::abandoned);
  }

  /// Nobody can resume it any more: it is cancelled, so that its memory is freed and its `finally`
  /// blocks run.
  void abandoned() {
    if (isPassive() && !ending().isAwaited() && isHandleGone()) {
      cancel("nobody can resume it any more");
    }
  }

  @Override
  public long number() {
    return number;
  }

  /// Where it is: the frames of its thread, a line each; none if it has not begun. Loop thread.
  public String frames() {
    Thread started = thread;
    return started == null ? "" : TurnWatch.frames(started);
  }

  @Override
  public Group group() {
    return group;
  }

  /// Where it was spawned.
  public SpawnSite site() {
    return site;
  }

  /// Whether its body has been entered, or is about to be: it has had a turn.
  public boolean hasBegun() {
    return begun;
  }

  /// How it ended, and who is to be told.
  public Ending ending() {
    if (ending == null) {
      ending = new Ending();
    }
    return ending;
  }

  /// Itself as somebody who holds things.
  Holder holder() {
    if (holder == null) {
      holder = new Holder(this);
    }
    return holder;
  }

  // ---- beginning: on the loop's thread or another strand's

  /// Joins its group, if the post that does so has not come yet.
  @Override
  public void adopt() {
    if (!adopted) {
      adopted = true;
      scheduler().begun(); // before: the group may cancel it at once
      try {
        group.joined(this);
      } catch (ClosedException refused) {
        adopted = false;
        scheduler().ended();
        throw refused;
      }
    }
  }

  /// Whether it was to join its group.
  public boolean isAdopted() {
    return adopted;
  }

  /// Begins: joins its group and starts, if that was cancelled only to end. If the loop is closed it never does. Loop
  /// thread.
  public void begin() {
    if (scheduler().events().isClosed()) {
      discard();
      return;
    }
    adopt();
    if (state() == StrandState.CREATED) {
      start(Placement.BACK);
    }
  }

  /// Its loop is closed and it never belonged to it: it ends without having begun.
  private void discard() {
    regions().unprotect();
    regions().life().cancel("the loop is closed");
    discarded();
    ending().failed(regions().cancelled());
    ending().runHandlers();
    tellHolder();
  }

  private void tellHolder() {
    if (holder != null) {
      holder.ended();
    }
  }

  // ---- running and ending: on the strand's own thread

  /// The whole of its life.
  @Override
  public void run() {
    try {
      live();
    } catch (Throwable broken) { // no memory to end it
      scheduler().events().escaped(broken);
    }
  }

  private void live() {
    begun = true;
    goesOn();
    if (Flight.isStartRecorded()) {
      Flight.started(this, site, group);
    }
    StrandState ended = runBody();
    shield();
    for (Throwable homeless : ending().runHandlers()) {
      group.handlerFailed(this, homeless);
    }
    tellHolder();
    if (scheduler().events().isClosed()) {
      // It was given up when its loop closed: there is nobody left to tell.
      Census.outlive(-1);
      return;
    }
    rota().entered(this);
    end(ended);
  }

  private StrandState runBody() {
    try {
      throwIfCancelled();
      Object result = body.call();
      ending().succeeded(result); // made only now: those who wait need none
      return StrandState.DONE;
    } catch (Throwable thrown) {
      Throwable end = regions().endOfLife(thrown);
      ending().failed(end == null ? thrown : end);
      return end == null ? StrandState.FAILED : StrandState.CANCELLED;
    }
  }

  private void end(StrandState ended) {
    ended(ended);
    if (Flight.isEndRecorded()) {
      Flight.ended(this, ended.name(), ending().failure());
    }
    Ending told = ending();
    if (resuming().isAwaited()) {
      told.claim();
      resuming().hand(told.result(), outcome());
    }
    told.takeSeats().forEach(this::tell);
    resuming().release();
    resuming().refuse(this);
    if (ended == StrandState.FAILED && !told.isClaimed()) {
      group.failed(this); // before it hears of the end: whoever waits for that waits on
    }
    group.ended(this);
    scheduler().ended();
  }

  /// Each is told for itself: a cancellation has the awaiter's own trace.
  @SuppressWarnings("unchecked") // the seats are of those who await what the body returned
  private void tell(Seat<?> seat) {
    Throwable thrown = outcome();
    ((Seat<Object>) seat).deliver(thrown == null ? ending().result() : null, thrown);
  }

  /// Somebody who was told of its end left without looking.
  public void disclaimed() {
    ending().disclaim();
    if (state() == StrandState.FAILED && !ending().isClaimed()) {
      group.failed(this);
    }
  }

  /// What an awaiter is thrown, or null if there is a result.
  public @Nullable Throwable outcome() {
    Throwable thrown = ending().failure();
    return state() == StrandState.CANCELLED
        ? Outcomes.cancellation(name(), String.valueOf(regions().life().reason()), thrown)
        : thrown;
  }

  // ---- for its group

  /// The group in whose block it is, if it has opened one.
  public @Nullable Group block() {
    return block;
  }

  public void block(@Nullable Group opened) {
    block = opened;
  }

  // ---- words

  @Override
  public String name() {
    String given = name;
    return given == null ? "coroutine-" + number : given;
  }

  /// Names it, for dumps, logs and debuggers.
  public void name(String newName) {
    name = newName;
    Thread started = thread;
    if (started != null) {
      started.setName(newName);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
