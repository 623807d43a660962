// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import dev.couv.error.ClosedException;
import dev.couv.stream.ByteStream;
import dev.couv.wire.NativeStream;
import dev.couv.world.TerminalHandle;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A terminal.
final class TtyStream extends NativeStream implements ByteStream {
  /// For what a terminal can do besides.
  final TerminalHandle handle;

  /// Those that somebody waits for.
  private final Set<ResizeEvent> watchers = new LinkedHashSet<>(0);

  @SuppressWarnings("this-escape") // it is told later, when the handle is closed
  TtyStream(TerminalHandle handle) {
    super(handle);
    this.handle = handle;
    handle.whenClosed(() -> List.copyOf(watchers).forEach(ResizeEvent::left));
  }

  TerminalSize size() throws IOException {
    TerminalHandle.Size size = handle.size();
    return new TerminalSize(size.columns(), size.rows());
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
}
