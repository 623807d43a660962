// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

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

  /// Nanoseconds of a `timespec` that mean: the present moment; leave it as it is.
  public static final int UTIME_NOW = 0x3FFF_FFFF;

  public static final int UTIME_OMIT = 0x3FFF_FFFE;

  /// More than any system's `struct sigaction` takes: it is put back as it was found.
  public static final long SIGACTION_ROOM = 256;

  /// Of Linux's `siginfo_t`, as far as [#waitid] fills it.
  public static final long SIGINFO_SIZE = 128;

  public static final long SI_CODE = 8;
  public static final long SI_PID = 16;
  public static final long SI_STATUS = 24;

  private static final MethodHandle SIGACTION =
      Binder.bindErrno("sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER, POINTER));
  private static final MethodHandle RAISE =
      Binder.bindErrno("raise", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CLOSE =
      Binder.bindErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle PIDFD_OPEN =
      Binder.bindErrno("pidfd_open", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle PIDFD_SEND_SIGNAL =
      Binder.bindErrno(
          "pidfd_send_signal",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle WAITID =
      Binder.bindErrno(
          "waitid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle CLOSE_RANGE =
      Binder.bindErrno(
          "close_range", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

  private static final MethodHandle ON_EXIT =
      Binder.bindErrno("on_exit", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle DUP =
      Binder.bindErrno("dup", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle UTIMENSAT =
      Binder.bindErrno(
          "utimensat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle FUTIMENS =
      Binder.bindErrno("futimens", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER));

  private Posix() {}

  /// Sets what `act` says, unless it is 0, and tells in `oldact` what was there, unless that is 0.
  public static int sigaction(int signum, long act, long oldact) {
    try {
      return (int) SIGACTION.invokeExact(signum, act, oldact);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Sends a signal to the calling thread: it has done what it does when this returns.
  public static int raise(int sig) {
    try {
      return (int) RAISE.invokeExact(sig);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Has the C library call `function(status, arg)` when the process exits, before what was there
  /// earlier. glibc only.
  public static int on_exit(long function, long arg) {
    try {
      return (int) ON_EXIT.invokeExact(function, arg);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The address of `_exit`, which ends the process at once.
  public static long exitAtOnce() {
    return Native.systemSymbol("_exit").address();
  }

  /// Another number for the same open file.
  public static int dup(int oldfd) {
    try {
      return (int) DUP.invokeExact(oldfd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Sets both times of a path, two `timespec`s, to the nanosecond.
  public static int utimensat(int dirfd, long pathname, long times, int flags) {
    try {
      return (int) UTIMENSAT.invokeExact(dirfd, pathname, times, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#utimensat], of an open file.
  public static int futimens(int fd, long times) {
    try {
      return (int) FUTIMENS.invokeExact(fd, times);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int close(int fd) {
    try {
      return (int) CLOSE.invokeExact(fd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// A descriptor that is readable when the process has ended. Linux only.
  public static int pidfd_open(int pid, int flags) {
    try {
      return (int) PIDFD_OPEN.invokeExact(pid, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `info` and `flags` are 0. Linux only.
  public static int pidfd_send_signal(int pidfd, int sig, long info, int flags) {
    try {
      return (int) PIDFD_SEND_SIGNAL.invokeExact(pidfd, sig, info, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Fills the `siginfo_t` at `infop`; with [#WNOHANG] its [#SI_PID] stays 0 if the child has not ended.
  public static int waitid(int idtype, int id, long infop, int options) {
    try {
      return (int) WAITID.invokeExact(idtype, id, infop, options);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `last` -1 is the highest. Linux only.
  public static int close_range(int first, int last, int flags) {
    try {
      return (int) CLOSE_RANGE.invokeExact(first, last, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// The `environ` of the C library, which changes with every `setenv`.
  public static long environ() {
    return Memory.getLong(Native.systemSymbol("environ").address());
  }
}
