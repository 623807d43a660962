// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Action;
import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Outcome;
import dev.couv.coro.Scope;
import dev.couv.coro.ScopePolicy;
import dev.couv.sync.ResourcePlan.Disposal;
import dev.couv.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run of a hedge: attempts that begin one after the other, until one of them succeeds or all that have begun have failed.
///
/// Every result but the one that is returned is given up, and none is lost: not that of an attempt that ended while it was
/// being cancelled, and not the winner's, if the caller is cancelled while the others end.
final class Contest<T extends @Nullable Object> {
  private static final System.Logger LOG = System.getLogger("dev.couv.resilience");

  /// An attempt.
  private final class Entry implements Action {
    private final Coroutine<?> coroutine;
    private @Nullable Outcome<T> outcome;

    Entry(Scope scope, int number) {
      coroutine = scope.spawn((Action) this).named("attempt " + number);
    }

    @Override
    public void run() {
      try {
        outcome = Outcome.value(body.run());
      } catch (Exception failure) {
        outcome = Outcome.failure(failure);
      }
    }
  }

  private final long delayNanos;
  private final int most;
  private final Body<T> body;
  private final Disposal<? super T> unused;

  /// All that have begun, in that order, but for those whose results were given up.
  private final List<Entry> entries = new ArrayList<>(2);

  private long lastBegan;

  Contest(Duration delay, int most, Body<T> body, Disposal<? super T> unused) {
    this.delayNanos = delay.toNanos();
    this.most = most;
    this.body = body;
    this.unused = unused;
  }

  T run() throws Exception {
    try {
      Entry first = first();
      giveUpResults(first);
      T value = valueOf(first);
      tellLosers(first);
      return value;
    } catch (Throwable left) {
      try {
        giveUpResults(null);
      } catch (Cancelled again) {
        // What is thrown says it, or something worse; and whatever is awaited next says it again.
      } catch (Error worse) {
        if (worse != left && !(left instanceof Cancelled)) {
          worse.addSuppressed(left);
        }
        throw worse;
      }
      throw left;
    }
  }

  /// Their failures are what a hedge is for, and nobody's who has a result; but whoever looks for them finds them.
  private void tellLosers(Entry first) {
    for (Entry entry : entries) {
      if (entry != first && entry.outcome != null) {
        LOG.log(
            Level.DEBUG,
            "an attempt failed, but another had a result",
            entry.outcome.failureOrNull());
      }
    }
  }

  /// The first that succeeded, or the first of all, which have failed. All of them have ended.
  @SuppressWarnings("try") // closing waits, and throws what failed
  private Entry first() throws Exception {
    try (Scope scope = Scope.open(ScopePolicy.SUPERVISE)) {
      try {
        return firstIn(scope);
      } finally {
        scope.cancel();
      }
    }
  }

  private Entry firstIn(Scope scope) throws Exception {
    List<Entry> failed = new ArrayList<>(0);
    begin(scope);
    while (failed.size() < entries.size()) {
      awaitAny(failed);
      for (Entry entry : entries) {
        Outcome<T> outcome = entry.outcome;
        if (outcome != null && outcome.isValue()) {
          return entry;
        }
        if (outcome != null && !failed.contains(entry)) {
          failed.add(entry);
        }
      }
      if (failed.size() < entries.size() && entries.size() < most && nanosUntilNext() <= 0) {
        begin(scope);
      }
    }
    OtherFailures others = new OtherFailures();
    for (Entry entry : failed) {
      others.add(failureOf(entry));
    }
    others.suppressIn(failureOf(failed.getFirst()));
    return failed.getFirst();
  }

  private void begin(Scope scope) {
    entries.add(new Entry(scope, entries.size() + 1));
    lastBegan = Time.nanos();
  }

  /// Waits until one of those has ended that have not failed yet, or the next is due.
  private void awaitAny(List<Entry> failed) throws Exception {
    List<Awaitable<? extends @Nullable Object>> members = new ArrayList<>(3);
    for (Entry entry : entries) {
      if (!failed.contains(entry)) {
        members.add(entry.coroutine);
      }
    }
    if (entries.size() == most) {
      Await.<@Nullable Object>any(members);
      return;
    }
    try (Event<Instant> next = Time.after(Duration.ofNanos(Math.max(0, nanosUntilNext())))) {
      members.add(next);
      Await.<@Nullable Object>any(members);
    }
  }

  /// By the difference, because a delay may be as long as the clock can count.
  private long nanosUntilNext() {
    return delayNanos - (Time.nanos() - lastBegan);
  }

  // ---- results that nobody takes

  /// Gives up all results but that one, whoever is cancelled meanwhile.
  private void giveUpResults(@Nullable Entry kept) throws Exception {
    List<Entry> superfluous =
        entries.stream().filter(entry -> entry != kept && hasValue(entry)).toList();
    if (superfluous.isEmpty()) {
      return;
    }
    entries.removeAll(superfluous);
    Coroutine.protect(() -> giveUp(superfluous));
  }

  /// Each of them, whatever becomes of the others.
  private void giveUp(List<Entry> superfluous) {
    Error first = null;
    for (Entry entry : superfluous) {
      try {
        unused.dispose(valueOf(entry));
      } catch (Exception failure) {
        LOG.log(Level.WARNING, "a result that was not needed could not be given up", failure);
      } catch (Error thrown) {
        if (first == null) {
          first = thrown;
        } else if (first != thrown) {
          first.addSuppressed(thrown);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private boolean hasValue(Entry entry) {
    return entry.outcome != null && entry.outcome.isValue();
  }

  private T valueOf(Entry entry) throws Exception {
    if (entry.outcome == null) {
      throw new AssertionError("an attempt without an outcome");
    }
    return entry.outcome.get();
  }

  private Throwable failureOf(Entry entry) {
    Throwable failure = entry.outcome == null ? null : entry.outcome.failureOrNull();
    if (failure == null) {
      throw new AssertionError("an attempt that has not failed");
    }
    return failure;
  }
}
