// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvProcess;
import dev.couv.uv.UvSignal;
import java.util.HashSet;
import java.util.Set;

/// Children that have outlived their loop. They are zombies when they end, until somebody asks for their
/// status: that is done whenever another child is started, and by the system when this process ends.
///
/// Any thread. The lock is held for system calls that do not wait.
final class Leftovers {
  private static final boolean CAN_WAIT = Native.systemHas("waitid");

  private static final Set<Integer> PIDS = new HashSet<>();

  private Leftovers() {}

  static synchronized void add(int pid) {
    PIDS.add(pid);
    reap();
  }

  /// Takes the status of those that have ended.
  static synchronized void reap() {
    if (!PIDS.isEmpty()) {
      PIDS.removeIf(pid -> hasEnded(pid, Posix.WNOHANG));
    }
  }

  static synchronized int count() {
    return PIDS.size();
  }

  /// Kills a child that has just been started and cannot be watched, and waits for its end.
  static void end(int pid) {
    UvProcess.uv_kill(pid, UvSignal.SIGKILL);
    hasEnded(pid, 0);
  }

  private static boolean hasEnded(int pid, int options) {
    if (!CAN_WAIT) {
      return true;
    }
    long info = Memory.calloc(1, Posix.SIGINFO_SIZE);
    if (info == 0) {
      return false; // asked again later, when there may be memory
    }
    try {
      return Posix.waitid(Posix.P_PID, pid, info, Posix.WEXITED | options) < 0
          || Memory.getInt(info + Posix.SI_PID) != 0;
    } finally {
      Memory.free(info);
    }
  }
}
