// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.error.ClosedException;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.stream.NativeStream;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTty;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A terminal. libuv opens it anew, so that not to block is a matter of this stream alone: what others,
/// the VM's `System.out` among them, have of it stays as it is.
///
/// Where it cannot be opened anew (it belongs to another user, or is the other end of a pseudo-terminal)
/// libuv has a second number for the same open file and leaves it blocking. Reading is the same then, because libuv
/// reads only what is there, but a write waits with the whole loop if the terminal is stopped.
final class TtyStream extends NativeStream {
  private final String name;

  /// Those that somebody waits for.
  private final Set<ResizeEvent> watchers = new LinkedHashSet<>(0);

  private TtyStream(EventLoop loop, String name) {
    super(loop, UvHandle.UV_TTY);
    this.name = name;
  }

  static TtyStream open(EventLoop loop, int descriptor, String name) throws IOException {
    // libuv puts the new open file under the number it is given, too, so that gets one to spare.
    int spare = Failures.check(Posix.dup(descriptor), "dup", name);
    TtyStream stream;
    try {
      stream = new TtyStream(loop, name);
      Failures.check(stream.open((at, tty) -> UvTty.uv_tty_init(at, tty, spare, 1)), "open", name);
    } catch (Throwable failed) {
      Posix.close(spare);
      throw failed;
    }
    try {
      if (stream.descriptor() != spare) {
        Posix.close(spare);
      }
      return stream;
    } catch (Throwable failed) {
      stream.close();
      throw failed;
    }
  }

  TerminalSize size() throws IOException {
    long handle = address();
    long at = loop().scratch().argumentsAddress();
    Failures.check(UvTty.uv_tty_get_winsize(handle, at, at + Integer.BYTES), "get size", this);
    return new TerminalSize(Memory.getInt(at), Memory.getInt(at + Integer.BYTES));
  }

  /// The event is started: it is told if the terminal is closed.
  void isWatchedBy(ResizeEvent event) {
    if (!isOpen()) {
      throw new ClosedException(this + " is closed"); // an event's failure, not that of a read
    }
    watchers.add(event);
  }

  void isLeftBy(ResizeEvent event) {
    watchers.remove(event);
  }

  @Override
  protected void closing() {
    TerminalDevice.left(this);
    List.copyOf(watchers).forEach(ResizeEvent::left);
  }

  @Override
  public String toString() {
    return name;
  }
}
