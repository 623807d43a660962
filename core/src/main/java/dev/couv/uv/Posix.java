// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// What libuv does not do for a virtual machine, asked of the system itself. A failed call answers
/// the negated `errno`, as libuv's do. Any thread.
public final class Posix {
  /// The kinds of `id` that [#waitid] takes.
  public static final int P_PID = 1;

  public static final int P_PIDFD = 3;

  public static final int WNOHANG = 1;
  public static final int WEXITED = 4;

  /// What became of a child: it ended by itself; the other codes mean that a signal ended it.
  public static final int CLD_EXITED = 1;

  public static final int CLOSE_RANGE_CLOEXEC = 4;

  public static final int AT_FDCWD = -100;
  public static final int AT_SYMLINK_NOFOLLOW = 0x100;

  /// Nanoseconds of a `timespec` that mean: leave it as it is.
  public static final int UTIME_OMIT = 0x3FFF_FFFE;

  /// More than any system's `struct sigaction` takes: it is put back as it was found.
  public static final long SIGACTION_ROOM = 256;

  /// Of Linux's `siginfo_t`, as far as [#waitid] fills it.
  public static final long SIGINFO_SIZE = 128;

  public static final long SI_CODE = 8;
  public static final long SI_PID = 16;
  public static final long SI_STATUS = 24;

  private static final Call SIGACTION = Call.errno("sigaction", INT, INT, POINTER, POINTER);
  private static final Call RAISE = Call.errno("raise", INT, INT);
  private static final Call CLOSE = Call.errno("close", INT, INT);
  private static final Call PIDFD_OPEN = Call.errno("pidfd_open", INT, INT, INT);
  private static final Call PIDFD_SEND_SIGNAL =
      Call.errno("pidfd_send_signal", INT, INT, INT, POINTER, INT);
  private static final Call WAITID = Call.errno("waitid", INT, INT, INT, POINTER, INT);
  private static final Call CLOSE_RANGE = Call.errno("close_range", INT, INT, INT, INT);

  private static final Call ON_EXIT = Call.errno("on_exit", INT, POINTER, POINTER);
  private static final Call DUP = Call.errno("dup", INT, INT);
  private static final Call UTIMENSAT = Call.errno("utimensat", INT, INT, POINTER, POINTER, INT);
  private static final Call FUTIMENS = Call.errno("futimens", INT, INT, POINTER);

  private Posix() {}

  /// Sets what `act` says, unless it is 0, and tells in `oldact` what was there, unless that is 0.
  public static int sigaction(int signum, long act, long oldact) {
    return (int) SIGACTION.call(signum, act, oldact);
  }

  /// Sends a signal to the calling thread: it has done what it does when this returns.
  public static int raise(int sig) {
    return (int) RAISE.call(sig);
  }

  /// Has the C library call `function(status, arg)` when the process exits, before what was there
  /// earlier. glibc only.
  public static int on_exit(long function, long arg) {
    return (int) ON_EXIT.call(function, arg);
  }

  /// The address of `_exit`, which ends the process at once.
  public static long exitAtOnce() {
    return Native.systemSymbol("_exit").address();
  }

  /// Another number for the same open file.
  public static int dup(int oldfd) {
    return (int) DUP.call(oldfd);
  }

  /// Sets both times of a path, two `timespec`s, to the nanosecond.
  public static int utimensat(int dirfd, long pathname, long times, int flags) {
    return (int) UTIMENSAT.call(dirfd, pathname, times, flags);
  }

  /// As [#utimensat], of an open file.
  public static int futimens(int fd, long times) {
    return (int) FUTIMENS.call(fd, times);
  }

  public static int close(int fd) {
    return (int) CLOSE.call(fd);
  }

  /// A descriptor that is readable when the process has ended. Linux only.
  public static int pidfd_open(int pid, int flags) {
    return (int) PIDFD_OPEN.call(pid, flags);
  }

  /// `info` and `flags` are 0. Linux only.
  public static int pidfd_send_signal(int pidfd, int sig, long info, int flags) {
    return (int) PIDFD_SEND_SIGNAL.call(pidfd, sig, info, flags);
  }

  /// Fills the `siginfo_t` at `infop`; with [#WNOHANG] its [#SI_PID] stays 0 if the child has not ended.
  public static int waitid(int idtype, int id, long infop, int options) {
    return (int) WAITID.call(idtype, id, infop, options);
  }

  /// `last` -1 is the highest. Linux only.
  public static int close_range(int first, int last, int flags) {
    return (int) CLOSE_RANGE.call(first, last, flags);
  }

  /// The `environ` of the C library, which changes with every `setenv`.
  public static long environ() {
    return Memory.getLong(Environ.ADDRESS);
  }

  /// Where the C library keeps it: looked up once, when a child first inherits.
  private static final class Environ {
    static final long ADDRESS = Native.systemSymbol("environ").address();
  }
}
