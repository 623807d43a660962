// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Firing;
import dev.couv.loop.Kept;
import dev.couv.loop.WaitOperation;
import dev.couv.loop.WaitQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A coroutine that waits for events on so many of its keys: one of them, or all. It stands in the line
/// of each until it has heard of it, or of enough.
final class TopicWait extends WaitOperation {
  private final Topics topics;
  private final List<Object> keys;
  private final boolean all;
  private final int needed;
  private final Map<Object, @Nullable Object> heard = new LinkedHashMap<>(2);
  private final List<Ear> ears = new ArrayList<>(1);

  /// The event it heard last, if that must not be lost.
  private @Nullable Firing firing;

  /// The keys must be distinct.
  TopicWait(Topics topics, List<Object> keys, boolean all) {
    this.topics = topics;
    this.keys = keys;
    this.all = all;
    this.needed = all ? keys.size() : 1;
  }

  @Override
  protected boolean enter() {
    for (Object key : keys) {
      if (heard.size() < needed
          && topics.takeKept(key) instanceof Kept.Item<?>(var value, var number)) {
        receive(key, value, new Firing(number, 1));
      }
    }
    if (isEnough()) {
      return true;
    }
    for (Object key : keys) {
      if (!heard.containsKey(key)) {
        Ear ear = new Ear(topics.listeners(key), this);
        ears.add(ear);
        ear.enter();
      }
    }
    return false;
  }

  void receive(Object key, @Nullable Object value, @Nullable Firing newFiring) {
    heard.put(key, value);
    firing = newFiring;
  }

  @Nullable Object value(Object key) {
    return heard.get(key);
  }

  Emission first() {
    var entry = heard.entrySet().iterator().next();
    return new Emission(entry.getKey(), entry.getValue());
  }

  private boolean isEnough() {
    return heard.size() >= needed;
  }

  private void heardOne() {
    if (isEnough()) {
      leave();
      told();
    }
  }

  @Override
  protected void leave() {
    ears.forEach(WaitQueue.Place::leave);
  }

  /// An event that must not be lost, and that nobody else it was told to can see any more, is the next
  /// one's. One who waited for several has taken them.
  @Override
  public void surrender() {
    if (firing != null && !all && firing.leftUnseen()) {
      Emission unseen = first();
      topics.handOn(unseen.key(), unseen.value(), firing.serial());
    }
  }

  @Override
  public String toString() {
    if (keys.size() == 1) {
      return topics + " " + keys.getFirst();
    }
    return all
        ? topics + ", all of " + keys + ", heard " + heard.keySet()
        : topics + ", any of " + keys;
  }

  /// Its place among those who await one key.
  private static final class Ear extends WaitQueue.Place<TopicWait> {
    Ear(Listeners queue, TopicWait wait) {
      super(queue, wait);
    }

    @Override
    protected void served() {
      want.heardOne();
    }
  }
}
