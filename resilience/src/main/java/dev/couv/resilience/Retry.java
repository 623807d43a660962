// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.info.Info;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Tries again what failed, after a while. A value: each `with…` gives another, and any number of coroutines of any loop can
/// use one.
///
/// ```java
/// var retry = Retry.of().withAttempts(5).on(IOException.class);
/// var answer = retry.run(() -> ask(server));
/// ```
///
/// The body runs in the calling coroutine. Cancellation, and every other `Error`, passes through at once, whatever the policy
/// says; so does an exception that it does not name. The last failure is thrown as it is, with the latest of those before it
/// suppressed in it.
public final class Retry {
  private static final Retry DEFAULT =
      new Retry(
          3,
          null,
          Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10)),
          0.5,
          failure -> failure instanceof IOException || failure instanceof TimeoutException,
          null,
          null);

  private final int attempts;
  private final @Nullable Duration timeLimit;
  private final Backoff backoff;
  private final double jitter;
  private final Predicate<? super Exception> failures;

  /// Null for that of the thread, which must be asked for each time.
  private final @Nullable RandomGenerator random;

  private final @Nullable Consumer<? super Attempt> listener;

  private Retry(
      int attempts,
      @Nullable Duration timeLimit,
      Backoff backoff,
      double jitter,
      Predicate<? super Exception> failures,
      @Nullable RandomGenerator random,
      @Nullable Consumer<? super Attempt> listener) {
    this.attempts = attempts;
    this.timeLimit = timeLimit;
    this.backoff = backoff;
    this.jitter = jitter;
    this.failures = failures;
    this.random = random;
    this.listener = listener;
  }

  // ---- the policy

  /// Three attempts, 100 milliseconds apart and then twice that, half of it by chance; after an `IOException` or a
  /// `TimeoutException` only.
  public static Retry of() {
    return DEFAULT;
  }

  /// At most so many attempts, the first included.
  ///
  /// @throws IllegalArgumentException if there are less than one
  public Retry withAttempts(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("attempts: " + count);
    }
    return new Retry(count, timeLimit, backoff, jitter, failures, random, listener);
  }

  /// No attempt begins when so much time is over since the first began, and the pause before one that could not begin is not
  /// waited for. An attempt that has begun is not disturbed: put a `Time.timeout` around the body, or around the whole.
  ///
  /// @throws IllegalArgumentException if it is negative or longer than 292 years
  public Retry withTimeLimit(Duration limit) {
    Durations.nanos(limit, "limit");
    return new Retry(attempts, limit, backoff, jitter, failures, random, listener);
  }

  /// How long to wait before each attempt but the first.
  public Retry withBackoff(Backoff pauses) {
    Objects.requireNonNull(pauses, "backoff");
    return new Retry(attempts, timeLimit, pauses, jitter, failures, random, listener);
  }

  /// Which share of each pause is left to chance, so that those who failed together do not come again together: with 0 a pause
  /// is as long as the backoff says, with 0.5 something between half of it and all, with 1 between nothing and all.
  ///
  /// @throws IllegalArgumentException if it is not from 0 to 1
  public Retry withJitter(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("jitter: " + share);
    }
    return new Retry(attempts, timeLimit, backoff, share, failures, random, listener);
  }

  /// Where chance comes from, instead of the thread's own: a seeded one makes the pauses of a test the same each time.
  public Retry withRandom(RandomGenerator source) {
    Objects.requireNonNull(source, "random");
    return new Retry(attempts, timeLimit, backoff, jitter, failures, source, listener);
  }

  /// Tries again after these exceptions and those that extend them, and after no others.
  ///
  /// @throws IllegalArgumentException if there are none
  @SafeVarargs
  @SuppressWarnings("varargs") // read only
  public final Retry on(Class<? extends Exception>... types) {
    List<Class<? extends Exception>> named = List.of(types);
    if (named.isEmpty()) {
      throw new IllegalArgumentException("on: no exceptions");
    }
    return on(failure -> named.stream().anyMatch(type -> type.isInstance(failure)));
  }

  /// Tries again after exceptions of which this is true, and after no others.
  public Retry on(Predicate<? super Exception> which) {
    Objects.requireNonNull(which, "which");
    return new Retry(attempts, timeLimit, backoff, jitter, which, random, listener);
  }

  /// Is told of each attempt that has ended by a result or an exception, in the calling coroutine, before the pause. What it
  /// throws ends the whole.
  public Retry withListener(Consumer<? super Attempt> told) {
    Objects.requireNonNull(told, "listener");
    return new Retry(attempts, timeLimit, backoff, jitter, failures, random, told);
  }

  // ---- running

  /// Runs the body until it succeeds, fails in another way, or there were attempts enough: its result, or its last failure.
  public <T extends @Nullable Object> T run(Body<T> body) throws Exception {
    Objects.requireNonNull(body, "body");
    Home.checkCoroutine("Retry.run");
    OtherFailures earlier = null;
    long begin = Time.nanos();
    long start = begin;
    for (int number = 1; ; number++) {
      T value;
      try {
        value = body.run();
      } catch (Exception failure) {
        if (Interruption.isOfCancelled(failure)) {
          throw failure; // it is no end of an attempt
        }
        Duration pause = afterFailure(number, begin, start, failure);
        if (earlier == null) {
          earlier = new OtherFailures();
        }
        if (pause == null) {
          earlier.suppressIn(failure);
          throw failure;
        }
        earlier.add(failure);
        Time.sleep(pause); // also where it is zero: then the others run first
        start = Time.nanos();
        continue;
      }
      if (listener != null) {
        listener.accept(new Attempt(number, since(start), null, null));
      }
      return value;
    }
  }

  /// Runs a body that has no result, as [#run(Body)] does.
  public void run(Action body) throws Exception {
    run(Body.of(body));
  }

  /// How long to wait for the next attempt; null if there is none. The failure is not lost where a part of the policy throws.
  private @Nullable Duration afterFailure(int number, long begin, long start, Exception failure) {
    try {
      Duration took = since(start);
      boolean again = number < attempts && failures.test(failure);
      Duration pause = again ? withChance(backoff.pause(number, failure)) : null;
      if (pause != null
          && timeLimit != null
          && since(begin).plus(pause).compareTo(timeLimit) >= 0) {
        pause = null;
      }
      if (listener != null) {
        listener.accept(new Attempt(number, took, failure, pause));
      }
      return pause;
    } catch (RuntimeException | Error thrown) {
      if (thrown != failure) {
        thrown.addSuppressed(failure);
      }
      throw thrown;
    }
  }

  private Duration withChance(Duration pause) {
    long nanos = Durations.nanos(pause, "pause");
    RandomGenerator chance = random == null ? Info.chance() : random;
    long less = (long) (nanos * (jitter * chance.nextDouble()));
    // The product of large numbers is not exact.
    return Duration.ofNanos(Math.clamp(nanos - less, 0, nanos));
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(Time.nanos() - nanos);
  }

  @Override
  public String toString() {
    return "a retry of "
        + attempts
        + " attempts"
        + (timeLimit == null ? "" : " within " + timeLimit);
  }
}
