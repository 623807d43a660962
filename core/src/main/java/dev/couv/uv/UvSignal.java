// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Signals: `uv_signal_t`.
///
/// Stopping the last watcher of a signal sets the default action of the system, not the handler
/// that the VM had before.
public final class UvSignal {
  // The numbers of the system; 0 where it has no such signal.
  public static final int SIGHUP = 1;
  public static final int SIGINT = 2;
  public static final int SIGQUIT = 3;
  public static final int SIGILL = 4;
  public static final int SIGTRAP = Platform.choose(5, 5, 0);
  public static final int SIGABRT = Platform.choose(6, 6, 22);
  public static final int SIGBUS = Platform.choose(7, 10, 0);
  public static final int SIGFPE = 8;
  public static final int SIGKILL = 9;
  public static final int SIGUSR1 = Platform.choose(10, 30, 0);
  public static final int SIGSEGV = 11;
  public static final int SIGUSR2 = Platform.choose(12, 31, 0);
  public static final int SIGPIPE = Platform.choose(13, 13, 0);
  public static final int SIGALRM = Platform.choose(14, 14, 0);
  public static final int SIGTERM = 15;
  public static final int SIGSTKFLT = Platform.choose(16, 0, 0);
  public static final int SIGCHLD = Platform.choose(17, 20, 0);
  public static final int SIGCONT = Platform.choose(18, 19, 0);
  public static final int SIGSTOP = Platform.choose(19, 17, 0);
  public static final int SIGTSTP = Platform.choose(20, 18, 0);
  public static final int SIGTTIN = Platform.choose(21, 21, 0);
  public static final int SIGTTOU = Platform.choose(22, 22, 0);
  public static final int SIGURG = Platform.choose(23, 16, 0);
  public static final int SIGXCPU = Platform.choose(24, 24, 0);
  public static final int SIGXFSZ = Platform.choose(25, 25, 0);
  public static final int SIGVTALRM = Platform.choose(26, 26, 0);
  public static final int SIGPROF = Platform.choose(27, 27, 0);
  public static final int SIGWINCH = 28;
  public static final int SIGPOLL = Platform.choose(29, 23, 0);
  public static final int SIGPWR = Platform.choose(30, 0, 0);
  public static final int SIGSYS = Platform.choose(31, 12, 0);

  private static final Call INIT = Call.of("uv_signal_init", INT, POINTER, POINTER);
  private static final Call START = Call.of("uv_signal_start", INT, POINTER, POINTER, INT);
  private static final Call STOP = Call.of("uv_signal_stop", INT, POINTER);

  private UvSignal() {}

  /// The signal by which the JDK's own code wakes a thread that blocks in a system call.
  public static int wakeUpOfTheJdk() {
    return Platform.choose(62, SIGPOLL, 0);
  }

  public static int uv_signal_init(long loop, long signal) {
    return (int) INIT.call(loop, signal);
  }

  public static int uv_signal_start(long signal, long cb, int signum) {
    return (int) START.call(signal, cb, signum);
  }

  public static int uv_signal_stop(long signal) {
    return (int) STOP.call(signal);
  }
}
