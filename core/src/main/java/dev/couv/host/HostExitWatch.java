// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvProcess;
import dev.couv.world.ExitWatch;
import dev.couv.world.Program;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The end of a process, by whatever handle the loop hears of it. Owns the child's exit status until that was
/// fetched: what is left of it when the loop ends is for [Leftovers].
abstract class HostExitWatch extends ObjectHandle implements ExitWatch {
  static final int ESRCH = UvErrors.code("ESRCH");

  private final Program program;

  /// Null if nobody is to be told.
  private final @Nullable Listener listener;

  private int pid;
  private State state = State.RUNNING;

  /// ```
  ///   RUNNING ───────── over ─────────▶ OVER
  ///      └── over, and leaves a group ─▶ LEADERLESS ── the group has ended ──▶ OVER
  /// ```
  private enum State {
    RUNNING,
    /// It has ended, and others of its group go on. As long as they do, the system gives the number to nobody
    /// else.
    LEADERLESS,
    OVER
  }

  HostExitWatch(EventLoop loop, int handleType, Program program, @Nullable Listener listener) {
    super(loop, handleType);
    this.program = program;
    this.listener = listener;
  }

  final void runs(int newPid) {
    pid = newPid;
  }

  @Override
  public final long pid() {
    return pid;
  }

  /// Sends it a signal by its number: 0, or a negative code.
  abstract int send(int number);

  @Override
  public final boolean signal(String name) throws IOException {
    return sent(send(SignalNumbers.of(name)), name);
  }

  @Override
  public final boolean signalGroup(String name) throws IOException {
    if (state == State.LEADERLESS && exists(pid)) {
      state = State.OVER; // the number is another's by now
    }
    return state != State.OVER && sent(UvProcess.uv_kill(-pid, SignalNumbers.of(name)), name);
  }

  private boolean sent(int code, String name) throws IOException {
    if (code == ESRCH) {
      return false;
    }
    Failures.check(code, "send " + name, child());
    return true;
  }

  /// Whether there is a process of that number, or a group if it is negative.
  private static boolean exists(int number) {
    return UvProcess.uv_kill(number, 0) != ESRCH;
  }

  /// Its status is nobody's concern any more: it was fetched, or is for somebody else to fetch.
  final void over() {
    state = program.detached() && pid != 0 && exists(-pid) ? State.LEADERLESS : State.OVER;
    close();
  }

  /// It has ended, by a signal unless that is 0.
  final void ended(int code, int signal) {
    over();
    if (listener != null) {
      listener.ended(code, signal == 0 ? null : SignalNumbers.name(signal));
    }
  }

  final void lost(IOException reason) {
    over();
    if (listener != null) {
      listener.lost(reason);
    }
  }

  @Override
  protected void closing() {
    if (state == State.RUNNING) {
      Leftovers.add(pid);
    }
  }

  /// As messages call it.
  final String child() {
    return program.name() + " (process " + pid + ")";
  }

  @Override
  public final String toString() {
    return "end of " + child();
  }
}
