// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Ends the process on Ctrl-C and its kin, after the script has cleaned up: its coroutines are
/// cancelled, so that their `finally` blocks run. A script that takes too long is left behind, and a
/// second signal ends it at once.
///
/// The signals come on threads of their own; the loop is reached by [Loop#post].
final class Interruption {
  private static final long GRACE_SECONDS = 3;

  /// A script that runs: what to cancel, and where.
  private record Running(Loop loop, Coroutine<?> main) {}

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Running running;
  private volatile boolean received;

  private Interruption() {}

  /// From now on signals end the process.
  static Interruption install() {
    Interruption interruption = new Interruption();
    TerminalModes.prepare();
    Signals.handle(interruption::receive);
    return interruption;
  }

  /// The script's main coroutine has begun. In it.
  void started(Loop loop, Coroutine<?> main) {
    running = new Running(loop, main);
  }

  /// The script's loop has ended. Does not return if a signal has come: its thread is about to end
  /// the process.
  void ended() {
    ended.countDown();
    while (received) {
      LockSupport.park(this);
    }
  }

  boolean isReceived() {
    return received;
  }

  private void receive(Signals signal) {
    // Whatever happens here, for instance because the jar was replaced under the program: it ends.
    try {
      boolean first = claim();
      Running script = running;
      if (first && script != null) {
        cancel(script, signal);
      }
      TerminalModes.restore();
    } finally {
      System.exit(signal.exitCode());
    }
  }

  private synchronized boolean claim() {
    boolean first = !received;
    received = true;
    return first;
  }

  private void cancel(Running script, Signals signal) {
    try {
      script.loop.post(
          () -> {
            script.main.cancel(signal + " was received");
            script.main.scope().cancel();
          });
      if (!ended.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println(
            "couv: still running " + GRACE_SECONDS + " s after " + signal + ", ended by force");
      }
    } catch (ClosedException e) {
      // It has just ended by itself.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
