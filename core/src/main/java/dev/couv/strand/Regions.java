// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.TimerEntry;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The cancel regions that a strand is in, innermost first: the whole of its life, timeouts, and
/// protected stretches.
///
/// A cancellation reaches a strand by what its next await throws, or, if it blocks in plain Java code, by an
/// interrupt. What that becomes is up to the code there: an `InterruptedException`, a socket's or a channel's
/// `IOException`, whatever somebody wraps it into. So any exception that leaves a cancelled region after
/// an interrupt of ours is the cancellation; it is kept as the cause.
public final class Regions {
  /// Whose regions they are.
  public interface Cancellable {
    String name();

    /// One of its regions is to be cancelled.
    boolean cancel(CancelRegion region, String reason);
  }

  /// That of all whose body is over: nobody can cancel it.
  private static final CancelRegion LAST = new CancelRegion(null, CancelRegion.Kind.PROTECTED);

  private final Scheduler scheduler;
  private final Cancellable strand;
  private final CancelRegion life = new CancelRegion(null, CancelRegion.Kind.OPEN);
  private CancelRegion innermost = life;

  /// Whether protection was taken from it for good.
  private boolean forfeited;

  /// Whether it was interrupted because of a cancellation and has not left what was cancelled since.
  private boolean interrupted;

  /// Made when it is first interrupted.
  private @Nullable Interrupts interrupts;

  Regions(Scheduler scheduler, Cancellable strand) {
    this.scheduler = scheduler;
    this.strand = strand;
  }

  /// The region that is the strand itself.
  public CancelRegion life() {
    return life;
  }

  public CancelRegion innermost() {
    return innermost;
  }

  /// Whether it is protected, in a region that it was in, or is, from what is told to one around that, or to others
  /// further out.
  public boolean isProtected(@Nullable CancelRegion region, @Nullable CancelRegion around) {
    for (CancelRegion at = region; at != null && at != around && !forfeited; at = at.outer) {
      if (at.isProtected()) {
        return true;
      }
    }
    return false;
  }

  /// The cancelled region that the strand must unwind to, or null.
  public @Nullable CancelRegion effective() {
    return innermost.effective();
  }

  void throwIfCancelled() {
    CancelRegion cause = effective();
    if (cause != null) {
      throw cancelled(cause);
    }
  }

  /// What the await of a strand throws that was woken by a cancellation.
  Error cancelled() {
    CancelRegion cause = effective();
    if (cause == null) {
      throw new AssertionError("woken by a cancellation that is not there");
    }
    return cancelled(cause);
  }

  private Error cancelled(CancelRegion cause) {
    cause.told(true);
    settleInterrupts();
    return scheduler.keeper().cancelled(cause, strand.name() + " was cancelled: " + cause.reason());
  }

  /// The cancellation of the whole strand, if that is what came out of its body; else null.
  @Nullable Throwable endOfLife(Throwable thrown) {
    if (!isEndOf(life, thrown)) {
      return null;
    }
    if (scheduler.keeper().unwindsTo(thrown) != null) {
      return thrown;
    }
    Throwable unwinding = cancelled(life);
    unwinding.initCause(thrown);
    return unwinding;
  }

  public boolean isEndOfLife(Throwable thrown) {
    return isEndOf(life, thrown);
  }

  private boolean isEndOf(CancelRegion region, Throwable thrown) {
    CancelRegion unwound = scheduler.keeper().unwindsTo(thrown);
    if (unwound != null) {
      return unwound == region;
    }
    return region.isCancelled()
        && thrown instanceof Exception
        && (settleInterrupts() || thrown instanceof InterruptedException);
  }

  // ---- plain Java code

  /// If it is cancelled and has not heard of it, its thread is interrupted: it blocks in plain Java code.
  void interrupt(Thread thread) {
    CancelRegion cause = effective();
    if (cause == null || cause.isTold()) {
      return;
    }
    cause.told(true);
    if (interrupts == null) {
      interrupts = new Interrupts();
    }
    interrupts.ask(thread);
  }

  /// On the strand's own thread: from now on no interrupt of ours reaches it, or is left in its flag. Whether
  /// one did.
  private boolean settleInterrupts() {
    interrupted |= interrupts != null && interrupts.settle();
    return interrupted;
  }

  /// What was cancelled has been left.
  private void forgetInterrupts() {
    settleInterrupts();
    interrupted = false;
  }

  // ---- entering and leaving

  public <T extends @Nullable Object> T protect(Callable<T> body) throws Exception {
    CancelRegion around = innermost;
    CancelRegion inner = protectedInside(around);
    T value;
    try {
      value = body.call();
    } finally {
      leave(inner, around);
    }
    throwIfCancelled();
    return value;
  }

  /// Like [#protect], but what was held back is left to the next await: for what a coroutine does on its
  /// way out.
  public void shielded(Runnable body) {
    CancelRegion around = innermost;
    CancelRegion inner = protectedInside(around);
    try {
      body.run();
    } finally {
      leave(inner, around);
    }
  }

  private CancelRegion protectedInside(CancelRegion around) {
    CancelRegion inner =
        new CancelRegion(around, forfeited ? CancelRegion.Kind.OPEN : CancelRegion.Kind.PROTECTED);
    if (inner.isProtected()) {
      settleInterrupts(); // one may be on its way, or the JDK have left its flag
    }
    innermost = inner;
    return inner;
  }

  /// Runs the body until `deadline` on the loop's clock.
  ///
  /// @throws Expired if it has unwound because that was reached
  <T extends @Nullable Object> T within(long deadline, Callable<T> body) throws Exception, Expired {
    throwIfCancelled();
    CancelRegion around = innermost;
    CancelRegion inner = new CancelRegion(around, CancelRegion.Kind.OPEN);
    TimerEntry limit = TimerEntry.of(() -> strand.cancel(inner, "its time is over"));
    scheduler.events().timers().add(limit, deadline); // first: it may fail
    innermost = inner;
    try {
      return body.call();
    } catch (Throwable thrown) {
      if (isEndOf(inner, thrown) && !isCancelledAround(around)) {
        throw new Expired(thrown);
      }
      throw thrown;
    } finally {
      scheduler.events().timers().remove(limit);
      leave(inner, around);
      if (inner.isCancelled() && !isCancelledAround(around)) {
        forgetInterrupts();
      }
    }
  }

  /// Whether it unwinds further than to what it has left.
  private boolean isCancelledAround(CancelRegion around) {
    return (forfeited ? life : around).effective() != null;
  }

  /// Takes all protection away, for good: what is left of the strand only unwinds. Where it blocks, or will,
  /// it is to be interrupted once more.
  void unprotect() {
    forfeited = true;
    life.told(false);
    innermost = life;
  }

  /// The body is over: what its finalizers await is not cancelled any more.
  void protectFinalizers() {
    forgetInterrupts();
    innermost = forfeited ? life : LAST;
  }

  /// Unless all protection was taken away meanwhile.
  private void leave(CancelRegion inner, CancelRegion around) {
    if (innermost == inner) {
      innermost = around;
    }
  }
}
