// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Caller;
import java.util.concurrent.Callable;

/// Goes on with what a coroutine has left to be done, when that is not there any more or cannot be asked: at the end of a
/// turn, on the loop's thread, or in a coroutine of the loop's own, which nothing cancels but the end of the loop.
public final class Deputy {
  private final Scheduler scheduler;
  private final SpawnSite site;

  /// The number of the thread of the last coroutine that was checked: it has that thread alone, and is of that loop for as long as it lives. Not the thread
  /// itself, which would keep what an ended coroutine had; numbers begin at 1, and none is used again.
  private long checked;

  private Deputy(Strand of) {
    scheduler = of.scheduler();
    site = of.site();
  }

  /// For the calling coroutine, in a function named `call`.
  public static Deputy of(String call) {
    return new Deputy(Strand.current(call));
  }

  /// Throws unless the caller is a coroutine of the same loop.
  public void check(Object subject) {
    long thread = Thread.currentThread().threadId();
    if (thread == checked && !scheduler.events().isClosed()) {
      return;
    }
    Fiber current = Engine.current();
    if (current == null || current.rota() != scheduler.rota()) {
      Strand.current(subject); // if it is none, that is what is wrong
      throw Caller.foreign(subject);
    }
    checked = thread;
  }

  /// Has the task run on the loop's thread when those that are ready have had their turns, before the loop looks at the
  /// outside again: once. It does not wait.
  public void atTurnEnd(Runnable task) {
    scheduler.atTurnEnd(task);
  }

  /// Begins a coroutine, which is said to have been spawned where the other was. An ordinary spawn might wait for a lock
  /// of the JDK to find out where it is; so it can be begun on the loop's thread.
  public void begin(String name, Callable<?> body) {
    scheduler.keeper().begin(name, site, body);
  }
}
