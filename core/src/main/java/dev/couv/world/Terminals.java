// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;

/// What standard input and output are connected to, by their descriptors, and what terminals do with keys.
public interface Terminals {
  /// What a standard stream can be.
  enum Kind {
    TERMINAL,
    /// A pipe or a socket, which other processes may share.
    PIPE,
    /// A file, or a device without a mind of its own.
    FILE
  }

  /// What a terminal does with keys: as it was found; gives each at once; the same, and writes bytes as they are; as it
  /// was found, but shows nothing of a line but its end.
  enum Mode {
    NORMAL,
    RAW,
    BINARY,
    NO_ECHO
  }

  /// @throws IOException with the code `EBADF` if the process was started without it
  Kind kind(int descriptor, String name) throws IOException;

  /// Another number for what is open there, which is the caller's to close.
  int duplicate(int descriptor, String name) throws IOException;

  /// The pipe or socket, to be used without changing it for the others. The descriptor stays the caller's.
  SharedEnd share(EventLoop loop, int descriptor, String name) throws IOException;

  /// Sets the mode of the terminal, on behalf of a stream. It is put back when the process ends or stops, whatever ends or
  /// stops it.
  void mode(int descriptor, Mode mode, Object stream) throws IOException;

  /// What was set last.
  Mode mode(int descriptor) throws IOException;

  /// Drops what was typed and not read.
  void discardInput(int descriptor);

  /// The stream is closed: what it has set is put back. On the loop's thread, perhaps in a callback.
  void left(Object stream);
}
