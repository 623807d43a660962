// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.TimerEntry;
import org.jspecify.annotations.Nullable;

/// The cancel regions that a strand is in, innermost first: the whole of its life, timeouts, and
/// protected stretches.
final class Regions {
  private final Strand strand;
  private final CancelRegion life = new CancelRegion(null, CancelRegion.Kind.OPEN);
  private CancelRegion innermost = life;

  /// Whether protection was taken from it for good.
  private boolean forfeited;

  Regions(Strand strand) {
    this.strand = strand;
  }

  /// The region that is the strand itself.
  CancelRegion life() {
    return life;
  }

  CancelRegion innermost() {
    return innermost;
  }

  /// Whether it is protected from what is told to that region, which it has been in, or to others around.
  boolean isProtectedInside(@Nullable CancelRegion around) {
    for (CancelRegion at = innermost; at != null && at != around; at = at.outer) {
      if (at.isProtected()) {
        return true;
      }
    }
    return false;
  }

  /// The cancelled region that the strand must unwind to, or null.
  @Nullable CancelRegion effective() {
    return innermost.effective();
  }

  void throwIfCancelled() {
    CancelRegion cause = effective();
    if (cause != null) {
      throw cancelled(cause);
    }
  }

  /// What the await of a strand throws that was woken by a cancellation.
  Cancelled cancelled() {
    CancelRegion cause = effective();
    if (cause == null) {
      throw new AssertionError("woken by a cancellation that is not there");
    }
    return cancelled(cause);
  }

  private Cancelled cancelled(CancelRegion cause) {
    strand.settleInterrupts();
    return new Cancelled(cause, strand.name() + " was cancelled: " + cause.reason());
  }

  /// Whether what came out of the body is the cancellation of the whole strand; an interrupt is how it
  /// reached plain Java code.
  boolean isEndOfLife(Throwable thrown) {
    return life().isCancelled()
        && (thrown instanceof InterruptedException
            || (thrown instanceof Cancelled unwinding && unwinding.region() == life()));
  }

  <T extends @Nullable Object> T protect(Body<T> body) throws Exception {
    CancelRegion around = innermost;
    CancelRegion inner = protectedInside(around);
    T value;
    try {
      value = body.run();
    } finally {
      leave(inner, around);
    }
    throwIfCancelled();
    return value;
  }

  /// Like [#protect], but what was held back is left to the next await: for what a coroutine does on its
  /// way out.
  void shielded(Runnable body) {
    CancelRegion around = innermost;
    CancelRegion inner = protectedInside(around);
    try {
      body.run();
    } finally {
      leave(inner, around);
    }
  }

  private CancelRegion protectedInside(CancelRegion around) {
    innermost =
        new CancelRegion(around, forfeited ? CancelRegion.Kind.OPEN : CancelRegion.Kind.PROTECTED);
    return innermost;
  }

  /// Runs the body until `deadline` on the loop's clock.
  ///
  /// @throws Suspension.Expired if it has unwound because that was reached
  <T extends @Nullable Object> T within(long deadline, Body<T> body)
      throws Exception, Suspension.Expired {
    throwIfCancelled();
    CancelRegion around = innermost;
    CancelRegion inner = new CancelRegion(around, CancelRegion.Kind.OPEN);
    Limit limit = new Limit(inner);
    innermost = inner;
    strand.scheduler().events().timers().add(limit, deadline);
    try {
      return body.run();
    } catch (Cancelled unwinding) {
      if (unwinding.region() != inner) {
        throw unwinding;
      }
      throw new Suspension.Expired(unwinding);
    } catch (InterruptedException interrupted) {
      if (!inner.isCancelled() || around.effective() != null) {
        throw interrupted;
      }
      throw new Suspension.Expired(interrupted);
    } finally {
      strand.scheduler().events().timers().remove(limit);
      leave(inner, around);
      if (inner.isCancelled() && around.effective() == null) {
        // The interrupt that may have been needed to reach plain Java code has done its work.
        strand.settleInterrupts();
      }
    }
  }

  /// Takes all protection away, for good: what is left of the strand only unwinds.
  void unprotect() {
    forfeited = true;
    innermost = life;
  }

  /// The body is over: what its finalizers await is not cancelled any more.
  void protectFinalizers() {
    innermost = forfeited ? life : new CancelRegion(null, CancelRegion.Kind.PROTECTED);
  }

  /// Unless all protection was taken away meanwhile.
  private void leave(CancelRegion inner, CancelRegion around) {
    if (innermost == inner) {
      innermost = around;
    }
  }

  private final class Limit extends TimerEntry {
    private final CancelRegion region;

    Limit(CancelRegion region) {
      this.region = region;
    }

    @Override
    protected void due() {
      strand.cancel(region, "its time is over");
    }
  }
}
