// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Firing;
import dev.couv.loop.WaitQueue;
import org.jspecify.annotations.Nullable;

/// Those who await one key. An event serves as many of them as it is for, at once, and is gone.
final class Listeners extends WaitQueue<TopicWait> {
  private final Topics topics;
  private final Object key;

  // The event that is being told.
  private @Nullable Object value;
  private @Nullable Firing firing;
  private int left;

  Listeners(Topics topics, Object key) {
    this.topics = topics;
    this.key = key;
  }

  /// Tells the event to that many. The firing is that of one that must not be lost.
  void emit(@Nullable Object newValue, @Nullable Firing newFiring, int count) {
    value = newValue;
    firing = newFiring;
    left = count;
    serve();
    left = 0;
    value = null;
    firing = null;
  }

  @Override
  protected boolean isReady(TopicWait want) {
    return left > 0;
  }

  @Override
  protected void take(TopicWait want) {
    left--;
    want.receive(key, value, firing);
  }

  @Override
  protected void putBack(TopicWait want) {
    throw new AssertionError("whoever has seen an event of " + topics + " hands it on himself");
  }

  @Override
  protected void settled() {
    if (isEmpty()) {
      topics.forget(key, this);
    }
  }

  @Override
  protected String describe(TopicWait want) {
    return topics + " " + key;
  }
}
