// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.check.TransferCheck;
import dev.couv.error.BusyException;
import dev.couv.strand.Suspension;
import java.lang.ref.Cleaner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A body that runs on another thread, step by step: each [#resume] gives it an input and waits, without
/// holding the loop, until it has an output.
///
/// ```java
/// var adder = Worker.<Integer, Integer>create(first -> {
///   int total = first;
///   while (true) total += Worker.<Integer, Integer>yield(total);
/// });
/// adder.resume(1); // 1
/// adder.resume(2); // 3
/// ```
///
/// The body runs in a virtual thread of the JDK, and may compute and block as it likes; it is no coroutine
/// of a loop, and what it calls reaches the host whatever the world of the loops that resume it. Inputs and outputs are passed, not copied: they should be immutable, or be used by nobody
/// but the one who got them.
///
/// Coroutines of any loop may resume it, one at a time. One that nobody refers to any more is closed.
public final class Worker<I extends @Nullable Object, O extends @Nullable Object>
    implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final WorkerRun<I, O> run;

  private Worker(WorkerRun<I, O> run) {
    this.run = run;
    CLEANER.register(this, run::abandon);
  }

  /// A worker that waits for its first resume.
  public static <I extends @Nullable Object, O extends @Nullable Object> Worker<I, O> create(
      WorkerBody<I, O> body) {
    return new Worker<>(new WorkerRun<>(Objects.requireNonNull(body, "a worker needs a body")));
  }

  /// In the body: ends the step with that output, waits for the next, and returns its input.
  ///
  /// @throws IllegalStateException if the caller is no body of a worker
  @SuppressWarnings({
    "unchecked",
    "NamedLikeContextualKeyword",
    "TypeParameterUnusedInFormals"
  }) // the body's types; called qualified
  public static <I extends @Nullable Object, O extends @Nullable Object> I yield(O output) {
    return ((WorkerRun<I, O>) WorkerRun.current()).yielded(output);
  }

  /// Await function: runs the next step. Returns what the body yields, or returns at its end; throws
  /// what it throws. If the caller is cancelled or resumed, the step goes on, and its outcome is
  /// dropped.
  ///
  /// @throws BusyException if a step is under way
  /// @throws IllegalStateException if the body has ended, or was closed
  public O resume(I input) throws Exception {
    WorkerStep<I, O> step = new WorkerStep<>(run, input, Suspension.loop("Worker.resume"));
    TransferCheck.checkGiven(input, "a worker");
    Suspension.await(step);
    O output = step.result();
    TransferCheck.checkTaken(output, "a worker");
    return output;
  }

  /// Where it is. Any thread.
  public WorkerStatus status() {
    return run.status();
  }

  /// Ends the body where it waits in [#yield]: its `finally` blocks run. Any thread; does nothing if it
  /// has ended.
  ///
  /// @throws IllegalStateException if a step is under way
  @Override
  public void close() {
    if (!run.close()) {
      throw new IllegalStateException("a worker cannot be closed while a step of it is under way");
    }
  }

  /// Whether no step can begin any more: it was closed, or its body has ended. Any thread.
  public boolean isClosed() {
    return status() == WorkerStatus.DEAD;
  }

  @Override
  public String toString() {
    return "a worker, " + status();
  }
}
