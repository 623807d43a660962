// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.check.TransferCheck;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import dev.couv.sync.Promise;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The results of several tasks, through one channel, as they are ready. However a task ends, it is told
/// here: by whatever thread ends it, and without waiting.
final class Mapping<B> {
  private final Chan<B> results = Chan.create(ChanOptions.unbounded().withShared(true));
  private final Set<Promise<B>> tasks = ConcurrentHashMap.newKeySet();

  /// Tasks that have not ended, and one for whoever still adds some.
  private final AtomicInteger left = new AtomicInteger(1);

  private final AtomicBoolean stopped = new AtomicBoolean();

  /// One more. Any that comes after a failure is cancelled at once.
  void add(Promise<B> task) {
    left.incrementAndGet();
    tasks.add(task);
    var _ = task.toFuture().whenComplete((value, failure) -> ended(task, value, failure));
    if (stopped.get()) {
      task.cancel();
    }
  }

  /// Of an item whose turn has come.
  <A> B result(A item, Promise.Step<? super A, ? extends B> function) throws Exception {
    if (results.isClosed()) {
      throw new CancellationException("nobody wants it any more");
    }
    return apply(function, item);
  }

  /// In a task.
  static <A, B extends @Nullable Object> B apply(
      Promise.Step<? super A, ? extends B> function, A item) throws Exception {
    TransferCheck.checkTaken(item, "a pool");
    return function.apply(item);
  }

  /// There are no more to come.
  Chan<B> all() {
    oneLess();
    return results;
  }

  private void ended(Promise<B> task, @Nullable B value, @Nullable Throwable failure) {
    tasks.remove(task);
    if (failure != null) {
      fail(failure);
    } else {
      give(value);
    }
    oneLess();
  }

  @SuppressWarnings("NullAway") // the channel refuses null
  private void give(@Nullable B value) {
    try {
      results.trySend(value);
    } catch (ClosedException over) {
      stop(); // nobody wants them
    } catch (RuntimeException refused) {
      fail(refused);
    }
  }

  /// The first counts.
  void fail(Throwable failure) {
    results.close(failure);
    stop();
  }

  /// Once: each that is cancelled is told here, too.
  private void stop() {
    if (!stopped.getAndSet(true)) {
      tasks.forEach(Promise::cancel);
    }
  }

  private void oneLess() {
    if (left.decrementAndGet() == 0) {
      results.close();
    }
  }
}
