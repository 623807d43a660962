// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Strand;
import dev.couv.strand.Suspension;
import dev.couv.strand.Until;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The end of a scope: waits until nothing of it is left, and does what is to be done then, whatever
/// some of that throws. One coroutine does it; whoever else wants the scope ended waits for that one.
///
/// The loop's own scope has nobody around it who could: a coroutine of its own ends it, and does not
/// wait for itself.
final class ScopeEnd {
  private final Block block;
  final Finalizers finalizers = new Finalizers();

  /// Who is at it.
  private @Nullable Strand ender;

  /// Those who wait for that.
  private @Nullable Until waiting;

  ScopeEnd(Block block) {
    this.block = block;
  }

  /// Whether the coroutine is at it: it would wait for itself.
  boolean isEndedBy(Strand coroutine) {
    return ender == coroutine;
  }

  /// Whether something is left to do for the scope, or for one inside that nobody closed.
  boolean isOwed() {
    for (Block each : block.nesting.tree()) {
      if ((each == block || each.isForgotten()) && !each.end.finalizers.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /// Ends it, in the calling coroutine, which must be protected; or waits until whoever is at it has
  /// done so.
  ///
  /// @throws Cancelled if the protection was taken away: what was to be done has been done all the same
  void run() {
    Strand self = Strand.current("the end of a scope");
    if (ender != null && ender != self) {
      awaitEnder();
    }
    if (ender != null || block.isEnded()) {
      return;
    }
    ender = self;
    boolean member = self.group() == block;
    if (member) {
      block.members.deactivated();
    }
    try {
      endAll();
    } finally {
      if (member) {
        block.members.activated();
      } else {
        block.closed();
      }
      ender = null;
      if (waiting != null) {
        waiting.changed();
      }
    }
  }

  /// The coroutine that ends the loop's own scope, if there is something to do; else false. Also false
  /// if one is at it.
  boolean begin(BooleanSupplier overdue) {
    if (ender != null || !isOwed()) {
      return false;
    }
    begin(
        () -> {
          if (overdue.getAsBoolean()) {
            Strand.current("the end of a scope").unprotect();
          }
          run();
        });
    return true;
  }

  /// A coroutine of the runtime for that, which nothing cancels.
  void begin(Action body) {
    Chore.beginShielded(block.scheduler, block.nesting.root(), "end of " + block, body);
  }

  private void awaitEnder() {
    if (waiting == null) {
      waiting = new Until();
    }
    while (ender != null) {
      try {
        waiting.await(() -> ender == null, "the end of " + block);
      } catch (Resumed impatient) {
        // Nobody leaves before it has ended.
      }
    }
  }

  private void endAll() {
    @Nullable Cancelled unprotected = null;
    do {
      try {
        endMembers(); // again after each: a handler may spawn
      } catch (Cancelled cut) {
        unprotected = cut;
      }
    } while (finalizers.runNext(block.failure.first(), block.cancelReason(), block::endFailed));
    if (unprotected != null) {
      throw unprotected;
    }
  }

  /// Cancels what is only suspended by a yield.
  private void endMembers() {
    endForgotten();
    while (block.members.hasOthers(ender)) {
      try {
        Suspension.await(block.members.over());
      } catch (Resumed impatient) {
        continue; // nobody leaves before they have ended
      }
      endPassive();
      endForgotten();
    }
  }

  /// Scopes whose coroutines have ended without closing them, those inside of others first.
  private void endForgotten() {
    for (Block child : block.nesting.children()) {
      if (child.isForgotten()) {
        child.cancel("its scope was not closed");
        for (Block forgotten : child.nesting.tree().reversed()) {
          Block around = forgotten.nesting.around();
          if (around != null && forgotten.isForgotten()) {
            try {
              forgotten.end.run();
            } finally {
              forgotten.failure.moveTo(around.failure);
            }
          }
        }
      }
    }
  }

  private void endPassive() {
    boolean stuck = block.members.active() == 0; // under protection, where nothing would wake them
    for (Strand strand : block.members.list()) {
      if (strand != ender) {
        strand.cancel("its scope ended");
        if (stuck) {
          strand.unprotect();
        }
      }
    }
  }
}
