// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Wording;
import dev.couv.strand.Outcomes;
import org.jspecify.annotations.Nullable;

/// Something that can be awaited, as an event: started, a coroutine awaits it and fires the outcome. That
/// is the loop's: the scope of whoever starts the event may end before others have heard of it.
final class SourceEvent<T extends @Nullable Object> extends Event<T> {
  private final Awaitable<T> source;
  private @Nullable Coroutine<@Nullable Void> waiting;

  SourceEvent(Awaitable<T> source) {
    this.source = source;
  }

  @Override
  protected void onStart() {
    Action body = this::follow;
    waiting =
        new Coroutine<>(LoopKeeper.of(scheduler()).root, Body.of(body), body)
            .named("event of " + Wording.of(source))
            .onEnd((nothing, thrown) -> ended(thrown));
    waiting.strand().begin();
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

  /// Not because it has fired or was stopped: the loop ends, perhaps before it began.
  private void ended(@Nullable Throwable unwinding) {
    if (waiting != null) {
      waiting = null;
      settleOnLoop(null, Outcomes.cancellation("an event", "its loop ends", unwinding));
    }
  }

  @Override
  public String toString() {
    return "event of " + Wording.of(source);
  }
}
