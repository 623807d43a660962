// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.uv.UvSignal;
import org.jspecify.annotations.Nullable;

/// Which signals a program may catch beside a Java VM, and how.
final class SignalRules {
  /// Moves the signal by which HotSpot suspends threads.
  private static final String SUSPEND_VARIABLE = "_JAVA_SR_SIGNUM";

  private SignalRules() {}

  /// By way of the VM if that has a handler of its own, for its shutdown hooks, or if the mode of a terminal depends
  /// on the signal, which is heard beside all who watch it.
  static SignalCatch wayOf(EventLoop loop, String signal) {
    return switch (signal) {
      case "HUP", "INT", "TERM", "TSTP", "CONT" -> new VmCatch(loop, signal);
      default -> new UvCatch(signal);
    };
  }

  /// Why it cannot be caught; null if it can.
  static @Nullable String refusal(String signal) {
    int number = SignalNumbers.of(signal);
    if (number == suspendSignal()) {
      return "the Java VM suspends threads with it";
    }
    if (number == UvSignal.wakeUpOfTheJdk()) {
      return "the JDK wakes threads with it";
    }
    return switch (signal) {
      case "KILL", "STOP" -> "the system does not allow it";
      case "SEGV", "BUS", "ILL", "FPE" -> "the Java VM needs it to run";
      case "PIPE", "XFSZ" -> "the Java VM ignores it, so that the write fails instead";
      case "QUIT" ->
          Disposition.isCaught(number) || Disposition.isDefault(number)
              ? null
              : "the Java VM answers it with a thread dump";
      case "SIG32", "SIG33" -> "the C library needs it for its threads";
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
