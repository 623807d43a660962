// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Seat;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// An event that any thread can make happen. What is triggered before the loop has got round to telling
/// the last one, or while nobody listens, is merged into one: nothing piles up.
///
/// While somebody awaits it or has started it the loop stays alive, unless it is hidden.
public final class Trigger<T extends @Nullable Object> extends Event<T> {
  private final BinaryOperator<T> merge;

  // Any thread.
  private final AtomicReference<@Nullable Pending<T>> pending = new AtomicReference<>();
  private final AtomicBoolean posted = new AtomicBoolean();
  private volatile boolean over;

  private record Pending<T extends @Nullable Object>(T value) {}

  /// Of several values the latest counts.
  public Trigger() {
    this((_, later) -> later);
  }

  /// Of several values the merged one counts. `merge` may be called on any thread, several times for
  /// the same values.
  public Trigger(BinaryOperator<T> merge) {
    this.merge = Objects.requireNonNull(merge, "merge");
  }

  /// Makes it happen. False if it is closed, or its loop is. Any thread.
  public boolean trigger(T value) {
    if (over) {
      return false;
    }
    add(value, false);
    // Told before: whoever runs `told` takes this value as well.
    if (!posted.getAndSet(true) && !scheduler().events().post(this::told)) {
      over = true;
    }
    return !over;
  }

  /// Merges it into what is pending, as what came before or after that.
  private void add(T value, boolean before) {
    while (true) {
      Pending<T> old = pending.get();
      T merged =
          old == null
              ? value
              : before ? merge.apply(value, old.value) : merge.apply(old.value, value);
      if (pending.compareAndSet(old, new Pending<>(merged))) {
        return;
      }
    }
  }

  /// Loop thread.
  private void told() {
    posted.set(false); // before the value is taken: one that comes now is told again
    if (isListenedTo()) {
      Pending<T> taken = pending.getAndSet(null);
      if (taken != null) {
        fireOnLoop(taken.value, null);
      }
    }
  }

  @Override
  protected boolean keepsAlive() {
    return true;
  }

  @Override
  protected boolean keeps() {
    return true;
  }

  @Override
  @Nullable Outcome<T> takeKept(Seat<T> seat) {
    Pending<T> taken = pending.getAndSet(null);
    return taken == null ? null : Outcome.value(taken.value);
  }

  @Override
  void keep(Outcome<T> outcome, long serial) {
    if (outcome instanceof Outcome.Value<T>(var value)) {
      try {
        add(value, true);
      } catch (RuntimeException broken) {
        return; // the merging is the user's, and this may be the loop's thread: the later ones
        // stand
      }
    }
  }

  @Override
  protected void onDispose() {
    over = true;
    pending.set(null);
  }

  @Override
  public String toString() {
    return "trigger";
  }
}
