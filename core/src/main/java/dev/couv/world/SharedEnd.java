// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.nio.ByteBuffer;

/// A pipe or socket that other processes share, whose calls may block and stay so: used without blocking.
public interface SharedEnd {
  /// How many bytes there were, at most as many as there is room for; 0 if there are none yet, -1 at the end.
  int read(ByteBuffer into) throws IOException;

  /// How many of the bytes were taken; 0 if none are taken now.
  int write(ByteBuffer from) throws IOException;

  /// A descriptor to wait for in one direction, until this is closed: it can be read from when this end is ready. Where there
  /// is no such thing it is this end's own.
  int toPoll(boolean writing) throws IOException;

  /// Whether [#toPoll] gives this end's own, which is then ready in the direction itself.
  boolean isPolledItself();

  void close();
}
