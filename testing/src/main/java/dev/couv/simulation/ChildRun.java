// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.memory.MemoryProcess;
import dev.couv.memory.Runner;
import dev.couv.tty.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// A child of a simulated host: its process, and the loop in which its program runs.
final class ChildRun {
  private static final int FAILED = 1;
  private static final int MOST = 0xff;

  private final MemoryProcess process;
  private final Loop loop;
  private final HostClock clock;
  private @Nullable CompletableFuture<Integer> end;
  private @Nullable HostLoop turns;

  ChildRun(MemoryProcess process, Loop loop, HostClock clock) {
    this.process = process;
    this.loop = loop;
    this.clock = clock;
  }

  MemoryProcess process() {
    return process;
  }

  /// Its first turn is still to come.
  HostLoop begin(Runner.Main program, Outsiders outsiders) {
    HostLoop made =
        new HostLoop(
            process,
            waits -> {
              loop.run(waits ? Mode.STEP : Mode.READY);
              return !isEnded();
            },
            () -> {
              loop.shutdown(Duration.ZERO);
              loop.close();
            });
    end =
        loop.submit(
            () -> {
              made.begun(outsiders);
              return Loop.run(() -> live(program));
            });
    turns = made;
    return made;
  }

  /// An exception ends it as it ends any program of a VM; an error is the test's own.
  private int live(Runner.Main program) throws Exception {
    try {
      return program.run(process.arguments()) & MOST;
    } catch (Exception failed) {
      if (!process.isOver()) {
        complain(failed);
      }
      return FAILED;
    }
  }

  private static void complain(Exception failed) {
    StringWriter words = new StringWriter();
    failed.printStackTrace(new PrintWriter(words));
    try {
      Terminal.stderr().write(words.toString());
    } catch (IOException nobodyReads) {
      return; // its code tells enough
    }
  }

  private boolean isEnded() {
    return end != null && end.isDone();
  }

  /// Whether its program has ended by itself, and its loop with it.
  boolean isOver() {
    return isEnded() && turns != null && turns.isOver();
  }

  /// Its time passes apart from all others', so that its code can unwind.
  void cutOff() {
    clock.cutOff();
  }

  /// Its end is told.
  ///
  /// @throws Error what it failed with, if that is none of a program's own
  void settle() {
    CompletableFuture<Integer> over = Objects.requireNonNull(end);
    int code = over.state() == Future.State.SUCCESS ? over.join() : FAILED;
    process.ended(code, null);
    if (over.isCompletedExceptionally() && !over.isCancelled()) {
      Throwable thrown = over.exceptionNow();
      Throwable met =
          thrown instanceof CompletionException wrapped && wrapped.getCause() != null
              ? wrapped.getCause()
              : thrown;
      throw new AssertionError(process + " failed: " + met, met);
    }
  }
}
