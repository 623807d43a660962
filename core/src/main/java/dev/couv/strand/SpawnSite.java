// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Caller;
import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// Where in the user's code a coroutine was spawned.
///
/// Walking the stack costs several times what a spawn costs. A lambda's class belongs to the one
/// place it is written at, so the place is looked up once per such class; other bodies are looked up
/// each time.
public final class SpawnSite {
  private static final ClassValue<SpawnSite[]> OF_LAMBDA =
      new ClassValue<>() {
        @Override
        protected SpawnSite[] computeValue(Class<?> type) {
          return new SpawnSite[1];
        }
      };

  private final @Nullable StackFrame frame;

  private SpawnSite(@Nullable StackFrame frame) {
    this.frame = frame;
  }

  /// The place where `body` is spawned now, or the place itself if that is what is given.
  public static SpawnSite of(Object body) {
    if (body instanceof SpawnSite known) {
      return known;
    }
    Class<?> type = body.getClass();
    if (!type.isHidden()) {
      return new SpawnSite(Caller.frame());
    }
    // A race finds the same place twice, which does no harm.
    @Nullable SpawnSite[] known = OF_LAMBDA.get(type);
    SpawnSite site = known[0];
    if (site == null) {
      site = new SpawnSite(Caller.frame());
      known[0] = site;
    }
    return site;
  }

  /// The place as a stack of one frame; of none, if it is not known.
  public StackTraceElement[] trace() {
    return frame == null
        ? new StackTraceElement[0]
        : new StackTraceElement[] {frame.toStackTraceElement()};
  }

  @Override
  public String toString() {
    return Caller.place(frame);
  }
}
