// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Coroutine;
import dev.couv.loop.Wording;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What there is of the resources of a pool, and how they are looked at and given up. Confined to its loop.
final class Stock<R> {
  private static final System.Logger LOG = System.getLogger("dev.couv");

  final ResourcePlan<R> plan;

  /// The one that was given back last is handed out first, so that those not needed grow old.
  final ArrayDeque<PooledResource<R>> idle = new ArrayDeque<>();

  /// How many exist, or are being made or given up.
  int size;

  /// Written on the loop, read by anybody.
  volatile boolean closed;

  Stock(ResourcePlan<R> plan) {
    this.plan = plan;
  }

  /// Whether one can be had, or made.
  boolean hasPlace() {
    return !idle.isEmpty() || size < plan.max;
  }

  /// One that is idle; null is a place for one that is to be made.
  @Nullable PooledResource<R> take() {
    PooledResource<R> youngest = idle.pollLast();
    if (youngest == null) {
      size++;
    }
    return youngest;
  }

  /// May wait.
  boolean isUsable(R resource) {
    if (plan.check == null) {
      return true;
    }
    try {
      return plan.check.isUsable(resource);
    } catch (Exception broken) {
      return false;
    }
  }

  /// May wait.
  void dispose(R resource) {
    try {
      Coroutine.protect(() -> plan.disposal.dispose(resource));
    } catch (RuntimeException thrown) {
      throw thrown;
    } catch (Exception thrown) {
      throw new IllegalStateException("could not give up " + Wording.of(resource), thrown);
    }
  }

  /// It is of no use any more, and nobody waits for how it ends. May wait.
  void disposeQuietly(R resource) {
    try {
      dispose(resource);
    } catch (RuntimeException thrown) {
      LOG.log(
          System.Logger.Level.WARNING,
          "could not give up " + Wording.of(resource),
          Wording.printable(thrown));
    }
  }
}
