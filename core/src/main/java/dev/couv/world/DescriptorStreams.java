// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;

/// Streams over descriptors that the process has already. `name` is what they are in messages.
public interface DescriptorStreams {
  /// What a descriptor can be.
  enum Kind {
    TERMINAL,
    /// A pipe or a socket, which other processes may share.
    PIPE,
    /// A file, or a device without a mind of its own.
    FILE
  }

  /// What the descriptor is.
  ///
  /// @throws IOException with the code `EBADF` if it is a standard one that the process was started without
  Kind kind(int descriptor, String name) throws IOException;

  /// Another number for what is open there, which is the caller's to close.
  int duplicate(int descriptor, String name) throws IOException;

  /// A pipe or socket, used without changing it for others who share it; the descriptor stays the caller's.
  StreamHandle pipe(EventLoop loop, int descriptor, String name) throws IOException;

  /// A terminal, opened anew if that can be done; the descriptor stays the caller's.
  TerminalHandle terminal(EventLoop loop, int descriptor, String name) throws IOException;
}
