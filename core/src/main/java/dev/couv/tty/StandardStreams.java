// SPDX-License-Identifier: Apache-2.0
package dev.couv.tty;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The standard streams of a loop, as far as they were asked for.
final class StandardStreams implements AutoCloseable {
  private final @Nullable Terminal[] streams = new Terminal[3];

  Terminal open(int descriptor, String name) throws IOException {
    Terminal open = streams[descriptor];
    if (open == null || !open.isOpen()) {
      open = Terminal.open(descriptor, name);
      streams[descriptor] = open;
    }
    return open;
  }

  /// The loop has ended.
  @Override
  public void close() {
    for (Terminal stream : streams) {
      if (stream != null) {
        stream.close();
      }
    }
  }
}
