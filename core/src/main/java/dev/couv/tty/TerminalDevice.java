// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.loop.Failures;
import dev.couv.loop.PoolThreads;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvLoop;
import dev.couv.uv.UvSignal;
import dev.couv.uv.UvTty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A terminal whose mode was changed. The mode belongs to the terminal, not to one of the streams on it,
/// and has to be put back when the process ends; so there is one of these for each terminal, as long as
/// the process lives.
///
/// ## Putting it back
///
/// | The program | The mode is put back by |
/// |---|---|
/// | closes the stream that set it, or its loop ends, also by an exception | [#left] |
/// | ends, calls `System.exit`, or gets `INT`, `TERM` or `HUP` | a shutdown hook |
/// | calls `Runtime.halt` | the C library, at exit |
/// | is killed, or crashes with the VM | the [TerminalGuard] |
///
/// The C library calls `uv_tty_reset_mode`, which knows one terminal: that of the first handle of the
/// process that has left the normal mode. That handle must stay open for good, or another file could get
/// its number. So each device has a handle of its own, on a loop that is never run.
///
/// Any thread; the lock is held for system calls that change the mode.
final class TerminalDevice {
  private static final int SIG_IGN = 1;

  private static final Map<Long, TerminalDevice> CHANGED = new HashMap<>();

  private static boolean guarded;

  private final long handle;
  private final TerminalGuard guard;
  private TerminalMode mode = TerminalMode.NORMAL;

  /// The stream that set the mode, if it is not the normal one.
  private @Nullable Object owner;

  private TerminalDevice(long handle, TerminalGuard guard) {
    this.handle = handle;
    this.guard = guard;
  }

  /// Sets the mode of the terminal behind the descriptor, for that stream.
  static synchronized void set(int descriptor, Object stream, TerminalMode mode)
      throws IOException {
    long device = number(descriptor);
    TerminalDevice known = CHANGED.get(device);
    if (known == null) {
      if (mode == TerminalMode.NORMAL) {
        return;
      }
      known = open(descriptor, stream);
      CHANGED.put(device, known);
    }
    guard();
    Failures.check(UvTty.uv_tty_set_mode(known.handle, mode.number()), "set mode " + mode, stream);
    known.guard.changed();
    known.mode = mode;
    known.owner = mode == TerminalMode.NORMAL ? null : stream;
  }

  static synchronized TerminalMode mode(int descriptor) throws IOException {
    TerminalDevice known = CHANGED.get(number(descriptor));
    return known == null ? TerminalMode.NORMAL : known.mode;
  }

  /// The stream is closed: what it has set does not outlive it. A terminal that has gone cannot be set
  /// back, and need not be.
  static synchronized void left(Object stream) {
    for (TerminalDevice device : CHANGED.values()) {
      if (Objects.equals(device.owner, stream)) {
        device.owner = null;
        device.mode = TerminalMode.NORMAL;
        UvTty.uv_tty_set_mode(device.handle, UvTty.UV_TTY_MODE_NORMAL);
      }
    }
  }

  /// Which terminal it is: every descriptor on it gives the same.
  private static long number(int descriptor) throws IOException {
    return ((Number) Files.getAttribute(Path.of("/dev/fd/" + descriptor), "unix:rdev")).longValue();
  }

  /// A handle that is never closed.
  private static TerminalDevice open(int descriptor, Object stream) throws IOException {
    long loop = Memory.calloc(1, UvLoop.uv_loop_size());
    long handle = Memory.calloc(1, UvHandle.uv_handle_size(UvHandle.UV_TTY));
    int spare = -1;
    boolean complete = false;
    boolean looping = false;
    try {
      if (loop == 0 || handle == 0) {
        throw new OutOfMemoryError("native memory for the mode of " + stream);
      }
      spare = Failures.check(Posix.dup(descriptor), "dup", stream);
      Failures.check(UvLoop.uv_loop_init(loop), "set mode", stream);
      looping = true;
      Failures.check(UvTty.uv_tty_init(loop, handle, spare, 1), "set mode", stream);
      // The spare number stays, too: libuv may have no other.
      complete = true;
      return new TerminalDevice(handle, TerminalGuard.start(descriptor));
    } finally {
      if (!complete) {
        if (spare >= 0) {
          Posix.close(spare);
        }
        if (looping) {
          UvLoop.uv_loop_close(loop);
        }
        Memory.free(handle);
        Memory.free(loop);
      }
    }
  }

  /// Before the first change, so that there is no moment without it.
  private static void guard() {
    if (guarded) {
      return;
    }
    guarded = true;
    try {
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform().name("couv-terminal").unstarted(TerminalDevice::restore));
    } catch (IllegalStateException ending) {
      // The hooks run already; what follows them is enough.
    }
    if (Native.systemHas("on_exit")) {
      PoolThreads.shortenExit();
      Posix.on_exit(UvTty.resetMode(), 0);
    }
  }

  private static void setHandler(int signal, long handler) {
    long action = Memory.calloc(1, Posix.SIGACTION_ROOM);
    if (action != 0) {
      Memory.putLong(action, handler); // the first word, on every system that has it
      Posix.sigaction(signal, action, 0);
      Memory.free(action);
    }
  }

  /// The process ends.
  private static synchronized void restore() {
    // In the background the system would stop a process for this, which was told to end.
    setHandler(UvSignal.SIGTTOU, SIG_IGN);
    UvTty.uv_tty_reset_mode();
    for (TerminalDevice device : CHANGED.values()) {
      if (device.mode != TerminalMode.NORMAL) {
        device.mode = TerminalMode.NORMAL;
        UvTty.uv_tty_set_mode(device.handle, UvTty.UV_TTY_MODE_NORMAL);
      }
    }
  }
}
