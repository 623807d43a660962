// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.error.UvException;
import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvPoll;
import dev.couv.world.Program;
import java.io.IOException;

/// Waits for a process by a descriptor of it, which also keeps its number from meaning another process.
/// Owns the descriptor until it is closed.
final class PidfdWatch extends HostExitWatch {
  /// The same on every system.
  private static final int ECHILD = 10;

  private static final int SELF = (int) ProcessHandle.current().pid();

  private final int pidfd;

  private PidfdWatch(EventLoop loop, Program program, int pid, int pidfd, Listener listener) {
    super(loop, UvHandle.UV_POLL, program, listener);
    this.pidfd = pidfd;
    runs(pid);
  }

  /// Whether the system lets this process watch others so: old kernels do not know how, and sandboxes may refuse it. Asked
  /// each time, because it costs little, and a sandbox may be entered at any time. A lack of descriptors is told by [#reserve].
  static boolean isAllowed() {
    int own = Posix.pidfd_open(SELF, 0);
    if (own < 0) {
      return own == UvErrors.UV_EMFILE || own == UvErrors.UV_ENFILE || own == UvErrors.UV_ENOMEM;
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
  static int reserve(Program program) throws IOException {
    return Failures.check(Posix.pidfd_open(SELF, 0), "watch", program.name());
  }

  /// Of a child that runs. If that fails, it does not any more.
  static PidfdWatch open(EventLoop loop, Program program, int pid, Listener listener)
      throws IOException {
    int pidfd = Posix.pidfd_open(pid, 0);
    if (pidfd < 0) {
      end(pid);
      throw Failures.of(pidfd, "watch", program.name());
    }
    PidfdWatch watch = null;
    try {
      watch = new PidfdWatch(loop, program, pid, pidfd, listener);
      Failures.check(
          watch.open((at, poll) -> UvPoll.uv_poll_init(at, poll, pidfd)), "watch", program.name());
      Failures.check(watch.startEvents(), "watch", program.name());
      return watch;
    } catch (Throwable failed) {
      if (watch != null && watch.isOpen()) {
        watch.over(); // and the descriptor with it
      } else {
        Posix.close(pidfd);
      }
      end(pid);
      throw failed;
    }
  }

  @Override
  int send(int number) {
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
    if (code < 0) {
      lost(failure(code));
    } else {
      boolean byItself = how == Posix.CLD_EXITED;
      ended(byItself ? value : 0, byItself ? 0 : value);
    }
  }

  /// libuv has no name for the one that matters.
  private UvException failure(int code) {
    String subject = "the end of " + child();
    return code == -ECHILD
        ? new UvException(
            "ECHILD", ECHILD, "other code of this process has taken it", "await", subject)
        : Failures.of(code, "await", subject);
  }

  @Override
  protected void closing() {
    stopEvents();
    Posix.close(pidfd);
    super.closing();
  }
}
