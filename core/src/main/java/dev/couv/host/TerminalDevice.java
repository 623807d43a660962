// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Failures;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.Termios;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvLoop;
import dev.couv.uv.UvTty;
import dev.couv.world.TerminalHandle.Mode;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A terminal whose mode was changed, and how it was found.
///
/// libuv's handle for it stays open as long as the process lives, on a loop that is never run: at exit the C library calls
/// `uv_tty_reset_mode`, which knows one terminal, that of the first handle of the process that has left the normal mode, by
/// its number; and another file must not get that.
///
/// The lock of [TerminalModes] guards it.
final class TerminalDevice {
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

  /// Sets the mode, for that stream. In the background the terminal is left as it is, if that is how it was found.
  void set(Mode next, Object stream) throws IOException {
    if (next != Mode.NORMAL || !isInBackground()) {
      Failures.check(change(next), "set mode " + next, stream);
      guard.changed();
    }
    mode = next;
    owner = next == Mode.NORMAL ? null : stream;
  }

  Mode mode() {
    return mode;
  }

  boolean isOwnedBy(Object stream) {
    return Objects.equals(owner, stream);
  }

  /// Also if it is the mode that was set last: somebody else may have set another since.
  private int change(Mode next) {
    if (next == Mode.NO_ECHO && !TerminalSetting.KNOWN) {
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

  /// Whether it has a mode that this process has set, and nobody else has it now.
  private boolean isOurs() {
    return mode != Mode.NORMAL && !isInBackground();
  }

  /// The process stops: who has the terminal meanwhile finds it as it was.
  void lend() {
    if (isOurs()) {
      found.set(descriptor, Termios.TCSANOW);
    }
  }

  /// The process goes on: whoever had the terminal has left it as it likes it.
  void setAgain() {
    if (isOurs()) {
      set.set(descriptor, Termios.TCSANOW);
    }
  }

  /// In the background the terminal is another's, a shell's for example, that has set it for itself; and
  /// the system would stop a process that touches it.
  void putBack() {
    owner = null;
    if (isOurs()) {
      change(Mode.NORMAL);
    }
    mode = Mode.NORMAL;
  }

  /// The process ends. What the C library does after this must not touch a terminal that is put back, or
  /// is another's: so libuv's number for it is closed.
  void restore() {
    if (!TerminalSetting.KNOWN) {
      putBack();
      return;
    }
    if (isOurs()) {
      if (mode == Mode.NO_ECHO) {
        TerminalSetting.discardInput(descriptor); // half a password
      }
      found.set(descriptor, Termios.TCSANOW);
    }
    Posix.close(descriptor);
  }

  private boolean isInBackground() {
    if (!TerminalSetting.KNOWN) {
      return false;
    }
    int foreground = Termios.tcgetpgrp(descriptor);
    return foreground > 0 && foreground != Termios.getpgrp();
  }

  /// A handle that is never closed.
  static TerminalDevice open(int descriptor, Object stream) throws IOException {
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
    return Answers.room(
        Integer.BYTES, at -> UvHandle.uv_fileno(handle, at) < 0 ? spare : Memory.getInt(at));
  }
}
