// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import org.jspecify.annotations.Nullable;

/// Those who wait for the same thing, in the order they came: what everything is made of that
/// coroutines of one loop wait for in a line. Confined to its loop.
///
/// A subclass says when the oldest may be served ([#isReady]), what serving takes ([#take]) and how
/// that is put back ([#putBack]); whenever it might have become ready it calls [#serve]. The rest is
/// solved here, once:
///
/// - *First come, first served.* Nobody is served before one who came earlier, also if less would do
///   for him.
/// - *Handed over, not released.* Whoever is served has it from that moment on, before he runs. No
///   newcomer slips in between.
/// - *Whoever has lost is gone.* A member of a select that something else has won, or that was cancelled,
///   keeps nobody waiting until its coroutine has run.
/// - *Nothing is lost.* One who leaves before he is served makes way for those behind him. One who was
///   served and leaves without having run puts it back, and it is the oldest other's.
///
/// @param <W> what each of them wants, such as a number of permits
public abstract class WaitQueue<W extends @Nullable Object> {
  /// Somebody's place in a queue. Waiting at several queues takes a place in each.
  public abstract static class Place<W extends @Nullable Object> extends Line.Member {
    private final WaitQueue<W> queue;
    protected final W want;

    protected Place(WaitQueue<W> queue, W want) {
      this.queue = queue;
      this.want = want;
    }

    /// Whether it still wants to be served; if so it will be, now.
    protected boolean claim() {
      return true;
    }

    /// Whether it will leave, and has only not come to it.
    protected boolean isLost() {
      return false;
    }

    /// It has what it wants. Must not run user code.
    protected abstract void served();

    /// Takes it at once if nobody is ahead; else goes to the end of the queue, and false.
    public final boolean enter() {
      if (queue.tryTake(want)) {
        return true;
      }
      queue.places.add(this);
      return false;
    }

    /// Goes to the end of the queue, where it may be served at once.
    public final void join() {
      queue.places.add(this);
      queue.serve();
    }

    /// Leaves unserved: those behind may be served now.
    public final void leave() {
      if (leaveLine()) {
        queue.serve();
      }
    }
  }

  private final Line<Place<W>> places = new Line<>();

  /// Whether the oldest can be served.
  protected abstract boolean isReady(W want);

  /// The oldest is served, and takes what he wants.
  protected void take(W want) {}

  /// Somebody was served, but left before he could use it. Serving the next one comes after this.
  protected void putBack(W want) {}

  /// Everybody who could be served was.
  protected void settled() {}

  /// What is awaited, in words.
  protected abstract String describe(W want);

  public final boolean isEmpty() {
    return places.isEmpty();
  }

  public final int size() {
    return places.size();
  }

  /// Takes it if nobody waits and it can be had at once.
  public final boolean tryTake(W want) {
    Place<W> oldest = places.first();
    if (oldest != null && oldest.isLost()) {
      serve(); // it is out of the way then, and those behind it come first
    }
    if (!isEmpty() || !isReady(want)) {
      return false;
    }
    take(want);
    return true;
  }

  /// Somebody who was served gives it back, used or not: it is the next one's.
  public final void returned(W want) {
    putBack(want);
    serve();
  }

  /// Waiting in the queue until served.
  public final Operation waiting(W want) {
    return new Waiting<>(this, want);
  }

  /// Serves the oldest for as long as there is something for him.
  public final void serve() {
    Place<W> passed = null;
    while (true) {
      Place<W> place = passed == null ? places.first() : places.next(passed);
      if (place == null) {
        break;
      } else if (place.isLost()) {
        places.remove(place); // nobody waits there any more: he need not run first to make way
      } else if (!isReady(place.want)) {
        break;
      } else if (place.claim()) {
        places.remove(place);
        take(place.want);
        place.served();
      } else {
        passed = place; // he asks again
      }
    }
    settled();
  }

  /// A coroutine that waits at one queue, and for nothing else.
  private static final class Waiting<W extends @Nullable Object> extends Place<W>
      implements Operation {
    private @Nullable Waiter waiter;

    Waiting(WaitQueue<W> queue, W want) {
      super(queue, want);
    }

    @Override
    public boolean start(Waiter newWaiter) {
      waiter = newWaiter;
      return enter();
    }

    @Override
    protected void served() {
      if (waiter != null) {
        waiter.completed();
      }
    }

    @Override
    public void cancel() {
      leave();
    }

    @Override
    public void surrender() {
      super.queue.returned(want);
    }

    @Override
    public String toString() {
      return super.queue.describe(want);
    }
  }
}
