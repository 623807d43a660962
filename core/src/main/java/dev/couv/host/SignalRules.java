// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.uv.UvSignal;
import org.jspecify.annotations.Nullable;

/// Which signals a program may catch beside a Java VM.
final class SignalRules {
  /// Moves the signal by which HotSpot suspends threads.
  private static final String SUSPEND_VARIABLE = "_JAVA_SR_SIGNUM";

  private SignalRules() {}

  static void checkExists(Signal signal) {
    if (signal.number() == 0) {
      throw new IllegalArgumentException("this system has no signal " + signal);
    }
  }

  static void checkCatchable(Signal signal) {
    checkExists(signal);
    String reason = refusal(signal);
    if (reason != null) {
      throw new IllegalArgumentException("signal " + signal + " cannot be caught: " + reason);
    }
  }

  /// Whether it is caught by way of the VM: the VM has a handler of its own, for its shutdown hooks, or the mode
  /// of a terminal depends on it, which is heard beside all who watch it.
  static boolean goesByTheVm(Signal signal) {
    return switch (signal) {
      case HUP, INT, TERM, TSTP, CONT -> true;
      default -> false;
    };
  }

  private static @Nullable String refusal(Signal signal) {
    if (signal.number() == suspendSignal()) {
      return "the Java VM suspends threads with it";
    }
    if (signal.number() == UvSignal.wakeUpOfTheJdk()) {
      return "the JDK wakes threads with it";
    }
    return switch (signal) {
      case KILL, STOP -> "the system does not allow it";
      case SEGV, BUS, ILL, FPE -> "the Java VM needs it to run";
      case PIPE, XFSZ -> "the Java VM ignores it, so that the write fails instead";
      case QUIT ->
          Disposition.isDefault(signal) ? null : "the Java VM answers it with a thread dump";
      case SIG32, SIG33 -> "the C library needs it for its threads";
      default -> null;
    };
  }

  private static int suspendSignal() {
    String moved = System.getenv(SUSPEND_VARIABLE);
    try {
      return moved == null ? UvSignal.SIGUSR2 : Integer.parseInt(moved);
    } catch (NumberFormatException e) {
      return UvSignal.SIGUSR2;
    }
  }
}
