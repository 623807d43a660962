// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import dev.couv.coro.ShutdownTrigger;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.world.Signals;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
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
  HUP,
  /// Interrupted from the keyboard.
  INT,
  /// Quit from the keyboard. The VM answers it with a thread dump.
  QUIT,
  /// Illegal instruction.
  ILL,
  /// A breakpoint.
  TRAP,
  /// The program gave up.
  ABRT,
  /// Memory that cannot be reached.
  BUS,
  /// Arithmetic that cannot be done.
  FPE,
  /// Ends a process; cannot be caught.
  KILL,
  /// For the program's own use.
  USR1,
  /// Memory that is not there.
  SEGV,
  /// For the program's own use; the VM's in Java.
  USR2,
  /// Written to a pipe that nobody reads.
  PIPE,
  /// An alarm clock of real time.
  ALRM,
  /// Please end.
  TERM,
  /// Unused; Linux only.
  STKFLT,
  /// A child ended, stopped or went on.
  CHLD,
  /// Goes on after a stop.
  CONT,
  /// Stops a process; cannot be caught.
  STOP,
  /// Stopped from the keyboard.
  TSTP,
  /// Read from the terminal in the background.
  TTIN,
  /// Wrote to the terminal in the background.
  TTOU,
  /// Urgent data at a socket.
  URG,
  /// Out of processor time.
  XCPU,
  /// A file grew too large.
  XFSZ,
  /// An alarm clock of the process's own time.
  VTALRM,
  /// An alarm clock of the process's and the system's time.
  PROF,
  /// The terminal's window changed its size.
  WINCH,
  /// A descriptor is ready; also called `IO`.
  POLL,
  /// Power is failing; Linux only.
  PWR,
  /// A system call that does not exist.
  SYS,
  /// The signal 32, which the C library needs for its threads; Linux only.
  SIG32,
  /// The signal 33, which the C library needs for its threads; Linux only.
  SIG33,
  /// The real-time signal 34; Linux only.
  SIG34,
  /// The real-time signal 35; Linux only.
  SIG35,
  /// The real-time signal 36; Linux only.
  SIG36,
  /// The real-time signal 37; Linux only.
  SIG37,
  /// The real-time signal 38; Linux only.
  SIG38,
  /// The real-time signal 39; Linux only.
  SIG39,
  /// The real-time signal 40; Linux only.
  SIG40,
  /// The real-time signal 41; Linux only.
  SIG41,
  /// The real-time signal 42; Linux only.
  SIG42,
  /// The real-time signal 43; Linux only.
  SIG43,
  /// The real-time signal 44; Linux only.
  SIG44,
  /// The real-time signal 45; Linux only.
  SIG45,
  /// The real-time signal 46; Linux only.
  SIG46,
  /// The real-time signal 47; Linux only.
  SIG47,
  /// The real-time signal 48; Linux only.
  SIG48,
  /// The real-time signal 49; Linux only.
  SIG49,
  /// The real-time signal 50; Linux only.
  SIG50,
  /// The real-time signal 51; Linux only.
  SIG51,
  /// The real-time signal 52; Linux only.
  SIG52,
  /// The real-time signal 53; Linux only.
  SIG53,
  /// The real-time signal 54; Linux only.
  SIG54,
  /// The real-time signal 55; Linux only.
  SIG55,
  /// The real-time signal 56; Linux only.
  SIG56,
  /// The real-time signal 57; Linux only.
  SIG57,
  /// The real-time signal 58; Linux only.
  SIG58,
  /// The real-time signal 59; Linux only.
  SIG59,
  /// The real-time signal 60; Linux only.
  SIG60,
  /// The real-time signal 61; Linux only.
  SIG61,
  /// The real-time signal 62; Linux only.
  SIG62,
  /// The real-time signal 63; Linux only.
  SIG63,
  /// The real-time signal 64; Linux only.
  SIG64;

  /// The number that the system knows it by; 0 if it has no such signal.
  public int number() {
    return signals().number(name());
  }

  /// The signal of that number.
  ///
  /// @throws IllegalArgumentException if the system has none
  public static Signal of(int number) {
    return valueOf(signals().name(number));
  }

  /// Waits for the first of these signals. A coroutine that awaits the same again, with no other await
  /// in between, misses none; for more than that there is [#watch].
  ///
  /// Cancelling takes nothing away from others who wait for the same signal.
  ///
  /// @throws IllegalArgumentException if one of them belongs to the VM or cannot be caught
  public static Signal await(Signal... signals) throws IOException {
    EventLoop loop = Suspension.loop("Signal.await");
    return valueOf(Suspension.answer(signals().await(loop, names(checked(signals)))));
  }

  /// Watches these signals until it is closed. Each that comes is kept until somebody awaits it. A watch
  /// that nobody awaits does not keep the loop running.
  ///
  /// @throws IllegalArgumentException if one of them belongs to the VM or cannot be caught
  public static SignalWatch watch(Signal... signals) throws IOException {
    EventLoop loop = Suspension.loop("Signal.watch");
    Set<Signal> checked = checked(signals);
    SignalWatch watch = new SignalWatch(checked);
    watch.caughtUntil(signals().open(loop, names(checked), name -> watch.heard(valueOf(name))));
    return watch;
  }

  /// Sends a signal to a process. Does not wait. Any thread.
  ///
  /// @throws IOException with the code `ESRCH` if there is no such process, `EPERM` if it is not ours
  public static void send(long pid, Signal signal) throws IOException {
    Objects.requireNonNull(signal, "signal");
    if (pid <= 0 || pid > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("there is no process " + pid);
    }
    signal.checkExists();
    signals().send(pid, signal.name());
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
    boolean subscribed = signals().subscribe(name(), request);
    return () -> {
      if (subscribed) {
        signals().unsubscribe(name(), request);
      }
    };
  }

  private static Set<Signal> checked(Signal... signals) {
    if (signals.length == 0) {
      throw new IllegalArgumentException("no signal is named");
    }
    EnumSet<Signal> set = EnumSet.copyOf(Arrays.asList(signals));
    set.forEach(Signal::checkCatchable);
    return set;
  }

  private void checkExists() {
    if (number() == 0) {
      throw new IllegalArgumentException("this system has no signal " + this);
    }
  }

  private void checkCatchable() {
    checkExists();
    String reason = signals().refusal(name());
    if (reason != null) {
      throw new IllegalArgumentException("signal " + this + " cannot be caught: " + reason);
    }
  }

  private static Set<String> names(Set<Signal> signals) {
    Set<String> names = new LinkedHashSet<>();
    signals.forEach(signal -> names.add(signal.name()));
    return names;
  }

  private static Signals signals() {
    return Suspension.world().signals();
  }
}
