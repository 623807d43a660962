// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Escaped;
import dev.couv.loop.Line;
import dev.couv.strand.Outcomes;
import dev.couv.strand.Scheduler;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The callbacks of one event, in the order they were subscribed. What they may do to the list while
/// they are told is said at [Event].
final class Subscriptions<T extends @Nullable Object> {
  private final Scheduler scheduler;
  private final Line<Subscription<T>> subscriptions = new Line<>();

  /// The oldest of each callback, which knows the others of the same.
  private final Map<Event.Callback<T>, Subscription<T>> oldest = new HashMap<>(0);

  /// Firings seen on the loop's thread, which a coroutine is about to tell, oldest first.
  private @Nullable ArrayDeque<Notice<T>> notices;

  Subscriptions(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  private static final class Subscription<T extends @Nullable Object> extends Line.Member {
    final Event.Callback<T> callback;
    boolean over;

    /// The next of the same callback, and in the oldest of them the last.
    @Nullable Subscription<T> again;

    Subscription<T> youngest = this;

    Subscription(Event.Callback<T> callback) {
      this.callback = callback;
    }
  }

  private record Notice<T extends @Nullable Object>(
      List<Subscription<T>> told, @Nullable T value, @Nullable Throwable error, boolean isLast) {}

  boolean isEmpty() {
    return subscriptions.isEmpty();
  }

  void add(Event.Callback<T> callback) {
    Subscription<T> added = new Subscription<>(callback);
    subscriptions.add(added);
    Subscription<T> first = oldest.putIfAbsent(callback, added);
    if (first != null) {
      first.youngest.again = added;
      first.youngest = added;
    }
  }

  /// Takes out the oldest subscription of that callback. False if there is none.
  boolean remove(Event.Callback<T> callback) {
    Subscription<T> removed = oldest.remove(callback);
    if (removed == null) {
      return false;
    }
    removed.over = true;
    subscriptions.remove(removed);
    Subscription<T> next = removed.again;
    if (next != null) {
      next.youngest = removed.youngest;
      oldest.put(next.callback, next);
    }
    return true;
  }

  /// Nobody is told any more, not even of what is being told now.
  void clear() {
    subscriptions.list().forEach(subscription -> subscription.over = true);
    forget();
  }

  /// Nobody is told of what comes later.
  private void forget() {
    while (subscriptions.poll() != null) {}
    oldest.clear();
  }

  /// Tells everybody who is subscribed now; if it is the last time, nobody is afterwards. In a
  /// coroutine.
  void tell(@Nullable T value, @Nullable Throwable error, boolean isLast) throws Exception {
    if (!subscriptions.isEmpty()) {
      Throwable thrown = tell(new Notice<>(subscriptions.list(), value, error, isLast), null);
      if (thrown != null) {
        throw Outcomes.rethrow(thrown);
      }
    }
  }

  /// Has all of them told by a coroutine of the loop, which tells one firing after the other. Loop thread.
  void tellLater(@Nullable T value, @Nullable Throwable error, boolean isLast) {
    if (subscriptions.isEmpty()) {
      return;
    }
    Notice<T> notice = new Notice<>(subscriptions.list(), value, error, isLast);
    if (notices != null) {
      notices.addLast(notice);
      return;
    }
    ArrayDeque<Notice<T>> queue = new ArrayDeque<>();
    queue.addLast(notice);
    notices = queue;
    Chore.begin(scheduler, LoopKeeper.of(scheduler).root, "callbacks", () -> tellAll(queue));
  }

  private void tellAll(ArrayDeque<Notice<T>> queue) throws Exception {
    Throwable thrown = null;
    try {
      for (Notice<T> notice; (notice = queue.poll()) != null; ) {
        thrown = tell(notice, thrown);
      }
    } finally {
      notices = null;
    }
    if (thrown != null) {
      throw Outcomes.rethrow(thrown);
    }
  }

  /// Returns the first that was thrown, before or now, with the others suppressed in it.
  private @Nullable Throwable tell(Notice<T> notice, @Nullable Throwable before) {
    Throwable first = before;
    for (Subscription<T> subscription : notice.told) {
      if (subscription.over) {
        continue; // the event was closed, or it was unsubscribed, by one before it
      }
      try {
        subscription.callback.fired(notice.value, notice.error);
      } catch (Throwable thrown) {
        first = Escaped.first(first, thrown);
      }
    }
    if (notice.isLast) {
      forget();
    }
    return first;
  }
}
