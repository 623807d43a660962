// SPDX-License-Identifier: Apache-2.0
package dev.couv.bridge;

import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What a publisher sends, to be taken one by one. Whoever takes may be a coroutine of any loop, or a thread. See
/// [Flows#subscribe].
///
/// No more are asked for than there is room for. Closing tells the publisher that no more are wanted; what was sent until then
/// can still be taken.
///
/// @param <T> what is published
public final class FlowSource<T> implements Iterable<T>, AutoCloseable {
  private static final Flow.Subscription LEFT =
      new Flow.Subscription() {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
      };

  private final int ahead;
  private final Chan<T> values;
  private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

  /// How many were taken since the publisher was last asked. Whoever takes has it.
  private final AtomicInteger taken = new AtomicInteger();

  FlowSource(int ahead) {
    if (ahead < 1) {
      throw new IllegalArgumentException(ahead + " values ahead: at least one");
    }
    this.ahead = ahead;
    this.values = Chan.create(ChanOptions.of(ahead).withShared(true));
  }

  Flow.Subscriber<T> inlet() {
    return new Inlet();
  }

  /// Await function: takes the next; null when the publisher has no more.
  ///
  /// @throws CompletionException if the publisher has failed, with that as its cause
  public @Nullable T next() {
    T value;
    try {
      value = values.receive();
    } catch (ClosedException over) {
      Throwable failed = values.closeReason();
      if (failed != null) {
        throw new CompletionException(failed);
      }
      return null;
    }
    more();
    return value;
  }

  /// Asks for more when half of those that were asked for are taken.
  private void more() {
    int batch = Math.max(1, ahead / 2);
    int before = taken.getAndUpdate(count -> count + 1 >= batch ? 0 : count + 1);
    if (before + 1 >= batch) {
      Flow.Subscription asked = subscription.get();
      if (asked != null) {
        asked.request(batch);
      }
    }
  }

  /// What is left, each of which is waited for as [#next] does.
  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private @Nullable T next;

      @Override
      public boolean hasNext() {
        if (next == null) {
          next = FlowSource.this.next();
        }
        return next != null;
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException("the publisher has no more");
        }
        T taken = Objects.requireNonNull(next);
        next = null;
        return taken;
      }
    };
  }

  /// Whether no more are wanted, or will come.
  public boolean isClosed() {
    return values.isClosed();
  }

  /// Tells the publisher that no more are wanted. Any thread; does nothing the second time.
  @Override
  public void close() {
    leave();
    values.close();
  }

  private void leave() {
    Flow.Subscription left = subscription.getAndSet(LEFT);
    if (left != null) {
      left.cancel();
    }
  }

  @Override
  public String toString() {
    return "what a publisher sends, " + values;
  }

  /// What the publisher calls, on whatever thread.
  private final class Inlet implements Flow.Subscriber<T> {
    @Override
    public void onSubscribe(Flow.Subscription given) {
      Objects.requireNonNull(given, "subscription");
      if (subscription.compareAndSet(null, given)) {
        given.request(ahead);
      } else {
        given.cancel();
      }
    }

    @Override
    public void onNext(T value) {
      Objects.requireNonNull(value, "value");
      try {
        if (!values.trySend(value)) {
          leave();
          values.close(new IllegalStateException("the publisher sends more than it was asked for"));
        }
      } catch (ClosedException late) {
        // It was on its way when no more were wanted.
      }
    }

    @Override
    public void onError(Throwable failed) {
      Objects.requireNonNull(failed, "failed");
      subscription.set(LEFT);
      values.close(failed);
    }

    @Override
    public void onComplete() {
      subscription.set(LEFT);
      values.close();
    }
  }
}
