// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;

/// A stream that is a terminal.
public interface TerminalHandle extends StreamHandle {
  /// How many characters are seen of it.
  record Size(int columns, int rows) {}

  /// What a terminal does with keys: as it was found; gives each at once; the same, and writes bytes as they are; as it
  /// was found, but shows nothing of a line but its end.
  enum Mode {
    NORMAL,
    RAW,
    BINARY,
    NO_ECHO
  }

  /// Its size now.
  Size size() throws IOException;

  /// What was set last, by whatever stream of this process.
  Mode mode() throws IOException;

  /// Sets the mode, for everybody who uses the terminal. What this stream has set is put back when it is closed, and when the
  /// process ends or stops, whatever ends or stops it.
  void mode(Mode mode) throws IOException;

  /// Drops what was typed and not read. Also of one that is closed.
  void discardInput();
}
