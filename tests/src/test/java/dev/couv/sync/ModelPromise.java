// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Await;
import java.util.ArrayList;
import java.util.List;

/// Two promises, awaited one by one or the first of both; a new one takes the place of one that is done.
final class ModelPromise extends ModelSubject {
  private static final class Twin {
    private final Promise<Integer> promise = new Promise<>();
    private Object outcome;
  }

  /// Somebody who waits for one or both.
  private record Listener(ModelActor actor, List<Twin> twins) {}

  private final ModelStage stage;
  private final List<Twin> twins = new ArrayList<>(List.of(new Twin(), new Twin()));
  private final List<Listener> waiting = new ArrayList<>();

  ModelPromise(ModelStage stage) {
    this.stage = stage;
  }

  @Override
  int verbs() {
    return 6;
  }

  @Override
  boolean mayWait(int verb) {
    return verb <= 2;
  }

  @Override
  Play play(ModelActor actor, int verb, int argument) {
    Twin twin = twins.get(argument % 2);
    Twin other = twins.get(1 - argument % 2);
    return switch (verb) {
      case 0, 1 ->
          new Play("awaits a promise", twin.promise::await, () -> await(actor, List.of(twin)));
      case 2 ->
          new Play(
              "awaits the first of two promises",
              () -> Await.any(twin.promise, other.promise),
              () -> await(actor, List.of(twin, other)));
      case 3 ->
          new Play(
              "completes a promise",
              () -> twin.promise.complete(argument),
              () -> settle(twin, String.valueOf(argument)));
      case 4 -> new Play("cancels a promise", twin.promise::cancel, () -> settle(twin, "failed"));
      default -> {
        if (twin.outcome != null) {
          twins.set(argument % 2, new Twin());
        }
        yield null;
      }
    };
  }

  private Object await(ModelActor actor, List<Twin> awaited) {
    for (Twin twin : awaited) {
      if (twin.outcome != null) {
        return seen(twin);
      }
    }
    Listener listener = new Listener(actor, awaited);
    waiting.add(listener);
    return actor.block(
        new ModelActor.Wait() {
          @Override
          public void left() {
            waiting.remove(listener);
          }

          @Override
          public void putBack(Object granted) {}
        });
  }

  private static Object seen(Twin twin) {
    return twin.outcome.equals("failed") ? "CancellationException" : twin.outcome;
  }

  private Object settle(Twin twin, Object outcome) {
    if (twin.outcome != null) {
      return false;
    }
    twin.outcome = outcome;
    for (Listener listener : List.copyOf(waiting)) {
      if (listener.twins.contains(twin)) {
        waiting.remove(listener);
        listener.actor.grant(stage, seen(twin));
      }
    }
    return true;
  }

  @Override
  void check() {
    for (Twin twin : twins) {
      ModelStage.expect(twin.outcome != null, twin.promise.isDone(), "done");
    }
  }
}
