// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.FutureEnd;
import dev.couv.loop.Line;
import dev.couv.strand.Scheduler;
import dev.couv.strand.Seat;
import dev.couv.strand.Selectable;
import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
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
final class StageSource<T extends @Nullable Object> implements Awaitable<T>, Selectable<T> {
  private final Scheduler scheduler;
  private final CompletableFuture<? extends T> future;

  /// Whether it can be asked; else it only tells.
  private final boolean answers;

  // Loop only.
  private final Line<Seat<T>> waiting = new Line<>();

  /// Null if nobody waits.
  private FutureEnd.@Nullable Listener listener;

  private @Nullable Outcome<T> outcome;

  StageSource(CompletionStage<? extends T> stage) {
    scheduler = Strand.current("Await.stage").scheduler();
    future = future(stage);
    answers = answers(future);
  }

  /// One that refuses to be asked would attach a copy to itself, for good.
  @SuppressWarnings({"unchecked", "NullAway"}) // null only where T allows it
  private static <T extends @Nullable Object> CompletableFuture<? extends T> future(
      CompletionStage<? extends T> stage) {
    if (stage instanceof CompletableFuture<?> itself && !answers(itself)) {
      return (CompletableFuture<? extends T>) itself;
    }
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

  /// A minimal stage is a future that refuses to be asked.
  private static boolean answers(CompletableFuture<?> future) {
    try {
      future.isDone();
      return true;
    } catch (UnsupportedOperationException minimal) {
      return false;
    }
  }

  /// It is done.
  private Outcome<T> look() {
    try {
      return Outcome.value(future.join());
    } catch (CompletionException | CancellationException failed) {
      return Outcome.failure(FutureEnd.bare(failed));
    }
  }

  /// Loop thread.
  private void tell(Outcome<T> known) {
    outcome = known;
    for (Seat<T> seat : waiting.takeIf(Seat::claim)) {
      scheduler.events().liveness().waitEnded();
      seat.deliver(known.valueOrNull(), known.failureOrNull());
    }
  }

  @Override
  public T await() throws Exception {
    return Suspension.await(this);
  }

  @Override
  public boolean poll(Seat<T> seat) {
    scheduler.checkInside(this);
    if (outcome == null && answers && future.isDone()) {
      outcome = look();
    }
    if (outcome == null) {
      return false;
    }
    seat.receive(outcome.valueOrNull(), outcome.failureOrNull());
    return true;
  }

  @Override
  public void enlist(Seat<T> seat) {
    waiting.add(seat);
    scheduler.events().liveness().waitStarted();
    if (listener == null) {
      FutureEnd.Listener told = new Told();
      listener = told;
      FutureEnd.listen(future, told);
    }
  }

  @Override
  public void withdraw(Seat<T> seat) {
    if (waiting.remove(seat)) {
      scheduler.events().liveness().waitEnded();
    }
    FutureEnd.Listener unneeded = listener;
    if (waiting.isEmpty() && unneeded != null) {
      listener = null;
      FutureEnd.leave(unneeded);
    }
  }

  @Override
  public String toString() {
    return "a stage";
  }

  private final class Told extends FutureEnd.Listener {
    @Override
    @SuppressWarnings("unchecked") // it is what the stage of T brought
    protected void ended(@Nullable Object value, @Nullable Throwable thrown) {
      Outcome<T> known = Gathering.outcome((@Nullable T) value, thrown);
      scheduler.events().post(() -> tell(known));
    }
  }
}
