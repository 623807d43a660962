// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Posix;
import dev.couv.uv.UvSignal;

/// Ctrl-Z and `fg`, heard while a terminal has a mode of ours: it is put back before the process stops, and set
/// again when it goes on. Who stops it by `STOP`, which nobody hears, has to see to the terminal; the going on is heard all the
/// same.
///
/// By way of the VM, and not by a loop, which may be busy, or not be run: a key must stop the process then, too. A program that
/// watches `TSTP` itself decides itself what that means.
///
/// The lock of [TerminalModes] guards it. It is held while the process is stopped, where nobody can wait for it.
final class JobControl {
  /// What the key sends.
  private static final String STOP = "TSTP";

  private final Runnable stop;
  private final Runnable goOn;
  private boolean heard;

  /// What is called is called on threads of the VM, and takes the lock.
  JobControl(Runnable stop, Runnable goOn) {
    this.stop = stop;
    this.goOn = goOn;
  }

  void hear(boolean wanted) {
    if (wanted != heard) {
      heard = wanted;
      hear(STOP, UvSignal.SIGTSTP, stop, wanted);
      hear("CONT", UvSignal.SIGCONT, goOn, wanted);
    }
  }

  private static void hear(String signal, int number, Runnable listener, boolean wanted) {
    if (wanted) {
      VmSignals.subscribe(signal, number, listener);
    } else {
      VmSignals.unsubscribe(signal, listener);
    }
  }

  boolean isForTheProgram() {
    return heard && !VmSignals.isAlone(STOP, stop);
  }

  /// Does what the key would have done. Returns when the process goes on; at once where the system does not stop it,
  /// because no shell could have it go on.
  void stopNow() {
    hear(STOP, UvSignal.SIGTSTP, stop, false);
    Posix.raise(UvSignal.SIGTSTP);
    hear(STOP, UvSignal.SIGTSTP, stop, heard);
  }
}
