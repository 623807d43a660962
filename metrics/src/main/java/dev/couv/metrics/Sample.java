// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What only the loop may look at, for meters that any thread reads.
///
/// One look serves all meters that are read within a moment. A thread waits for the loop's answer, for so long as a busy loop may
/// take; a coroutine does not, because that might block its own loop: it gets what was seen last, and what it asked for is there
/// for the next. When the loop has ended there is nothing to see, and nothing of it is kept.
final class Sample<T> {
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PATIENCE_MILLIS = 200;

  private record Source<T>(Loop loop, Function<Loop, T> look) {}

  private record Sight<T>(T value, long nanos) {}

  /// Null when the loop has ended.
  private volatile @Nullable Source<T> source;

  private volatile @Nullable Sight<T> last;

  /// That the loop has not answered yet.
  private final AtomicReference<@Nullable CompletableFuture<Sight<T>>> asked =
      new AtomicReference<>();

  private final Consumer<Duration> answered;

  /// `look` is called on the loop, and `answered` told how long the loop took to come to it.
  Sample(Loop loop, Function<Loop, T> look, Consumer<Duration> answered) {
    this.source = new Source<>(loop, look);
    this.answered = answered;
  }

  /// Null if there is nothing to see. Any thread.
  @Nullable T latest() {
    Sight<T> seen = last;
    if (seen != null && System.nanoTime() - seen.nanos < MOMENT_NANOS) {
      return seen.value;
    }
    Source<T> from = source;
    if (from == null || from.loop.isClosed()) {
      return ended();
    }
    return isHere(from.loop) ? keep(from.look.apply(from.loop)).value : ask(from);
  }

  private @Nullable T ended() {
    source = null;
    last = null;
    return null;
  }

  /// Whether the caller is one of its coroutines, or its thread between two runs.
  private static boolean isHere(Loop loop) {
    try {
      loop.stats();
      return true;
    } catch (IllegalStateException foreign) {
      return false;
    }
  }

  private Sight<T> keep(T value) {
    Sight<T> seen = new Sight<>(value, System.nanoTime());
    last = seen;
    return seen;
  }

  private @Nullable T ask(Source<T> from) {
    CompletableFuture<Sight<T>> mine = new CompletableFuture<>();
    CompletableFuture<Sight<T>> others = asked.compareAndExchange(null, mine);
    if (others == null) {
      long before = System.nanoTime();
      try {
        from.loop.post(() -> answer(from, mine, before));
      } catch (ClosedException ended) {
        asked.set(null);
        return ended();
      }
    }
    if (!isCoroutine()) {
      await(others == null ? mine : others);
    }
    Sight<T> seen = last;
    return seen == null ? null : seen.value;
  }

  /// On the loop.
  private void answer(Source<T> from, CompletableFuture<Sight<T>> mine, long before) {
    asked.set(null);
    try {
      mine.complete(keep(from.look.apply(from.loop)));
      answered.accept(Duration.ofNanos(System.nanoTime() - before));
    } catch (RuntimeException failed) {
      mine.completeExceptionally(failed);
    }
  }

  /// A loop that is busy for longer is seen as it was before.
  private static void await(CompletableFuture<?> answer) {
    try {
      answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException busy) {
      // what was seen before stands
    } catch (ExecutionException failed) {
      throw new IllegalStateException("what the meter shows cannot be seen", failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isCoroutine() {
    if (!Thread.currentThread().isVirtual()) {
      return false;
    }
    try {
      Loop.current();
      return true;
    } catch (IllegalStateException none) {
      return false;
    }
  }
}
