// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// Keeps the JDK's own socket machinery out of the loops.
///
/// The JDK's poller threads are virtual, started on the first use of a JDK socket by a virtual
/// thread, and inherit the scheduler of whoever comes first. Were that a coroutine, the JDK's
/// sockets would depend on its loop, and stop with it.
///
/// Under `-Djdk.pollerMode=1` they are platform threads, which inherit nothing, so they are left to
/// start when needed. The launcher sets it: a JVM that ends waits 0.3 s for threads in native code,
/// and a poller is always in `epoll_wait`.
final class Pollers {
  private Pollers() {}

  /// Starts them now, from a platform thread, on the JDK's own scheduler.
  static void startOutsideOfLoops() {
    if ("1".equals(System.getProperty("jdk.pollerMode"))) {
      return;
    }
    Thread starter =
        Thread.ofPlatform()
            .name("couv-poller-start")
            .daemon()
            .start(
                () -> {
                  try {
                    Class.forName("sun.nio.ch.Poller", true, null);
                  } catch (ClassNotFoundException | LinkageError e) {
                    // A JDK without them has nothing that could be inherited.
                    return;
                  }
                });
    boolean interrupted = false;
    while (starter.isAlive()) {
      try {
        starter.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
