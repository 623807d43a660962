// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// What may block, done by threads of their own, because neither a loop's thread nor whoever has a loop's
/// turn can wait for it: an interrupt, above all, which closes the channel that its target uses.
///
/// To give one takes no lock. One thread takes them out and hands them on, so that none waits for another.
final class Errands {
  private static final ConcurrentLinkedQueue<Runnable> GIVEN = new ConcurrentLinkedQueue<>();

  private static final Executor THREADS =
      Executors.newCachedThreadPool(
          Thread.ofPlatform()
              .daemon()
              .inheritInheritableThreadLocals(false)
              .name("couv-errand-", 1)
              .factory());

  private static final Thread DISPATCHER =
      Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(false)
          .name("couv-errands")
          .start(Errands::dispatch);

  private Errands() {}

  /// Runs it soon. It must not throw. Any thread.
  static void run(Runnable errand) {
    GIVEN.add(errand);
    LockSupport.unpark(DISPATCHER);
  }

  private static void dispatch() {
    while (true) {
      Runnable errand = GIVEN.poll();
      if (errand == null) {
        LockSupport.park(GIVEN);
      } else {
        handOn(errand);
      }
    }
  }

  private static void handOn(Runnable errand) {
    try {
      THREADS.execute(errand);
    } catch (OutOfMemoryError noThread) {
      errand.run(); // late is better than never
    }
  }
}
