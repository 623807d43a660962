// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.LoopBound;
import dev.couv.error.BrokenException;
import dev.couv.sync.BreakerState;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Stops calling what fails again and again: after so many failures in a row everybody is refused for a while, then one at a
/// time may try, and the first success lets everybody in again.
///
/// ```java
/// var breaker = Breaker.create(5, Duration.ofSeconds(10));
/// var answer = breaker.run(() -> ask(server));
/// ```
///
/// It is the breaker of [dev.couv.sync.Resources] for calls of any kind, except that nobody waits: while one tries, the others
/// are refused. A call that was left, by a cancel or an `Error`, says nothing of what it called; so a time limit has to be
/// inside, where it is an exception. What began before the breaker changed its state counts no more when it ends. Who tries may call it again inside:
/// that is a part of the trial.
///
/// Belongs to the loop of the coroutine that made it, and needs no closing.
public final class Breaker implements LoopBound {
  private final Home home = new Home("Breaker.create");
  private final int limit;
  private final long pauseNanos;
  private final Predicate<? super Exception> counted;

  private BreakerPhase phase = BreakerPhase.ACTIVE;

  /// How often the phase has changed: calls know by it whether they are of this one.
  private long changes;

  private int failures;
  private @Nullable Exception last;

  /// Who tries now, if anybody does.
  private @Nullable Coroutine<?> trying;

  /// What was thrown to those who were not let in, as long as somebody has it.
  private final Set<Throwable> refusals = Collections.newSetFromMap(new WeakHashMap<>(2));

  /// When the pause is over.
  private long until;

  private Breaker(int limit, Duration pause, Predicate<? super Exception> counted) {
    if (limit < 1) {
      throw new IllegalArgumentException("failures: " + limit);
    }
    this.limit = limit;
    // Times are compared by their difference: nobody will notice that a pause ends after 146 years.
    this.pauseNanos = Math.min(Durations.nanos(pause, "pause"), Long.MAX_VALUE / 2);
    this.counted = Objects.requireNonNull(counted, "counted");
  }

  /// Refuses for that long after so many failures in a row; every exception is one.
  ///
  /// @throws IllegalArgumentException if the failures are less than one, or the pause is negative or longer than 292 years
  public static Breaker create(int failures, Duration pause) {
    return new Breaker(failures, pause, failure -> true);
  }

  /// Refuses for that long after so many failures in a row, which are those exceptions of which `counted` is true. Any other
  /// is an answer, as good as a result.
  ///
  /// @throws IllegalArgumentException if the failures are less than one, or the pause is negative or longer than 292 years
  public static Breaker create(int failures, Duration pause, Predicate<? super Exception> counted) {
    return new Breaker(failures, pause, counted);
  }

  // ---- calling

  /// Runs the body, if that is not refused.
  ///
  /// @throws BrokenException at once, if there were too many failures or it was switched off; its cause is the last failure
  public <T extends @Nullable Object> T run(Body<T> body) throws Exception {
    Objects.requireNonNull(body, "body");
    home.enter(this, "Breaker.run");
    endPause();
    if (phase == BreakerPhase.TRYING && trying == Coroutine.current()) {
      return body.run(); // how the whole of it ends will tell
    }
    if (!phase.admits()) {
      BrokenException refusal = refusal();
      refusals.add(refusal);
      throw refusal;
    }
    change(phase.attempt());
    trying = phase == BreakerPhase.TRYING ? Coroutine.current() : null;
    long admitted = changes;
    T value;
    try {
      value = body.run();
    } catch (Exception failure) {
      boolean says = false;
      try {
        says = !refusals.contains(failure) && !Interruption.isOfCancelled(failure);
      } finally {
        if (says) {
          failed(admitted, failure);
        } else {
          left(admitted);
        }
      }
      throw failure;
    } catch (Throwable left) {
      left(admitted);
      throw left;
    }
    succeeded(admitted);
    return value;
  }

  /// Runs a body that has no result, as [#run(Body)] does.
  ///
  /// @throws BrokenException at once, if there were too many failures or it was switched off; its cause is the last failure
  public void run(Action body) throws Exception {
    run(Body.of(body));
  }

  private void left(long admitted) {
    if (admitted == changes) {
      change(phase.giveUp());
    }
  }

  private void failed(long admitted, Exception failure) {
    boolean counts = true; // also where the predicate throws
    try {
      counts = counted.test(failure);
    } finally {
      if (!counts) {
        succeeded(admitted);
      } else if (admitted == changes) {
        last = failure;
        failures++;
        if (phase == BreakerPhase.TRYING || failures >= limit) {
          until = Time.nanos() + pauseNanos;
          change(phase.fail());
        }
      }
    }
  }

  private void succeeded(long admitted) {
    if (admitted == changes) {
      forget();
      change(phase.succeed());
    }
  }

  private void endPause() {
    if (phase == BreakerPhase.PAUSED && until - Time.nanos() <= 0) {
      change(BreakerPhase.RECOVERING);
    }
  }

  private void change(BreakerPhase next) {
    if (phase != next) {
      phase = next;
      changes++;
      trying = null; // who has tried is not kept
    }
  }

  private void forget() {
    failures = 0;
    last = null;
  }

  private BrokenException refusal() {
    String why =
        switch (phase) {
          case OFF -> "switched off";
          case TRYING -> "being tried by another";
          case PAUSED ->
              "unavailable after "
                  + failures
                  + " failures, for another "
                  + Duration.ofNanos(until - Time.nanos());
          case ACTIVE, RECOVERING -> throw new AssertionError("refused while " + phase);
        };
    BrokenException refusal = new BrokenException("what the breaker guards is " + why);
    if (phase != BreakerPhase.OFF && last != null) {
      refusal.initCause(last);
    }
    return refusal;
  }

  // ---- by hand

  /// Lets everybody in again, whatever failed before.
  public void activate() {
    home.enter(this, "Breaker.activate");
    forget();
    change(BreakerPhase.ACTIVE);
  }

  /// Refuses everybody, until told otherwise.
  public void deactivate() {
    home.enter(this, "Breaker.deactivate");
    change(BreakerPhase.OFF);
  }

  /// Lets one at a time try, from now on: who tries already is that one.
  public void recover() {
    home.enter(this, "Breaker.recover");
    change(phase.recover());
  }

  // ---- looking

  /// Whether it lets anybody in.
  public BreakerState state() {
    home.enter(this, "Breaker.state");
    endPause();
    return phase.state;
  }

  /// How many calls have failed in a row.
  public int failures() {
    home.enter(this, "Breaker.failures");
    return failures;
  }

  @Override
  public boolean isHere() {
    return home.isHere();
  }

  @Override
  public String toString() {
    return "a breaker";
  }
}
