// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import dev.couv.error.BusyException;
import dev.couv.loop.SpareThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The running half of a worker. It must not know the [Worker], or that would never be garbage.
///
/// The state is one reference, moved by whoever may: a coroutine begins a step, the body's thread ends
/// it, anybody closes.
final class WorkerRun<I extends @Nullable Object, O extends @Nullable Object> {
  /// Where it is: fresh or at a yield, or over. Else it is the step under way.
  private enum Rest {
    SUSPENDED,
    ENDED,
    CLOSED
  }

  /// Unwinds the body of a worker that was closed.
  private static final class Closed extends Error {
    private static final long serialVersionUID = 1L;

    Closed() {
      super("the worker was closed");
    }
  }

  private static final ScopedValue<WorkerRun<?, ?>> CURRENT = ScopedValue.newInstance();

  /// Starts the threads of workers: a virtual thread that a coroutine started would be carried by the
  /// loop's own.
  private static final Executor STARTER =
      SpareThreads.of(1, 1, Thread.ofPlatform().daemon().name("couv-worker-starter"));

  private final WorkerBody<I, O> body;
  private final AtomicReference<Object> state = new AtomicReference<>(Rest.SUSPENDED);

  /// The body's, from its first step on.
  private volatile @Nullable Thread thread;

  private volatile boolean abandoned;
  private boolean begun;

  WorkerRun(WorkerBody<I, O> body) {
    this.body = body;
  }

  static WorkerRun<?, ?> current() {
    if (!CURRENT.isBound()) {
      throw new IllegalStateException("Worker.yield can only be called in the body of a worker");
    }
    return CURRENT.get();
  }

  // ---- from outside

  /// A step begins, or is refused.
  void begin(WorkerStep<I, O> step) {
    while (!state.compareAndSet(Rest.SUSPENDED, step)) {
      switch (status()) {
        case RUNNING -> throw new BusyException("a step of the worker is under way");
        case DEAD -> throw new IllegalStateException("the worker is dead");
        case SUSPENDED -> {} // the step has just ended
      }
    }
    // Whoever moved it to the step is the only one here until the step ends.
    if (begun) {
      LockSupport.unpark(thread);
    } else {
      begun = true;
      STARTER.execute(
          () ->
              Thread.ofVirtual()
                  .name("worker")
                  .start(() -> ScopedValue.where(CURRENT, this).run(this::run)));
    }
  }

  /// False if a step is under way.
  boolean close() {
    while (true) {
      Object seen = state.get();
      if (seen == Rest.ENDED || seen == Rest.CLOSED) {
        return true;
      }
      if (seen != Rest.SUSPENDED) {
        return false;
      }
      if (state.compareAndSet(seen, Rest.CLOSED)) {
        LockSupport.unpark(thread);
        return true;
      }
    }
  }

  /// Nobody can resume it any more: it is closed at its next rest.
  void abandon() {
    abandoned = true;
    close();
  }

  WorkerStatus status() {
    Object seen = state.get();
    if (seen == Rest.SUSPENDED) {
      return WorkerStatus.SUSPENDED;
    }
    return seen instanceof Rest ? WorkerStatus.DEAD : WorkerStatus.RUNNING;
  }

  // ---- on the body's thread

  private void run() {
    thread = Thread.currentThread();
    O output = null;
    Throwable failure = null;
    try {
      output = body.run(step().input);
    } catch (Closed unwound) {
      if (state.get() == Rest.CLOSED) {
        return;
      }
      failure = unwound;
    } catch (Throwable thrown) {
      failure = thrown;
    }
    if (state.get() == Rest.CLOSED) {
      return; // it went on although it was closed, and nobody waits
    }
    WorkerStep<I, O> last = step();
    state.set(Rest.ENDED);
    last.ended(output, failure);
  }

  @SuppressWarnings("NullAway") // null only where I allows it
  I yielded(O output) {
    if (state.get() == Rest.CLOSED) {
      throw new Closed(); // it did not heed the first
    }
    WorkerStep<I, O> done = step();
    state.set(Rest.SUSPENDED);
    done.ended(output, null);
    if (abandoned) {
      close();
    }
    boolean interrupted = false;
    while (state.get() == Rest.SUSPENDED) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (state.get() == Rest.CLOSED) {
      throw new Closed();
    }
    return step().input;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // while the body runs, the state is its step
  private WorkerStep<I, O> step() {
    return (WorkerStep<I, O>) state.get();
  }
}
