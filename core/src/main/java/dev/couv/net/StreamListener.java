// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.LoopBound;
import dev.couv.stream.ByteStream;
import java.io.IOException;

/// What accepts streams: a TCP listener or a local one.
public sealed interface StreamListener<S extends ByteStream> extends AutoCloseable, LoopBound
    permits TcpListener, LocalListener {
  /// Waits for the next connection.
  S accept() throws IOException;

  boolean isOpen();

  @Override
  void close();
}
