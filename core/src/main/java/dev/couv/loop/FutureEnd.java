// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// Those who want to know of the end of one future of ordinary Java code. Any thread.
///
/// A future keeps whatever was once attached to it until it is done, and searches all of that if it is to
/// let go of something. So however many are interested, from all loops, one thing is attached to it; it
/// is taken away when the last of them leaves, and each leaves without a search. A future that lives as
/// long as the program may be awaited any number of times.
public final class FutureEnd {
  private static final SpinLock LOCK = new SpinLock();

  /// Of the futures that somebody listens to. Guarded by the lock. It keeps neither: what is attached to
  /// the future does, so that one which nobody can complete any more is garbage, and its listeners with it.
  private static final Map<WeakKey, Reference<FutureEnd>> LISTENED = new HashMap<>();

  private static final ReferenceQueue<Object> GARBAGE = new ReferenceQueue<>();

  /// Somebody who is told, once, on the thread that completes the future.
  public abstract static class Listener extends Line.Member {
    private @Nullable FutureEnd end;

    /// What it failed with is [bare][#bare]. Must not throw.
    protected abstract void ended(@Nullable Object value, @Nullable Throwable thrown);
  }

  private final WeakKey key;

  /// Done when nobody listens any more.
  private final CompletableFuture<?> nobody = new CompletableFuture<>();

  /// Guarded by the lock.
  private final Line<Listener> listeners = new Line<>();

  private FutureEnd(WeakKey key) {
    this.key = key;
  }

  /// Tells the listener when the future is done: at once if it is.
  public static void listen(CompletableFuture<?> future, Listener listener) {
    FutureEnd fresh = new FutureEnd(new WeakKey(future, GARBAGE));
    Reference<FutureEnd> entry = new WeakReference<>(fresh);
    FutureEnd known;
    expunge();
    try (var _ = LOCK.hold()) {
      Reference<FutureEnd> before = LISTENED.get(fresh.key);
      known = before == null ? null : before.get();
      if (known == null) {
        LISTENED.put(fresh.key, entry);
      }
      listener.end = known == null ? fresh : known;
      listener.end.listeners.add(listener);
    }
    if (known == null) {
      boolean attached = false;
      try {
        fresh.attach(
            future); // the listener does not leave before this returns: the line is not empty
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
    try (var _ = LOCK.hold()) {
      FutureEnd end = listener.end;
      if (end == null || !end.listeners.remove(listener)) {
        return false;
      }
      if (end.listeners.isEmpty()) {
        end.forget();
        unneeded = end;
      }
    }
    if (unneeded != null) {
      unneeded.nobody.complete(null);
    }
    return true;
  }

  /// What a future was completed with, without the `CompletionException` around it.
  public static Throwable bare(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
  }

  /// Why by `anyOf`: of all that can be asked of a future only that is forgotten by it when it is no
  /// longer needed, because another of its members was first.
  private void attach(CompletableFuture<?> future) {
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
    List<Listener> told;
    try (var _ = LOCK.hold()) {
      forget();
      told = listeners.drain();
    }
    Throwable bare = thrown == null ? null : bare(thrown);
    told.forEach(listener -> listener.ended(value, bare));
  }

  /// Under the lock.
  private void forget() {
    Reference<FutureEnd> known = LISTENED.get(key);
    if (known != null && known.refersTo(this)) {
      LISTENED.remove(key);
    }
  }

  /// Not under the lock: the collector's queue has one of the JDK.
  private static void expunge() {
    for (Reference<?> gone; (gone = GARBAGE.poll()) != null; ) {
      try (var _ = LOCK.hold()) {
        LISTENED.remove(gone);
      }
    }
  }
}
