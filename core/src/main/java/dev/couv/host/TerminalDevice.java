// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.PoolThreads;
import dev.couv.uv.Memory;
import dev.couv.uv.Native;
import dev.couv.uv.Posix;
import dev.couv.uv.Termios;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvLoop;
import dev.couv.uv.UvTty;
import dev.couv.world.Terminals.Mode;
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
/// process that has left the normal mode. That handle must stay open until the end, or another file could get
/// its number. So each device has a handle of its own, on a loop that is never run.
///
/// In the background, after Ctrl-Z and `bg`, the terminal is the shell's, which has set it for itself when it
/// took it over. Then there is nothing to put back. When the process is stopped and goes on: [JobControl].
///
/// Any thread; the lock is held for system calls that change the mode.
final class TerminalDevice {
  private static final Map<Long, TerminalDevice> CHANGED = new HashMap<>();

  private static final JobControl JOB =
      new JobControl(TerminalDevice::stop, TerminalDevice::setAgain);

  private static boolean guarded;

  private final long handle;

  /// Of the handle, for good.
  private final int descriptor;

  private final TerminalGuard guard;
  private Mode mode = Mode.NORMAL;

  /// What libuv was told last: it does nothing if it is told the same again, whatever became of the terminal.
  private int told = UvTty.UV_TTY_MODE_NORMAL;

  /// How libuv set the terminal then.
  private TerminalSetting made;

  /// How the terminal was set before it left the normal mode, and how it was set last.
  private TerminalSetting found;

  private TerminalSetting set;

  /// The stream that set the mode, if it is not the normal one.
  private @Nullable Object owner;

  private TerminalDevice(long handle, int descriptor, TerminalGuard guard) {
    this.handle = handle;
    this.descriptor = descriptor;
    this.guard = guard;
    this.found = TerminalSetting.of(descriptor);
    this.made = found;
    this.set = found;
  }

  /// Sets the mode of the terminal behind the descriptor, for that stream.
  static synchronized void set(int descriptor, Object stream, Mode mode)
      throws IOException {
    long device = number(descriptor);
    TerminalDevice known = CHANGED.get(device);
    if (known == null) {
      if (mode == Mode.NORMAL) {
        return;
      }
      known = open(descriptor, stream);
      CHANGED.put(device, known);
    }
    guard();
    if (mode != Mode.NORMAL || !known.isInBackground()) {
      Failures.check(known.change(mode), "set mode " + mode, stream);
      known.guard.changed();
    }
    known.mode = mode;
    known.owner = mode == Mode.NORMAL ? null : stream;
    hearOfStops();
  }

  /// Also if it is the mode that was set last: somebody else may have set another since.
  private int change(Mode next) {
    if (next == Mode.NO_ECHO && !TerminalSetting.isKnown()) {
      return UvErrors.code("ENOTSUP");
    }
    if (mode == Mode.NORMAL) {
      if (next == Mode.NORMAL) {
        return 0;
      }
      found = TerminalSetting.of(descriptor);
    }
    if (next == Mode.NO_ECHO && found.isEmpty()) {
      return UvErrors.code("ENOTSUP"); // better no password than one that is shown
    }
    int code;
    if (next == Mode.NO_ECHO) {
      // Behind libuv's back, because on its way it would show for a moment what is typed.
      code = found.withoutEcho().set(descriptor, Termios.TCSADRAIN);
    } else if (next == Mode.NORMAL) {
      code = tell(UvTty.UV_TTY_MODE_NORMAL);
      code = code < 0 ? code : found.set(descriptor, Termios.TCSADRAIN);
    } else if (told == number(next)) {
      code = made.set(descriptor, Termios.TCSADRAIN);
    } else {
      code = mode == Mode.NO_ECHO ? found.set(descriptor, Termios.TCSADRAIN) : 0;
      code = code < 0 ? code : tell(number(next)); // it keeps what it finds now
    }
    if (code >= 0) {
      set = TerminalSetting.of(descriptor);
    }
    return code;
  }

  private int tell(int number) {
    int code = UvTty.uv_tty_set_mode(handle, number);
    if (code >= 0) {
      told = number;
      made = TerminalSetting.of(descriptor);
    }
    return code;
  }

  /// What it is for libuv.
  private static int number(Mode mode) {
    return switch (mode) {
      case NORMAL, NO_ECHO -> UvTty.UV_TTY_MODE_NORMAL;
      case RAW -> UvTty.UV_TTY_MODE_RAW;
      case BINARY -> UvTty.UV_TTY_MODE_IO;
    };
  }

  static synchronized Mode mode(int descriptor) throws IOException {
    TerminalDevice known = CHANGED.get(number(descriptor));
    return known == null ? Mode.NORMAL : known.mode;
  }

  /// What was typed and not read is not for whoever reads next.
  static synchronized void discardInput(int descriptor) {
    if (TerminalSetting.isKnown()) {
      Termios.tcflush(descriptor, Termios.TCIFLUSH);
    }
  }

  /// The stream is closed: what it has set does not outlive it. A terminal that has gone cannot be set
  /// back, and need not be.
  static synchronized void left(Object stream) {
    for (TerminalDevice device : CHANGED.values()) {
      if (Objects.equals(device.owner, stream)) {
        device.owner = null;
        device.putBack();
      }
    }
    hearOfStops();
  }

  private static void hearOfStops() {
    JOB.hear(CHANGED.values().stream().anyMatch(device -> device.mode != Mode.NORMAL));
  }

  /// The keyboard asks the process to stop: who has the terminal meanwhile finds it as it was.
  private static synchronized void stop() {
    if (JOB.isForTheProgram()) {
      return;
    }
    for (TerminalDevice device : CHANGED.values()) {
      if (device.isOurs()) {
        device.found.set(device.descriptor, Termios.TCSANOW);
      }
    }
    JOB.stopNow();
    setAgain();
  }

  /// The process goes on: whoever had the terminal has left it as it likes it.
  private static synchronized void setAgain() {
    for (TerminalDevice device : CHANGED.values()) {
      if (device.isOurs()) {
        device.set.set(device.descriptor, Termios.TCSANOW);
      }
    }
  }

  /// Whether it has a mode that this process has set, and nobody else has it now.
  private boolean isOurs() {
    return mode != Mode.NORMAL && !isInBackground();
  }

  /// In the background the terminal is another's, a shell's for example, that has set it for itself; and
  /// the system would stop a process that touches it.
  private void putBack() {
    if (isOurs()) {
      change(Mode.NORMAL);
    }
    mode = Mode.NORMAL;
  }

  private boolean isInBackground() {
    if (!TerminalSetting.isKnown()) {
      return false;
    }
    int foreground = Termios.tcgetpgrp(descriptor);
    return foreground > 0 && foreground != Termios.getpgrp();
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
      return new TerminalDevice(
          handle, descriptorOf(handle, spare), TerminalGuard.start(descriptor));
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

  /// libuv's own number for the terminal; the spare one, which means the same, if it does not tell.
  private static int descriptorOf(long handle, int spare) {
    long at = NativeMemory.check(Memory.calloc(1, Integer.BYTES));
    try {
      return UvHandle.uv_fileno(handle, at) < 0 ? spare : Memory.getInt(at);
    } finally {
      Memory.free(at);
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

  /// The process ends. What the C library does after this must not touch a terminal that is put back, or
  /// is another's: so libuv's number for it is closed.
  private static synchronized void restore() {
    for (TerminalDevice device : CHANGED.values()) {
      if (!TerminalSetting.isKnown()) {
        device.putBack();
        continue;
      }
      if (device.isOurs()) {
        if (device.mode == Mode.NO_ECHO) {
          discardInput(device.descriptor); // half a password
        }
        device.found.set(device.descriptor, Termios.TCSANOW);
      }
      Posix.close(device.descriptor);
    }
    CHANGED.clear();
    hearOfStops();
  }
}
