// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A stage of ordinary Java code, which any thread may complete, awaited in a loop. While somebody
/// waits for it the loop stays alive.
final class StageSource<T extends @Nullable Object> implements Selectable<T> {
  private final Scheduler scheduler;

  // Loop only.
  private final List<Seat<T>> waiting = new ArrayList<>(1);

  // Any thread. Whoever completes it writes the outcome and then reads `awaited`; whoever waits
  // does it
  // the other way round. So one of them sees the other.
  private volatile @Nullable Outcome<T> outcome;
  private volatile boolean awaited;

  @SuppressWarnings("this-escape") // what is told may come at once
  StageSource(CompletionStage<? extends T> stage) {
    scheduler = Strand.current("Await.stage").scheduler();
    var _ = stage.whenComplete(this::completed);
  }

  private void completed(@Nullable T value, @Nullable Throwable thrown) {
    outcome = thrown == null ? valueOf(value) : Outcome.failure(unwrapped(thrown));
    if (awaited) {
      scheduler.events().post(this::tell);
    }
  }

  @SuppressWarnings("NullAway") // null only where T allows it
  private static <T extends @Nullable Object> Outcome<T> valueOf(@Nullable T value) {
    return Outcome.value(value);
  }

  private static Throwable unwrapped(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  private void tell() {
    Outcome<T> known = outcome;
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
    return outcome;
  }

  @Override
  public void enlist(Seat<T> seat) {
    awaited = true;
    waiting.add(seat);
    scheduler.events().waitStarted();
  }

  @Override
  public void withdraw(Seat<T> seat) {
    if (waiting.remove(seat)) {
      scheduler.events().waitEnded();
    }
  }

  @Override
  public String toString() {
    return "a stage";
  }
}
