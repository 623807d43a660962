// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.io.IOException;

/// A connected socket between two loops: a stream was detached from one, and the next one adopts it.
///
/// ```java
/// var moving = stream.detach();
/// otherLoop.submit(() -> {
///   try (var here = moving.adopt()) {
///     serve(here);
///   }
/// });
/// ```
///
/// Nothing is lost on the way: what was read and not taken is the first that the adopted stream reads.
/// Any thread may have it, and pass it on; it owns the socket until it is adopted, or closed. One that
/// nobody refers to any more is closed.
public interface Detached<S extends ByteStream> extends AutoCloseable {
  /// The stream, on the loop of the coroutine that calls this. Does not wait. If it fails, the socket
  /// is still here.
  ///
  /// @throws IllegalStateException if it was adopted already
  /// @throws java.nio.channels.ClosedChannelException if it was closed
  S adopt() throws IOException;

  /// Whether it was closed or adopted: then there is nothing left to adopt. Any thread.
  boolean isClosed();

  /// Closes the socket, unless it was adopted. Any thread.
  @Override
  void close();
}
