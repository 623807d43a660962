// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A stage of ordinary Java code, which any thread may complete, awaited in a loop. While somebody
/// waits for it the loop stays alive.
///
/// It is told of the end only while somebody waits, and leaves nothing with the stage afterwards: one that
/// lives as long as the program may be a member of any number of waits.
final class StageSource<T extends @Nullable Object> implements Selectable<T> {
  private final Scheduler scheduler;
  private final CompletableFuture<? extends T> future;

  // Loop only.
  private final List<Seat<T>> waiting = new ArrayList<>(1);

  /// Completed when nobody waits any more; null if nobody does.
  private @Nullable CompletableFuture<?> left;

  private @Nullable Outcome<T> outcome;

  StageSource(CompletionStage<? extends T> stage) {
    scheduler = Strand.current("Await.stage").scheduler();
    future = future(stage);
  }

  @SuppressWarnings("NullAway") // null only where T allows it
  private static <T extends @Nullable Object> CompletableFuture<? extends T> future(
      CompletionStage<? extends T> stage) {
    try {
      return stage.toCompletableFuture();
    } catch (UnsupportedOperationException none) {
      CompletableFuture<T> copy = new CompletableFuture<>();
      var _ =
          stage.whenComplete(
              (value, thrown) -> {
                if (thrown == null) {
                  copy.complete(value);
                } else {
                  copy.completeExceptionally(thrown);
                }
              });
      return copy;
    }
  }

  /// It is done.
  private Outcome<T> look() {
    try {
      return Outcome.value(future.join());
    } catch (CompletionException failed) {
      return Outcome.failure(failed.getCause() == null ? failed : failed.getCause());
    } catch (CancellationException cancelled) {
      return Outcome.failure(cancelled);
    }
  }

  /// Loop thread.
  private void tell() {
    Outcome<T> known = waiting.isEmpty() ? null : poll();
    if (known != null) {
      waiting.removeIf(
          seat -> {
            boolean told = seat.offer(known);
            if (told) {
              scheduler.events().waitEnded();
            }
            return told;
          });
    }
  }

  @Override
  public @Nullable Outcome<T> poll() {
    scheduler.checkInside(this);
    if (outcome == null && future.isDone()) {
      outcome = look();
    }
    return outcome;
  }

  @Override
  public void enlist(Seat<T> seat) {
    waiting.add(seat);
    scheduler.events().waitStarted();
    if (left == null) {
      left = subscribe();
    }
  }

  /// Why by `anyOf`: of all that can be asked of a future only that is forgotten by it when it is no
  /// longer needed, because another of its members was first.
  private CompletableFuture<?> subscribe() {
    CompletableFuture<?> nobody = new CompletableFuture<>();
    var _ =
        CompletableFuture.anyOf(future, nobody)
            .whenComplete(
                (_, _) -> {
                  if (!nobody.isDone()) {
                    scheduler.events().post(this::tell);
                  }
                });
    return nobody;
  }

  @Override
  public void withdraw(Seat<T> seat) {
    if (waiting.remove(seat)) {
      scheduler.events().waitEnded();
    }
    CompletableFuture<?> unneeded = left;
    if (waiting.isEmpty() && unneeded != null) {
      left = null;
      unneeded.complete(null);
    }
  }

  @Override
  public String toString() {
    return "a stage";
  }
}
