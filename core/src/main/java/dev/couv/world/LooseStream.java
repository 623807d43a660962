// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;

/// A connection that is on no loop. Any thread.
public interface LooseStream<H extends StreamHandle> {
  /// Takes it to that loop, whose thread calls this. If that fails it stays here.
  ///
  /// @throws IllegalStateException if that was done already
  /// @throws java.nio.channels.ClosedChannelException if it was closed
  H adopt(EventLoop loop) throws IOException;

  /// Ends the connection, unless it was adopted.
  void close();

  /// Whether it was closed, or adopted.
  boolean isGone();
}
