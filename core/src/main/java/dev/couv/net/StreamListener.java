// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.LoopBound;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.util.Iterator;

/// What accepts streams: a TCP listener or a local one.
public sealed interface StreamListener<S extends ByteStream>
    extends Iterable<S>, AutoCloseable, LoopBound permits TcpListener, LocalListener {
  /// Waits for the next connection.
  S accept() throws IOException;

  /// The connections that come, each of which is waited for, until it is closed.
  @Override
  Iterator<S> iterator();

  boolean isOpen();

  @Override
  void close();
}
