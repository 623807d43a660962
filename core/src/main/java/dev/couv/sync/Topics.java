// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Firing;
import dev.couv.loop.Kept;
import dev.couv.strand.Suspension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Who awaits which key in one loop.
final class Topics {
  private final String noun;

  /// Null if events that nobody awaits are missed.
  private final @Nullable KeptEvents kept;

  /// Only of the keys that somebody awaits.
  private final Map<Object, Listeners> listeners = new HashMap<>();

  /// How many events there were.
  private long events;

  Topics(String noun, @Nullable KeptEvents kept) {
    this.noun = noun;
    this.kept = kept;
  }

  @Nullable Object await(Object key) {
    Objects.requireNonNull(key, "a key to await");
    return await(List.of(key), false).value(key);
  }

  Emission awaitAny(@Nullable Object... keys) {
    List<Object> distinct = distinct(keys);
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException("awaitAny needs a key");
    }
    return await(distinct, false).first();
  }

  List<@Nullable Object> awaitAll(@Nullable Object... keys) {
    List<Object> distinct = distinct(keys);
    TopicWait wait = await(distinct, true);
    List<@Nullable Object> values = new ArrayList<>(distinct.size());
    distinct.forEach(key -> values.add(wait.value(key)));
    return values;
  }

  private TopicWait await(List<Object> keys, boolean all) {
    TopicWait wait = new TopicWait(this, keys, all);
    Suspension.await(wait);
    return wait;
  }

  private static List<Object> distinct(@Nullable Object... keys) {
    return Arrays.stream(keys).filter(Objects::nonNull).distinct().toList();
  }

  /// To everybody who awaits the key, or to who has awaited it longest. False if nobody does.
  boolean emit(@Nullable Object key, @Nullable Object value, boolean toAll) {
    Listeners told = key == null ? null : listeners.get(key);
    if (told != null) {
      int count = toAll ? told.size() : 1;
      events++;
      // What is for one, or would have been kept, must not be lost, if none of those it was told to
      // sees it.
      told.emit(value, toAll && kept == null ? null : new Firing(events, count), count);
    } else if (key != null && kept != null) {
      kept.keep(key, value, ++events);
    }
    return told != null;
  }

  boolean isAwaited(@Nullable Object key) {
    return key != null && listeners.containsKey(key);
  }

  boolean isQueued(@Nullable Object key) {
    return key != null && kept != null && kept.has(key);
  }

  /// Those who await the key, to join them.
  Listeners listeners(Object key) {
    return listeners.computeIfAbsent(key, missing -> new Listeners(this, missing));
  }

  /// Nobody awaits it any more.
  void forget(Object key, Listeners empty) {
    listeners.remove(key, empty);
  }

  /// The oldest event that is kept for the key.
  Kept.@Nullable Item<@Nullable Object> takeKept(Object key) {
    return kept == null ? null : kept.take(key);
  }

  /// Everybody an event was told to left without having seen it: it is the oldest other's.
  void handOn(Object key, @Nullable Object value, long serial) {
    Listeners others = listeners.get(key);
    if (others != null) {
      others.emit(value, new Firing(serial, 1), 1);
    } else if (kept != null) {
      kept.keep(key, value, serial);
    }
  }

  @Override
  public String toString() {
    return noun;
  }
}
