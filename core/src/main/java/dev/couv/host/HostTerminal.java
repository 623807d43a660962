// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTty;
import dev.couv.world.TerminalHandle;
import java.io.IOException;

/// A terminal. libuv opens it anew, so that not to block is a matter of this stream alone: what others,
/// the VM's `System.out` among them, have of it stays as it is.
///
/// Where it cannot be opened anew (it belongs to another user, or is the other end of a pseudo-terminal)
/// libuv has a second number for the same open file and leaves it blocking. Reading is the same then, because libuv
/// reads only what is there, but a write waits with the whole loop if the terminal is stopped.
final class HostTerminal extends HostStream implements TerminalHandle {
  /// The one it was opened for, which stays the process's own.
  private final int descriptor;

  private final String name;

  private HostTerminal(EventLoop loop, int descriptor, String name) {
    super(loop, UvHandle.UV_TTY);
    this.descriptor = descriptor;
    this.name = name;
  }

  static HostTerminal open(EventLoop loop, int descriptor, String name) throws IOException {
    // libuv puts the new open file under the number it is given, too, so that gets one to spare.
    int spare = Failures.check(Posix.dup(descriptor), "dup", name);
    HostTerminal terminal = null;
    try {
      terminal = new HostTerminal(loop, descriptor, name);
      int code = terminal.open((at, tty) -> UvTty.uv_tty_init(at, tty, spare, 1));
      Failures.check(code, "open", name);
      if (terminal.descriptor() != spare) {
        Posix.close(spare);
      }
      return terminal;
    } catch (Throwable failed) {
      if (terminal != null && terminal.isOpen()) {
        terminal.close();
      } else {
        Posix.close(spare);
      }
      throw failed;
    }
  }

  @Override
  public Size size() throws IOException {
    checkUsable();
    long at = loop().scratch().argumentsAddress();
    Failures.check(UvTty.uv_tty_get_winsize(address(), at, at + Integer.BYTES), "get size", this);
    return new Size(Memory.getInt(at), Memory.getInt(at + Integer.BYTES));
  }

  @Override
  public Mode mode() throws IOException {
    return TerminalModes.ALL.of(descriptor);
  }

  @Override
  public void mode(Mode mode) throws IOException {
    TerminalModes.ALL.set(descriptor, mode, this);
  }

  @Override
  public void discardInput() {
    TerminalSetting.discardInput(descriptor);
  }

  @Override
  protected void closing() {
    try {
      TerminalModes.ALL.left(this);
    } finally {
      super.closing();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
