// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The callbacks of one event, in the order they were subscribed. What they may do to the list while
/// they are told is said at [Event].
final class Callbacks<T extends @Nullable Object> {
  private final Scheduler scheduler;
  private final List<Subscription<T>> subscriptions = new ArrayList<>(0);

  /// Firings seen on the loop's thread, which a coroutine is about to tell, oldest first.
  private @Nullable ArrayDeque<Notice<T>> notices;

  Callbacks(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  private static final class Subscription<T extends @Nullable Object> {
    final Event.Callback<T> callback;
    boolean over;

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
    subscriptions.add(new Subscription<>(callback));
  }

  /// Takes out the oldest subscription of that callback. False if there is none.
  boolean remove(Event.Callback<T> callback) {
    for (int i = 0; i < subscriptions.size(); i++) {
      if (subscriptions.get(i).callback.equals(callback)) {
        subscriptions.remove(i).over = true;
        return true;
      }
    }
    return false;
  }

  /// Nobody is told any more, not even of what is being told now.
  void clear() {
    subscriptions.forEach(subscription -> subscription.over = true);
    subscriptions.clear();
  }

  /// Tells everybody who is subscribed now; if it is the last time, nobody is afterwards. In a
  /// coroutine.
  void tell(@Nullable T value, @Nullable Throwable error, boolean isLast) throws Exception {
    if (!subscriptions.isEmpty()) {
      Throwable thrown = tell(new Notice<>(List.copyOf(subscriptions), value, error, isLast), null);
      if (thrown != null) {
        throw Outcomes.rethrow(thrown);
      }
    }
  }

  /// Likewise, but by a coroutine of the loop, which tells one firing after the other. Loop thread.
  void tellLater(@Nullable T value, @Nullable Throwable error, boolean isLast) {
    if (subscriptions.isEmpty()) {
      return;
    }
    Notice<T> notice = new Notice<>(List.copyOf(subscriptions), value, error, isLast);
    if (notices != null) {
      notices.addLast(notice);
      return;
    }
    ArrayDeque<Notice<T>> queue = new ArrayDeque<>();
    queue.addLast(notice);
    notices = queue;
    Action body = () -> tellAll(queue);
    Coroutine.prepared(scheduler, Coroutine.body(body), body).named("callbacks").begin();
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
        if (first == null) {
          first = thrown;
        } else if (first != thrown) {
          first.addSuppressed(thrown);
        }
      }
    }
    if (notice.isLast) {
      subscriptions.clear();
    }
    return first;
  }
}
