// SPDX-License-Identifier: Apache-2.0
package dev.couv.launch;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Ends the process on Ctrl-C and its kin, and when nobody reads its output any more, after the script has cleaned
/// up: its coroutines are cancelled, so that their `finally` blocks run. A script that takes too long is left
/// behind, and a second signal ends it at once.
///
/// The signals come on threads of their own; the loop is reached by [Loop#post].
final class Interruption {
  /// Why a script is cancelled whose output nobody reads.
  static final String OUTPUT_CLOSED = "standard output was closed";

  private static final long GRACE_SECONDS = 3;

  /// What a shell reports of a program that wrote into a closed pipe: 128 and the number of SIGPIPE.
  private static final int CLOSED_PIPE = 141;

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

  /// Standard output has nobody who reads it: the program ends quietly, as others do that the system ends then.
  /// Any thread, as often as it likes. The script is told before this returns: who waits for the caller hears of the
  /// cancellation first, and does not take the caller's end for anything else.
  void outputClosed() {
    if (claim()) {
      Thread end =
          Thread.ofPlatform()
              .name("couv-closed-output")
              .daemon()
              .unstarted(() -> end(() -> {}, CLOSED_PIPE, () -> {}));
      try {
        tell(OUTPUT_CLOSED);
      } finally {
        end.start();
      }
    }
  }

  private void receive(Signals signal) {
    if (claim()) {
      end(() -> tell(signal + " was received"), signal.exitCode(), () -> sayLate(signal));
    } else {
      exit(signal.exitCode());
    }
  }

  private static void sayLate(Signals signal) {
    System.err.println(
        "couv: still running " + GRACE_SECONDS + " s after " + signal + ", ended by force");
  }

  private void end(Runnable telling, int status, Runnable late) {
    // Whatever happens here, for instance because the jar was replaced under the program: it ends.
    try {
      telling.run();
      if (running != null && !awaitEnd()) {
        late.run();
      }
    } finally {
      exit(status);
    }
  }

  private static void exit(int status) {
    try {
      TerminalModes.restore();
    } finally {
      System.exit(status);
    }
  }

  private synchronized boolean claim() {
    boolean first = !received;
    received = true;
    return first;
  }

  /// Tells a script that runs to end.
  private void tell(String reason) {
    Running script = running;
    if (script == null) {
      return;
    }
    Runnable cancelling =
        () -> {
          script.main.cancel(reason);
          script.main.scope().cancel();
        };
    if (script.main.isHere()) {
      cancelling.run();
      return;
    }
    try {
      script.loop.post(cancelling);
    } catch (ClosedException e) {
      return; // it has just ended by itself
    }
  }

  /// Returns whether the script has ended in time.
  private boolean awaitEnd() {
    try {
      return ended.await(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
