// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.UvSignal;
import java.util.HashMap;
import java.util.Map;

/// The numbers by which the system knows its signals.
final class SignalNumbers {
  private static final int NAMELESS = 32;
  private static final int LAST = 64;

  private static final Map<String, Integer> BY_NAME = new HashMap<>();
  private static final String[] NAMES = new String[LAST + 1];

  static {
    put("HUP", UvSignal.SIGHUP);
    put("INT", UvSignal.SIGINT);
    put("QUIT", UvSignal.SIGQUIT);
    put("ILL", UvSignal.SIGILL);
    put("TRAP", UvSignal.SIGTRAP);
    put("ABRT", UvSignal.SIGABRT);
    put("BUS", UvSignal.SIGBUS);
    put("FPE", UvSignal.SIGFPE);
    put("KILL", UvSignal.SIGKILL);
    put("USR1", UvSignal.SIGUSR1);
    put("SEGV", UvSignal.SIGSEGV);
    put("USR2", UvSignal.SIGUSR2);
    put("PIPE", UvSignal.SIGPIPE);
    put("ALRM", UvSignal.SIGALRM);
    put("TERM", UvSignal.SIGTERM);
    put("STKFLT", UvSignal.SIGSTKFLT);
    put("CHLD", UvSignal.SIGCHLD);
    put("CONT", UvSignal.SIGCONT);
    put("STOP", UvSignal.SIGSTOP);
    put("TSTP", UvSignal.SIGTSTP);
    put("TTIN", UvSignal.SIGTTIN);
    put("TTOU", UvSignal.SIGTTOU);
    put("URG", UvSignal.SIGURG);
    put("XCPU", UvSignal.SIGXCPU);
    put("XFSZ", UvSignal.SIGXFSZ);
    put("VTALRM", UvSignal.SIGVTALRM);
    put("PROF", UvSignal.SIGPROF);
    put("WINCH", UvSignal.SIGWINCH);
    put("POLL", UvSignal.SIGPOLL);
    put("PWR", UvSignal.SIGPWR);
    put("SYS", UvSignal.SIGSYS);
    if (UvSignal.SIGSTKFLT != 0) { // Linux, which has signals without a name, too
      for (int number = NAMELESS; number <= LAST; number++) {
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
