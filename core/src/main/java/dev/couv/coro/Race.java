// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Outcomes;
import dev.couv.strand.Strand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bodies that run as coroutines until the first of them ends.
final class Race {
  private Race() {}

  @SuppressWarnings("try") // closing waits, and may be interrupted like any wait
  static <T extends @Nullable Object> T run(
      Strand current, Iterable<? extends Body<? extends T>> bodies) throws Exception {
    List<Body<? extends T>> runners = new ArrayList<>();
    bodies.forEach(runners::add);
    if (runners.isEmpty()) {
      throw new IllegalArgumentException("Await.race: there is nothing to run");
    }
    List<Late> late = new ArrayList<>(0);
    T value;
    Block block = Block.opened(current, OnFailure.KEEP, false);
    block.name("race");
    try (Scope scope = Scope.of(block)) {
      scope.onFailure((loser, thrown) -> late.add(new Late(loser, thrown)));
      List<Coroutine<? extends T>> coroutines = new ArrayList<>();
      for (Body<? extends T> runner : runners) {
        coroutines.add(scope.spawn(runner));
      }
      value = Await.any(coroutines);
      block.cancel("another was first");
    } catch (Throwable failed) {
      for (Late loser : late) {
        Outcomes.suppress(failed, loser.thrown);
      }
      throw failed;
    }
    for (Late loser : late) {
      LoopKeeper.of(current.scheduler()).reports.failure(loser.coroutine.strand(), loser.thrown);
    }
    return value;
  }

  /// One that failed when it was decided already.
  private record Late(Coroutine<?> coroutine, Throwable thrown) {}
}
