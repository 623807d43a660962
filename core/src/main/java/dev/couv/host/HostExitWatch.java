// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.CheckReturnValue;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.loop.Transition;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvProcess;
import dev.couv.uv.UvSignal;
import dev.couv.world.ExitWatch;
import dev.couv.world.Program;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The end of a process, by whatever handle the loop hears of it. Owns the child's exit status until that was
/// fetched.
///
/// A child that has outlived its loop is a zombie when it ends, until somebody asks for its status: that is done whenever
/// another child is started, and by the system when this process ends.
abstract class HostExitWatch extends ObjectHandle implements ExitWatch {
  static final int ESRCH = UvErrors.code("ESRCH");

  private static final boolean CAN_WAIT = Native.systemHas("waitid");

  /// Children that have outlived their loops. Its lock is held for system calls that do not wait.
  static final Set<Integer> LEFT = new HashSet<>();

  private final Program program;

  /// Null if nobody is to be told.
  private final @Nullable Listener listener;

  private int pid;
  private State state = State.RUNNING;

  /// ```
  ///   RUNNING ───────── over ─────────▶ OVER
  ///      └── over, and leaves a group ─▶ LEADERLESS ── the group has ended ──▶ OVER
  /// ```
  @CheckReturnValue
  private enum State {
    RUNNING,
    /// It has ended, and others of its group go on. As long as they do, the system gives the number to nobody
    /// else.
    LEADERLESS,
    OVER;

    State end(boolean leavesGroup) {
      return Transition.require(this, this == RUNNING, "end", leavesGroup ? LEADERLESS : OVER);
    }

    State groupEnded() {
      return Transition.require(this, this == LEADERLESS, "groupEnded", OVER);
    }
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
      state = state.groupEnded(); // the number is another's by now
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
    state = state.end(program.detached() && pid != 0 && exists(-pid));
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
      leave(pid);
    }
  }

  // ---- those that nobody watches

  static void leave(int pid) {
    synchronized (LEFT) {
      LEFT.add(pid);
      reap();
    }
  }

  /// Takes the status of those that have outlived their loops, and have ended. Any thread.
  static void reap() {
    synchronized (LEFT) {
      LEFT.removeIf(each -> hasEnded(each, Posix.WNOHANG));
    }
  }

  /// Kills a child that has just been started and cannot be watched, and waits for its end.
  static void end(int pid) {
    UvProcess.uv_kill(pid, UvSignal.SIGKILL);
    hasEnded(pid, 0);
  }

  private static boolean hasEnded(int pid, int options) {
    if (!CAN_WAIT) {
      return true;
    }
    long info = Memory.calloc(1, Posix.SIGINFO_SIZE);
    if (info == 0) {
      return false; // asked again later, when there may be memory
    }
    try {
      return Posix.waitid(Posix.P_PID, pid, info, Posix.WEXITED | options) < 0
          || Memory.getInt(info + Posix.SI_PID) != 0;
    } finally {
      Memory.free(info);
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
