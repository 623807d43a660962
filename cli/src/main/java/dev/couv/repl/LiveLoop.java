// SPDX-License-Identifier: Apache-2.0
package dev.couv.repl;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A loop on a thread of its own that runs what it is given, one piece at a time, until it is closed. What the
/// pieces leave behind, listeners and coroutines for example, goes on between them.
///
/// Its methods are for other threads than the loop's.
final class LiveLoop implements AutoCloseable {
  /// Something must keep it alive while nothing is typed; a timer does.
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private static final String STOPPED = "stopped at the prompt";

  private record Life(Loop loop, Scope scope, Coroutine<?> main) {}

  private final Life life;
  private final Thread thread;
  private final AtomicReference<@Nullable Coroutine<?>> running = new AtomicReference<>();

  /// Whether what was asked for is to end, although it may not have begun.
  private volatile boolean stopped;

  private LiveLoop(Life life, Thread thread) {
    this.life = life;
    this.thread = thread;
  }

  /// Failures of coroutines that nobody awaits go to `failures`; they end nothing else.
  static LiveLoop open(Consumer<Throwable> failures) throws Exception {
    CompletableFuture<Life> begun = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform().name("couv-loop").daemon().start(() -> live(begun, failures));
    try {
      return new LiveLoop(begun.get(), thread);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }

  @SuppressWarnings("try") // an interrupt ends the scope, too
  private static void live(CompletableFuture<Life> begun, Consumer<Throwable> failures) {
    try {
      Loop.run(
          (Action)
              () -> {
                try (Scope scope = Scope.open().named("prompt")) {
                  scope.onFailure(failures);
                  begun.complete(new Life(Loop.current(), scope, Coroutine.current()));
                  Time.sleep(FOR_EVER);
                }
              });
    } catch (Throwable failure) {
      // Before it has begun that is for who opens it; afterwards it is how a closed one ends.
      begun.completeExceptionally(failure);
    }
  }

  /// Runs it as a coroutine, and returns when that has ended. Interrupted, it cancels the coroutine, and waits for
  /// its end all the same.
  <T> T call(Callable<T> piece) throws Throwable {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    life.loop.post(() -> begin(piece, outcome));
    while (true) {
      try {
        return outcome.get();
      } catch (InterruptedException stop) {
        var _ = cancel();
      } catch (ExecutionException failed) {
        throw failed.getCause();
      }
    }
  }

  /// Whatever happens, there is an outcome: also if it is cancelled before it has begun.
  private <T> void begin(Callable<T> piece, CompletableFuture<T> outcome) {
    try {
      Coroutine<?> coroutine = life.scope.spawn((Action) () -> settle(piece, outcome));
      running.set(coroutine);
      if (stopped) {
        coroutine.cancel(STOPPED);
      }
      coroutine.onEnd((_, _) -> outcome.completeExceptionally(new Stopped()));
    } catch (RuntimeException | Error refused) {
      outcome.completeExceptionally(refused);
    }
  }

  private <T> void settle(Callable<T> piece, CompletableFuture<T> outcome) {
    try {
      T result = piece.call();
      running.set(null);
      outcome.complete(result);
    } catch (Throwable failure) {
      running.set(null);
      outcome.completeExceptionally(failure);
    }
  }

  /// What is asked for from now on is wanted.
  void unstop() {
    stopped = false;
  }

  /// Whether it was cancelled since it was last wanted.
  boolean isStopped() {
    return stopped;
  }

  /// Cancels what runs, and what begins before it is [wanted][#unstop] again. Returns what is done when the loop has
  /// heard of it, which a piece that never waits keeps it from.
  CompletableFuture<?> cancel() {
    stopped = true;
    CompletableFuture<?> heard = new CompletableFuture<>();
    life.loop.post(
        () -> {
          Coroutine<?> piece = running.get();
          if (piece != null) {
            piece.cancel(STOPPED);
          }
          heard.complete(null);
        });
    return heard;
  }

  /// Who waits for what, as text.
  String dump() {
    return life.loop.dump();
  }

  /// Cancels everything, and waits for it. What cannot be cancelled, because it never waits, is left behind.
  @Override
  public void close() {
    life.loop.post(life.main::cancel);
    try {
      thread.join(Duration.ofSeconds(3));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
