// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.TimerEntry;
import java.util.ArrayList;

/// Looks after the resources that are idle, now and then. Hidden: it does not keep the loop running. Its work is
/// done by a coroutine.
final class Upkeep<R> extends TimerEntry {
  private final Stock<R> stock;
  private final Loop loop;
  private final EventLoop events;

  /// Somebody may be served now.
  private final Runnable changed;

  private boolean working;

  Upkeep(Stock<R> stock, Loop loop, EventLoop events, Runnable changed) {
    this.stock = stock;
    this.loop = loop;
    this.events = events;
    this.changed = changed;
  }

  void plan() {
    if (!working && !stock.closed) {
      events.timers().remove(this);
      long next = next();
      if (next != Long.MAX_VALUE) {
        events.timers().hide(this, true);
        events.timers().add(this, events.clock() + next);
      }
    }
  }

  void cancel() {
    events.timers().remove(this);
  }

  /// In how many nanoseconds there is something to do.
  private long next() {
    PooledResource<R> oldest = stock.idle.peekFirst();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    ResourcePlan<R> plan = stock.plan;
    long next = plan.interval == null ? Long.MAX_VALUE : plan.interval.toNanos();
    if (plan.idle != null && stock.size > plan.min) {
      long age = events.clock() - oldest.idleSince;
      next = Math.min(next, Math.max(0, plan.idle.toNanos() - age));
    }
    return next;
  }

  @Override
  protected void due() {
    try {
      loop.spawn(this::work).named("upkeep of resources");
      working = true;
    } catch (ClosedException ending) {
      working = false; // the loop is being closed: nobody needs it any more
    }
  }

  private void work() {
    try {
      long now = events.clock();
      // Out of reach of others while they are looked at; their places stay taken.
      for (PooledResource<R> pooled : new ArrayList<>(stock.idle).reversed()) {
        if (!stock.closed && stock.idle.remove(pooled)) {
          look(pooled, now);
        }
      }
    } finally {
      working = false;
      plan();
    }
  }

  private void look(PooledResource<R> pooled, long now) {
    boolean kept = false;
    try {
      boolean checked = stock.plan.interval != null;
      kept = !isOld(pooled, now) && (!checked || stock.isUsable(pooled.resource));
      kept &= !stock.closed;
      if (!kept) {
        stock.disposeQuietly(pooled.resource);
      }
    } catch (Cancelled left) {
      kept = !stock.closed; // says nothing of the resource
      if (!kept) {
        stock.disposeQuietly(pooled.resource);
      }
      throw left;
    } finally {
      if (kept) {
        stock.idle.addFirst(pooled);
      } else {
        stock.size--;
      }
      changed.run();
    }
  }

  private boolean isOld(PooledResource<R> pooled, long now) {
    return stock.plan.idle != null
        && now - pooled.idleSince >= stock.plan.idle.toNanos()
        && stock.size > stock.plan.min;
  }
}
