// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.loop.Caller;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The loop that an object belongs to: that of the coroutine that made it. One that was made outside
/// of any belongs to the first loop that uses it and, when that is closed, to the next.
final class Home {
  private final boolean fixed = Suspension.isInCoroutine();
  private final AtomicReference<@Nullable EventLoop> loop =
      new AtomicReference<>(fixed ? Suspension.loop("a home") : null);

  /// Throws unless the caller is a coroutine of the loop.
  void enter(Object subject, String call) {
    EventLoop here = Suspension.loop(call);
    EventLoop bound = loop.get();
    if (here != bound && !settle(bound, here)) {
      throw Caller.foreign(subject);
    }
  }

  /// Throws unless the caller is a coroutine of the loop, or its thread between runs.
  void check(Object subject, String call) {
    if (Suspension.isInCoroutine()) {
      enter(subject, call);
    } else if (!isHere()) {
      throw Caller.foreign(subject);
    }
  }

  /// Whether the caller may use what belongs here. Any thread.
  boolean isHere() {
    EventLoop bound = loop.get();
    return bound == null || bound.isClosed() || bound.isInside();
  }

  private boolean settle(@Nullable EventLoop bound, EventLoop here) {
    return !fixed && (bound == null || bound.isClosed()) && loop.compareAndSet(bound, here);
  }
}
