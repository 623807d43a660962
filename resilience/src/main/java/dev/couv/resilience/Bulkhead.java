// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.LoopBound;
import dev.couv.error.BusyException;
import dev.couv.sync.Permits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Lets so many in at once and so many wait, and refuses the rest at once: what is slow behind it fills no more than its
/// places.
///
/// ```java
/// var reports = Bulkhead.create(4, 16);
/// var report = reports.run(() -> make(request));
/// ```
///
/// Those who wait get in in the order they came; whoever leaves while he waits, by a cancel or a timeout, makes place for
/// another. A body that goes into its own bulkhead again needs a second place.
///
/// Belongs to the loop of the coroutine that made it, and needs no closing.
public final class Bulkhead implements LoopBound {
  private final Home home = new Home("Bulkhead.create");
  private final Permits places;
  private final int atOnce;
  private final int queue;

  private Bulkhead(int atOnce, int queue) {
    if (atOnce < 1) {
      throw new IllegalArgumentException("atOnce: " + atOnce);
    }
    if (queue < 0) {
      throw new IllegalArgumentException("waiting: " + queue);
    }
    this.places = new Permits(atOnce);
    this.atOnce = atOnce;
    this.queue = queue;
  }

  /// Lets so many in at once, and nobody wait.
  ///
  /// @throws IllegalArgumentException if that is less than one
  public static Bulkhead create(int atOnce) {
    return new Bulkhead(atOnce, 0);
  }

  /// Lets so many in at once, and so many wait.
  ///
  /// @throws IllegalArgumentException if less than one is let in, or the number of those who wait is negative
  public static Bulkhead create(int atOnce, int waiting) {
    return new Bulkhead(atOnce, waiting);
  }

  /// Runs the body as soon as there is a place for it.
  ///
  /// @throws BusyException at once, if too many wait already
  public <T extends @Nullable Object> T run(Body<T> body) throws Exception {
    Objects.requireNonNull(body, "body");
    home.enter(this, "Bulkhead.run");
    if (!places.tryAcquire()) {
      if (places.waiting() >= queue) {
        throw new BusyException(this + " is full");
      }
      places.acquire();
    }
    try {
      return body.run();
    } finally {
      places.release();
    }
  }

  /// Runs a body that has no result, as [#run(Body)] does.
  ///
  /// @throws BusyException at once, if too many wait already
  public void run(Action body) throws Exception {
    run(Body.of(body));
  }

  /// How many are inside.
  public int running() {
    home.enter(this, "Bulkhead.running");
    return atOnce - places.available();
  }

  /// How many coroutines wait.
  public int waiting() {
    home.enter(this, "Bulkhead.waiting");
    return places.waiting();
  }

  @Override
  public boolean isHere() {
    return home.isHere();
  }

  @Override
  public String toString() {
    return "a bulkhead for " + atOnce + " at once and " + queue + " waiting";
  }
}
