// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.UvSignal;
import java.util.HashMap;
import java.util.Map;

/// The numbers by which the system knows its signals.
final class SignalNumbers {
  private static final int LAST = 64;

  /// Those that have a name, and their numbers; 0 for what the system has not.
  private static final String[] NAMED =
      ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT "
              + "CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH POLL PWR SYS")
          .split(" ");

  private static final int[] NUMBERS = {
    UvSignal.SIGHUP, UvSignal.SIGINT, UvSignal.SIGQUIT, UvSignal.SIGILL,
    UvSignal.SIGTRAP, UvSignal.SIGABRT, UvSignal.SIGBUS, UvSignal.SIGFPE,
    UvSignal.SIGKILL, UvSignal.SIGUSR1, UvSignal.SIGSEGV, UvSignal.SIGUSR2,
    UvSignal.SIGPIPE, UvSignal.SIGALRM, UvSignal.SIGTERM, UvSignal.SIGSTKFLT,
    UvSignal.SIGCHLD, UvSignal.SIGCONT, UvSignal.SIGSTOP, UvSignal.SIGTSTP,
    UvSignal.SIGTTIN, UvSignal.SIGTTOU, UvSignal.SIGURG, UvSignal.SIGXCPU,
    UvSignal.SIGXFSZ, UvSignal.SIGVTALRM, UvSignal.SIGPROF, UvSignal.SIGWINCH,
    UvSignal.SIGPOLL, UvSignal.SIGPWR, UvSignal.SIGSYS
  };

  private static final Map<String, Integer> BY_NAME = new HashMap<>();
  private static final String[] NAMES = new String[LAST + 1];

  static {
    for (int i = 0; i < NUMBERS.length; i++) {
      put(NAMED[i], NUMBERS[i]);
    }
    if (UvSignal.SIGSTKFLT != 0) { // Linux, which has signals without a name, too
      for (int number = UvSignal.SIGSYS + 1; number <= LAST; number++) {
        put("SIG" + number, number);
      }
    }
  }

  private SignalNumbers() {}

  private static void put(String name, int number) {
    if (number != 0) {
      BY_NAME.put(name, number);
      NAMES[number] = name;
    }
  }

  /// 0 if the system has no such signal.
  static int of(String name) {
    return BY_NAME.getOrDefault(name, 0);
  }

  /// @throws IllegalArgumentException if the system has none
  static String name(int number) {
    if (number <= 0 || number > LAST || NAMES[number] == null) {
      throw new IllegalArgumentException("there is no signal " + number);
    }
    return NAMES[number];
  }
}
