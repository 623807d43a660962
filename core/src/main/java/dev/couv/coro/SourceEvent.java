// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Wording;
import org.jspecify.annotations.Nullable;

/// Something that can be awaited, as an event: started, a coroutine awaits it and fires the outcome.
final class SourceEvent<T extends @Nullable Object> extends Event<T> {
  private final Awaitable<T> source;
  private @Nullable Coroutine<@Nullable Void> waiting;

  SourceEvent(Awaitable<T> source) {
    this.source = source;
  }

  @Override
  protected void onStart() {
    // In the loop's scope, not in that of who happened to come first: others await it too.
    waiting = Loop.current().spawn(this::follow).named("event of " + Wording.of(source));
  }

  @Override
  protected void onStop() {
    Coroutine<?> left = waiting;
    waiting = null;
    if (left != null) {
      left.cancel("nobody awaits " + this + " any more");
    }
  }

  private void follow() throws Exception {
    T value;
    try {
      value = source.await();
    } catch (Cancelled | Resumed left) {
      throw left;
    } catch (Throwable failure) {
      waiting = null;
      fireAndClose(null, failure);
      return;
    }
    waiting = null; // what it fires stops the event, and must not cancel this
    fireAndClose(value, null);
  }

  @Override
  public String toString() {
    return "event of " + source;
  }
}
