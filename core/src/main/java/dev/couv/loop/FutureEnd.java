// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Those who want to know of the end of one future of ordinary Java code. Any thread.
///
/// A future keeps whatever was once attached to it until it is done, and searches all of that if it is to
/// let go of something. So however many are interested, from all loops, one thing is attached to it; it
/// is taken away when the last of them leaves, and each leaves without a search. A future that lives as
/// long as the program may be awaited any number of times.
public final class FutureEnd {
  private static final SpinLock LOCK = new SpinLock();

  /// Of the futures that somebody listens to. Guarded by the lock.
  private static final HashMap<Known, Known> LISTENED = new HashMap<>();

  private static final ReferenceQueue<FutureEnd> COLLECTED = new ReferenceQueue<>();

  /// One of them, by its future. Weakly: the future itself holds what was attached to it, and what nobody
  /// can complete any more goes with those who wait for it.
  private static final class Known extends WeakReference<FutureEnd> {
    private final int hash;

    Known(FutureEnd end) {
      super(end, COLLECTED);
      hash = System.identityHashCode(end.future);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      FutureEnd end = get();
      FutureEnd others = other instanceof Known known ? known.get() : null;
      return end != null && others != null && end.future == others.future;
    }
  }

  /// Somebody who is told, once, on the thread that completes the future.
  public abstract static class Listener extends Line.Member {
    private @Nullable FutureEnd end;

    /// What it failed with may be wrapped in a `CompletionException`. Must not throw.
    protected abstract void ended(@Nullable Object value, @Nullable Throwable thrown);
  }

  private final CompletableFuture<?> future;
  private final Known known;

  /// Done when nobody listens any more.
  private final CompletableFuture<?> nobody = new CompletableFuture<>();

  /// Guarded by the lock.
  private final Line<Listener> listeners = new Line<>();

  private FutureEnd(CompletableFuture<?> future) {
    this.future = future;
    known = new Known(this);
  }

  /// Tells the listener when the future is done: at once if it is.
  public static void listen(CompletableFuture<?> future, Listener listener) {
    dropCollected();
    FutureEnd fresh = new FutureEnd(future);
    FutureEnd end;
    LOCK.lock();
    try {
      Known other = LISTENED.putIfAbsent(fresh.known, fresh.known);
      FutureEnd listened = other == null ? null : other.get();
      end = listened == null ? fresh : listened;
      end.listeners.add(listener);
      listener.end = end;
    } finally {
      LOCK.unlock();
    }
    if (end == fresh) {
      boolean attached = false;
      try {
        fresh.attach(); // the listener does not leave before this returns: the line is not empty
        attached = true;
      } finally {
        if (!attached) {
          leave(listener);
        }
      }
    }
  }

  /// It is not told any more. False if it was, or is about to be.
  public static boolean leave(Listener listener) {
    FutureEnd unneeded = null;
    LOCK.lock();
    try {
      FutureEnd end = listener.end;
      if (end == null || !end.listeners.remove(listener)) {
        return false;
      }
      if (end.listeners.isEmpty()) {
        end.forget();
        unneeded = end;
      }
    } finally {
      LOCK.unlock();
    }
    if (unneeded != null) {
      unneeded.nobody.complete(null);
    }
    return true;
  }

  /// Why by `anyOf`: of all that can be asked of a future only that is forgotten by it when it is no
  /// longer needed, because another of its members was first.
  private void attach() {
    var _ =
        CompletableFuture.anyOf(future, nobody)
            .whenComplete(
                (value, thrown) -> {
                  if (!nobody.isDone()) {
                    ended(value, thrown);
                  }
                });
  }

  private void ended(@Nullable Object value, @Nullable Throwable thrown) {
    List<Listener> told = new ArrayList<>(1);
    LOCK.lock();
    try {
      forget();
      for (Listener next; (next = listeners.poll()) != null; ) {
        told.add(next);
      }
    } finally {
      LOCK.unlock();
    }
    told.forEach(listener -> listener.ended(value, thrown));
  }

  /// Under the lock. The future may have another end already, whose this is not.
  private void forget() {
    if (LISTENED.get(known) == known) {
      LISTENED.remove(known);
    }
  }

  private static void dropCollected() {
    for (Object gone; (gone = COLLECTED.poll()) != null; ) {
      LOCK.lock();
      try {
        LISTENED.remove(gone);
      } finally {
        LOCK.unlock();
      }
    }
  }
}
