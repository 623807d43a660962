// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Topics of three keys: one list of all who wait, in the order they came, and what is kept.
final class ModelTopic extends ModelSubject {
  private static final List<String> KEYS = List.of("a", "b", "c");

  /// Somebody who waits: for which keys, and what he has heard.
  private static final class Listener {
    private final ModelActor actor;
    private final List<String> keys;
    private final boolean all;
    private final Map<String, Object> heard = new LinkedHashMap<>();

    /// Those who were told what he heard last and have not left without it, if it must not be lost.
    private List<Listener> holders = new ArrayList<>(0);

    Listener(ModelActor actor, List<String> keys, boolean all) {
      this.actor = actor;
      this.keys = keys;
      this.all = all;
    }

    boolean awaits(String key) {
      return keys.contains(key) && !heard.containsKey(key);
    }

    boolean isDone() {
      return heard.size() >= (all ? keys.size() : 1);
    }

    Object result() {
      if (all) {
        return keys.stream().map(heard::get).toList();
      }
      var first = heard.entrySet().iterator().next();
      return keys.size() == 1 ? first.getValue() : new Emission(first.getKey(), first.getValue());
    }
  }

  private final ModelStage stage;
  private final boolean queued;
  private final List<Listener> waiting = new ArrayList<>();
  private final Map<String, List<Object>> kept = new HashMap<>();

  /// What was emitted, in that order; no two are equal.
  private final List<Object> emitted = new ArrayList<>();

  private int emissions;

  ModelTopic(ModelStage stage, boolean queued) {
    this.stage = stage;
    this.queued = queued;
    KEYS.forEach(key -> kept.put(key, new ArrayList<>()));
  }

  @Override
  int verbs() {
    return 6;
  }

  @Override
  boolean mayWait(int verb) {
    return verb <= 3;
  }

  @Override
  Play play(ModelActor actor, int verb, int argument) {
    String key = KEYS.get(argument % 3);
    String other = KEYS.get((argument + 1 + argument / 3 % 2) % 3);
    return switch (verb) {
      case 0, 1 -> {
        List<String> one = List.of(key);
        yield new Play(
            "awaits " + key,
            () -> queued ? QueuedTopic.await(key) : Topic.await(key),
            () -> await(new Listener(actor, one, false)));
      }
      case 2 ->
          new Play(
              "awaits any of " + key + other,
              () -> queued ? QueuedTopic.awaitAny(key, other) : Topic.awaitAny(key, other),
              () -> await(new Listener(actor, List.of(key, other), false)));
      case 3 ->
          new Play(
              "awaits all of " + key + other,
              () -> queued ? QueuedTopic.awaitAll(key, other) : Topic.awaitAll(key, other),
              () -> await(new Listener(actor, List.of(key, other), true)));
      default -> emission(key, verb == 4, ++emissions);
    };
  }

  private Play emission(String key, boolean toAll, int value) {
    return new Play(
        "emits " + value + (toAll ? " to all of " : " to one of ") + key,
        () -> {
          if (toAll) {
            return queued ? QueuedTopic.emitAll(key, value) : Topic.emitAll(key, value);
          }
          return queued ? QueuedTopic.emitOne(key, value) : Topic.emitOne(key, value);
        },
        () -> emit(key, toAll, value));
  }

  private Object await(Listener listener) {
    for (String key : listener.keys) {
      if (!listener.isDone() && !kept.get(key).isEmpty()) {
        listener.heard.put(key, kept.get(key).removeFirst());
      }
    }
    if (listener.isDone()) {
      return listener.result();
    }
    waiting.add(listener);
    return listener.actor.block(
        new ModelActor.Wait() {
          @Override
          public void left() {
            waiting.remove(listener);
          }

          @Override
          public void putBack(Object granted) {
            if (!listener.all && listener.holders.remove(listener) && listener.holders.isEmpty()) {
              var unseen = listener.heard.entrySet().iterator().next();
              handOn(unseen.getKey(), unseen.getValue());
            }
          }
        });
  }

  private Object emit(String key, boolean toAll, Object value) {
    emitted.add(value);
    List<Listener> told = waiting.stream().filter(listener -> listener.awaits(key)).toList();
    if (told.isEmpty()) {
      if (queued) {
        kept.get(key).add(value);
      }
      return false;
    }
    if (toAll) {
      List<Listener> holders = new ArrayList<>(queued ? told : List.of());
      told.forEach(listener -> tell(listener, key, value, holders));
    } else {
      tellOne(told.getFirst(), key, value);
    }
    return true;
  }

  private void tellOne(Listener listener, String key, Object value) {
    tell(listener, key, value, new ArrayList<>(List.of(listener)));
  }

  private void tell(Listener listener, String key, Object value, List<Listener> holders) {
    listener.heard.put(key, value);
    listener.holders = holders;
    if (listener.isDone()) {
      waiting.remove(listener);
      listener.actor.grant(stage, listener.result());
    }
  }

  private void handOn(String key, Object value) {
    for (Listener other : waiting) {
      if (other.awaits(key)) {
        tellOne(other, key, value);
        return;
      }
    }
    if (queued) {
      kept.get(key).add(value);
      kept.get(key).sort(Comparator.comparingInt(emitted::indexOf));
    }
  }

  @Override
  void check() {
    for (String key : KEYS) {
      boolean awaited = waiting.stream().anyMatch(listener -> listener.awaits(key));
      ModelStage.expect(
          awaited, queued ? QueuedTopic.isAwaited(key) : Topic.isAwaited(key), "awaited " + key);
      if (queued) {
        ModelStage.expect(!kept.get(key).isEmpty(), QueuedTopic.isQueued(key), "kept " + key);
      }
    }
  }
}
