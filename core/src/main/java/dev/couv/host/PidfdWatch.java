// SPDX-License-Identifier: Apache-2.0
package dev.couv.process;

import dev.couv.error.UvException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.ObjectHandle;
import dev.couv.signal.Signal;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import java.io.IOException;

/// Waits for a process by a descriptor of it, which also keeps its number from meaning another process.
///
/// Owns the descriptor until it is closed, and the child's exit status until that was fetched: what is
/// left of it when the loop ends is for [Leftovers].
final class PidfdWatch extends ObjectHandle implements ExitWatch {
  /// The same on every system.
  private static final int ECHILD = 10;

  private static final int EMFILE = UvErrors.code("EMFILE");
  private static final int ENFILE = UvErrors.code("ENFILE");
  private static final int ENOMEM = UvErrors.code("ENOMEM");

  private static final int SELF = (int) ProcessHandle.current().pid();

  private final int pid;
  private final int pidfd;
  private final Child child;
  private boolean over;

  private PidfdWatch(EventLoop loop, int pid, int pidfd, Child child) {
    super(loop, UvHandle.UV_POLL);
    this.pid = pid;
    this.pidfd = pidfd;
    this.child = child;
  }

  /// Whether the system lets this process watch others so: old kernels do not know how, and sandboxes may refuse it. Asked
  /// each time, because it costs little, and a sandbox may be entered at any time. A lack of descriptors is told by [#reserve].
  static boolean isAllowed() {
    int own = Posix.pidfd_open(SELF, 0);
    if (own < 0) {
      return own == EMFILE || own == ENFILE || own == ENOMEM;
    }
    long info = Memory.calloc(1, Posix.SIGINFO_SIZE);
    try {
      // This process is no child of its own: that, and nothing else, must be the answer.
      return info == 0
          || (Posix.waitid(Posix.P_PIDFD, own, info, Posix.WEXITED | Posix.WNOHANG) == -ECHILD
              && Posix.pidfd_send_signal(own, 0, 0, 0) >= 0);
    } finally {
      Memory.free(info);
      Posix.close(own);
    }
  }

  /// A descriptor like the one that [#open] will need, until it is closed.
  static int reserve(Child child) throws IOException {
    return Failures.check(Posix.pidfd_open(SELF, 0), "watch", child);
  }

  /// Of a child that runs. If that fails, it does not any more.
  static PidfdWatch open(EventLoop loop, int pid, Child child) throws IOException {
    int pidfd = Posix.pidfd_open(pid, 0);
    if (pidfd < 0) {
      Leftovers.end(pid);
      throw Failures.of(pidfd, "watch", child.toString());
    }
    PidfdWatch watch = null;
    try {
      watch = new PidfdWatch(loop, pid, pidfd, child);
      Failures.check(
          watch.open((at, poll) -> UvPoll.uv_poll_init(at, poll, pidfd)), "watch", child);
      Failures.check(watch.startEvents(), "watch", child);
      return watch;
    } catch (Throwable failed) {
      if (watch != null && watch.isOpen()) {
        watch.over = true;
        watch.close(); // and the descriptor with it
      } else {
        Posix.close(pidfd);
      }
      Leftovers.end(pid);
      throw failed;
    }
  }

  @Override
  public int pid() {
    return pid;
  }

  @Override
  public int signal(int number) {
    return Posix.pidfd_send_signal(pidfd, number, 0, 0);
  }

  @Override
  protected int startEvents() {
    return UvPoll.uv_poll_start(address(), UvPoll.UV_READABLE, Callbacks.POLL_CB);
  }

  @Override
  protected void stopEvents() {
    UvPoll.uv_poll_stop(address());
  }

  @Override
  protected void onPoll(int status, int events) {
    long info = loop().scratch().argumentsAddress();
    Memory.zero(info, Posix.SIGINFO_SIZE);
    int code = Posix.waitid(Posix.P_PIDFD, pidfd, info, Posix.WEXITED | Posix.WNOHANG);
    if (code >= 0 && Memory.getInt(info + Posix.SI_PID) == 0) {
      return; // not yet
    }
    int how = Memory.getInt(info + Posix.SI_CODE);
    int value = Memory.getInt(info + Posix.SI_STATUS);
    over = true;
    close();
    if (code < 0) {
      child.lost(failure(code));
    } else {
      child.ended(
          how == Posix.CLD_EXITED ? new Exit.Code(value) : new Exit.Signalled(Signal.of(value)));
    }
  }

  /// libuv has no name for the one that matters.
  private UvException failure(int code) {
    String subject = "the end of " + child;
    return code == -ECHILD
        ? new UvException(
            "ECHILD", ECHILD, "other code of this process has taken it", "await", subject)
        : Failures.of(code, "await", subject);
  }

  @Override
  protected void closing() {
    stopEvents();
    Posix.close(pidfd);
    if (!over) {
      Leftovers.add(pid);
    }
  }

  @Override
  public String toString() {
    return "end of " + child;
  }
}
