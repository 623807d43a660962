// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

import java.util.List;

/// Signals: `uv_signal_t`.
///
/// Stopping the last watcher of a signal sets the default action of the system, not the handler
/// that the VM had before.
public final class UvSignal {
  /// In [#NAMES], at a number that has none that Couv knows of.
  public static final String NONE = "-";

  /// Their names without `SIG`, each at its number.
  public static final List<String> NAMES =
      List.of(
          (switch (Platform.CURRENT) {
                case LINUX ->
                    "- HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT"
                        + " CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH POLL PWR"
                        + " SYS";
                case MACOS ->
                    "- HUP INT QUIT ILL TRAP ABRT - FPE KILL BUS SEGV SYS PIPE ALRM TERM URG STOP "
                        + "TSTP CONT CHLD TTIN TTOU POLL XCPU XFSZ VTALRM PROF WINCH - USR1 USR2";
                case WINDOWS ->
                    "- HUP INT QUIT ILL - - - FPE KILL - SEGV - - - TERM - - - - - - ABRT - - - - -"
                        + " WINCH";
              })
              .split(" "));

  // 0 where the system has no such signal.
  public static final int SIGKILL = number("KILL");
  public static final int SIGUSR2 = number("USR2");
  public static final int SIGCHLD = number("CHLD");
  public static final int SIGCONT = number("CONT");
  public static final int SIGTSTP = number("TSTP");

  private static final Call INIT = Call.of("uv_signal_init", INT, POINTER, POINTER);
  private static final Call START = Call.of("uv_signal_start", INT, POINTER, POINTER, INT);
  private static final Call STOP = Call.of("uv_signal_stop", INT, POINTER);

  private UvSignal() {}

  private static int number(String name) {
    return Math.max(0, NAMES.indexOf(name));
  }

  /// The signal by which the JDK's own code wakes a thread that blocks in a system call.
  public static int wakeUpOfTheJdk() {
    return Platform.choose(62, number("POLL"), 0);
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
