// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.coro.ShutdownTrigger;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.VmSignals;
import dev.couv.strand.Suspension;
import dev.couv.uv.UvProcess;
import dev.couv.uv.UvSignal;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// The system's signals, by their POSIX names: to wait for, to watch, and to send.
///
/// While anybody waits for a signal or watches it, in any loop, it does not do what it does by default:
/// a watched `TERM` does not end the program. When the last one leaves, the handler that was there
/// before is put back, so that shutdown hooks run again.
///
/// Some signals are refused, because the Java VM needs them: `SEGV`, `BUS`, `ILL` and `FPE`, `PIPE` and
/// `XFSZ`, `QUIT` (unless the VM runs with `-Xrs`), `USR2`, and those that the C library and the JDK use
/// for their threads. `KILL` and `STOP` cannot be caught by anybody.
public enum Signal implements ShutdownTrigger {
  /// The terminal has gone; for a server by custom: read the configuration again.
  HUP(UvSignal.SIGHUP),
  /// Interrupted from the keyboard.
  INT(UvSignal.SIGINT),
  /// Quit from the keyboard. The VM answers it with a thread dump.
  QUIT(UvSignal.SIGQUIT),
  /// Illegal instruction.
  ILL(UvSignal.SIGILL),
  /// A breakpoint.
  TRAP(UvSignal.SIGTRAP),
  /// The program gave up.
  ABRT(UvSignal.SIGABRT),
  /// Memory that cannot be reached.
  BUS(UvSignal.SIGBUS),
  /// Arithmetic that cannot be done.
  FPE(UvSignal.SIGFPE),
  /// Ends a process; cannot be caught.
  KILL(UvSignal.SIGKILL),
  /// For the program's own use.
  USR1(UvSignal.SIGUSR1),
  /// Memory that is not there.
  SEGV(UvSignal.SIGSEGV),
  /// For the program's own use; the VM's in Java.
  USR2(UvSignal.SIGUSR2),
  /// Written to a pipe that nobody reads.
  PIPE(UvSignal.SIGPIPE),
  /// An alarm clock of real time.
  ALRM(UvSignal.SIGALRM),
  /// Please end.
  TERM(UvSignal.SIGTERM),
  /// Unused; Linux only.
  STKFLT(UvSignal.SIGSTKFLT),
  /// A child ended, stopped or went on.
  CHLD(UvSignal.SIGCHLD),
  /// Goes on after a stop.
  CONT(UvSignal.SIGCONT),
  /// Stops a process; cannot be caught.
  STOP(UvSignal.SIGSTOP),
  /// Stopped from the keyboard.
  TSTP(UvSignal.SIGTSTP),
  /// Read from the terminal in the background.
  TTIN(UvSignal.SIGTTIN),
  /// Wrote to the terminal in the background.
  TTOU(UvSignal.SIGTTOU),
  /// Urgent data at a socket.
  URG(UvSignal.SIGURG),
  /// Out of processor time.
  XCPU(UvSignal.SIGXCPU),
  /// A file grew too large.
  XFSZ(UvSignal.SIGXFSZ),
  /// An alarm clock of the process's own time.
  VTALRM(UvSignal.SIGVTALRM),
  /// An alarm clock of the process's and the system's time.
  PROF(UvSignal.SIGPROF),
  /// The terminal's window changed its size.
  WINCH(UvSignal.SIGWINCH),
  /// A descriptor is ready; also called `IO`.
  POLL(UvSignal.SIGPOLL),
  /// Power is failing; Linux only.
  PWR(UvSignal.SIGPWR),
  /// A system call that does not exist.
  SYS(UvSignal.SIGSYS),
  // Signals that have a number only, on Linux; those from 34 on are the real-time signals.
  SIG32(UvSignal.SIGSTKFLT == 0 ? 0 : 32),
  SIG33(UvSignal.SIGSTKFLT == 0 ? 0 : 33),
  SIG34(UvSignal.SIGSTKFLT == 0 ? 0 : 34),
  SIG35(UvSignal.SIGSTKFLT == 0 ? 0 : 35),
  SIG36(UvSignal.SIGSTKFLT == 0 ? 0 : 36),
  SIG37(UvSignal.SIGSTKFLT == 0 ? 0 : 37),
  SIG38(UvSignal.SIGSTKFLT == 0 ? 0 : 38),
  SIG39(UvSignal.SIGSTKFLT == 0 ? 0 : 39),
  SIG40(UvSignal.SIGSTKFLT == 0 ? 0 : 40),
  SIG41(UvSignal.SIGSTKFLT == 0 ? 0 : 41),
  SIG42(UvSignal.SIGSTKFLT == 0 ? 0 : 42),
  SIG43(UvSignal.SIGSTKFLT == 0 ? 0 : 43),
  SIG44(UvSignal.SIGSTKFLT == 0 ? 0 : 44),
  SIG45(UvSignal.SIGSTKFLT == 0 ? 0 : 45),
  SIG46(UvSignal.SIGSTKFLT == 0 ? 0 : 46),
  SIG47(UvSignal.SIGSTKFLT == 0 ? 0 : 47),
  SIG48(UvSignal.SIGSTKFLT == 0 ? 0 : 48),
  SIG49(UvSignal.SIGSTKFLT == 0 ? 0 : 49),
  SIG50(UvSignal.SIGSTKFLT == 0 ? 0 : 50),
  SIG51(UvSignal.SIGSTKFLT == 0 ? 0 : 51),
  SIG52(UvSignal.SIGSTKFLT == 0 ? 0 : 52),
  SIG53(UvSignal.SIGSTKFLT == 0 ? 0 : 53),
  SIG54(UvSignal.SIGSTKFLT == 0 ? 0 : 54),
  SIG55(UvSignal.SIGSTKFLT == 0 ? 0 : 55),
  SIG56(UvSignal.SIGSTKFLT == 0 ? 0 : 56),
  SIG57(UvSignal.SIGSTKFLT == 0 ? 0 : 57),
  SIG58(UvSignal.SIGSTKFLT == 0 ? 0 : 58),
  SIG59(UvSignal.SIGSTKFLT == 0 ? 0 : 59),
  SIG60(UvSignal.SIGSTKFLT == 0 ? 0 : 60),
  SIG61(UvSignal.SIGSTKFLT == 0 ? 0 : 61),
  SIG62(UvSignal.SIGSTKFLT == 0 ? 0 : 62),
  SIG63(UvSignal.SIGSTKFLT == 0 ? 0 : 63),
  SIG64(UvSignal.SIGSTKFLT == 0 ? 0 : 64);

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  /// The number that the system knows it by; 0 if it has no such signal.
  public int number() {
    return number;
  }

  /// The signal of that number.
  ///
  /// @throws IllegalArgumentException if the system has none
  public static Signal of(int number) {
    for (Signal signal : values()) {
      if (signal.number == number && number != 0) {
        return signal;
      }
    }
    throw new IllegalArgumentException("there is no signal " + number);
  }

  /// Waits for the first of these signals. A coroutine that awaits the same again, with no other await
  /// in between, misses none; for more than that there is [#watch].
  ///
  /// Cancelling takes nothing away from others who wait for the same signal.
  ///
  /// @throws IllegalArgumentException if one of them belongs to the VM or cannot be caught
  public static Signal await(Signal... signals) throws IOException {
    EventLoop loop = Suspension.loop("Signal.await");
    SignalOperation operation = new SignalOperation(loop, checked(signals));
    Suspension.await(operation);
    return operation.finish();
  }

  /// Watches these signals until it is closed. Each that comes is kept until somebody awaits it. A watch
  /// that nobody awaits does not keep the loop running.
  ///
  /// @throws IllegalArgumentException if one of them belongs to the VM or cannot be caught
  public static SignalWatch watch(Signal... signals) throws IOException {
    EventLoop loop = Suspension.loop("Signal.watch");
    return SignalWatch.open(loop, checked(signals));
  }

  /// Sends a signal to a process. Does not wait. Any thread.
  ///
  /// @throws IOException with the code `ESRCH` if there is no such process, `EPERM` if it is not ours
  public static void send(long pid, Signal signal) throws IOException {
    Objects.requireNonNull(signal, "signal");
    if (pid <= 0 || pid > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("there is no process " + pid);
    }
    SignalRules.checkExists(signal);
    int code = UvProcess.uv_kill((int) pid, signal.number);
    if (code < 0) {
      throw Failures.of(code, "send " + signal + " to", "process " + pid);
    }
  }

  /// As what shuts a loop down: [dev.couv.coro.LoopOptions#withShutdownOn]. Only signals that the VM
  /// catches itself, `HUP`, `INT` and `TERM`. One that the process was started to ignore stays ignored.
  ///
  /// @throws IllegalArgumentException for another signal
  @Override
  public Runnable arm(Runnable request) {
    if (this != HUP && this != INT && this != TERM) {
      throw new IllegalArgumentException(this + " does not ask a program to end");
    }
    boolean subscribed = VmSignals.subscribe(name(), number, request);
    return () -> {
      if (subscribed) {
        VmSignals.unsubscribe(name(), request);
      }
    };
  }

  private static Set<Signal> checked(Signal... signals) {
    if (signals.length == 0) {
      throw new IllegalArgumentException("no signal is named");
    }
    EnumSet<Signal> set = EnumSet.copyOf(Arrays.asList(signals));
    set.forEach(SignalRules::checkCatchable);
    return set;
  }
}
