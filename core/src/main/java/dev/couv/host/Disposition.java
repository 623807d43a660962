// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvSignal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/// What the process did on a signal before libuv caught it, and does again when the last of our
/// handles in any loop has let go: libuv itself would leave the system's default, which for most
/// signals is to end the process.
///
/// `CHLD` is left alone: libuv catches it for itself while it has children.
///
/// Any thread. The lock is held for system calls, and while libuv starts and stops, never while anybody waits.
final class Disposition {
  private static final long SIG_DFL = 0;
  private static final long SIG_IGN = 1;

  /// Not on Windows, which has nothing to put back either.
  private static final boolean KNOWN = Native.systemHas("sigaction");

  /// By the signal's number.
  private static final Map<Integer, Disposition> CAUGHT = new HashMap<>();

  /// A `struct sigaction`, as the system wrote it; freed with the last holder.
  private final long saved;

  /// libuv's handler, which is the same for all.
  private final long ours;

  private int holders = 1;

  private Disposition(long saved, long ours) {
    this.saved = saved;
    this.ours = ours;
  }

  /// Has libuv catch the signal, and remembers what was there before it. Success owes a [#letGo].
  static synchronized int take(int signal, IntSupplier start) {
    Disposition known = CAUGHT.get(signal);
    if (!KNOWN || signal == UvSignal.SIGCHLD || known != null) {
      int code = start.getAsInt();
      if (code >= 0 && known != null) {
        known.holders++;
      }
      return code;
    }
    long before = read(signal);
    int code = start.getAsInt();
    if (code >= 0) {
      CAUGHT.put(signal, new Disposition(before, handler(signal)));
    } else if (before != 0) {
      Posix.sigaction(signal, before, 0);
      Memory.free(before);
    }
    return code;
  }

  /// Has libuv let go of it. With the last one comes back what was there before, unless somebody else
  /// has set a handler meanwhile: that one stays.
  static synchronized void letGo(int signal, Runnable stop) {
    Disposition known = CAUGHT.get(signal);
    if (known == null || --known.holders > 0) {
      stop.run();
      return;
    }
    CAUGHT.remove(signal);
    long now = read(signal);
    stop.run();
    boolean replaced = now != 0 && Memory.getLong(now) != known.ours;
    long next = replaced ? now : known.saved;
    if (next != 0) {
      Posix.sigaction(signal, next, 0);
    }
    Memory.free(now);
    Memory.free(known.saved);
  }

  /// Whether it is one of ours that catches it.
  static synchronized boolean isCaught(int signal) {
    return CAUGHT.containsKey(signal);
  }

  static boolean isDefault(int signal) {
    return handler(signal) == SIG_DFL;
  }

  static boolean isIgnored(int signal) {
    return handler(signal) == SIG_IGN;
  }

  /// The first word of a `struct sigaction`, on every system that has it.
  private static long handler(int signal) {
    if (!KNOWN) {
      return SIG_DFL;
    }
    long now = read(signal);
    if (now == 0) {
      return SIG_DFL;
    }
    try {
      return Memory.getLong(now);
    } finally {
      Memory.free(now);
    }
  }

  /// In memory that the caller frees; 0 if the system does not tell.
  private static long read(int signal) {
    long at = Memory.calloc(1, Posix.SIGACTION_ROOM);
    if (at != 0 && Posix.sigaction(signal, 0, at) < 0) {
      Memory.free(at);
      return 0;
    }
    return at;
  }
}
