// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.LoopBound;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.util.Iterator;

/// What accepts streams: a [TcpListener] or a [LocalListener].
public interface StreamListener<S extends ByteStream>
    extends Iterable<S>, AutoCloseable, LoopBound {
  /// Waits for the next connection.
  S accept() throws IOException;

  /// The connections that come, each of which is waited for, until it is closed. Coroutines that iterate at the same time
  /// take turns. Descriptors that run out are only logged; any other failure to accept is an `UncheckedIOException`.
  @Override
  Iterator<S> iterator();

  /// Await function: serves every connection that comes, in a coroutine of its own, until the listener is
  /// closed or the caller cancelled. Then they have a grace of five seconds, and are cancelled; it returns
  /// when the last has ended. The listener stays the caller's to close.
  ///
  /// A connection is closed when its handler ends. What a handler throws, or a coroutine that it has
  /// spawned, is logged with the peer's name and ends that connection alone. Connections that cannot be
  /// accepted are logged, too, and do not end it.
  ///
  /// The coroutines are not of the scope in which this is called: cancelling that is the end of the
  /// server, with its grace.
  default void serve(Handler<? super S> handler) throws IOException {
    serve(handler, ServeOptions.DEFAULT);
  }

  /// Await function: serves every connection that comes as [#serve(Handler)] does, but as the options say: how many at
  /// once, what becomes of others, another grace, who is told of failures.
  ///
  /// @throws dev.couv.error.BusyException if another coroutine is accepting
  void serve(Handler<? super S> handler, ServeOptions options) throws IOException;

  /// Whether it was not closed yet.
  boolean isOpen();

  /// Whether it was closed.
  default boolean isClosed() {
    return !isOpen();
  }

  /// Closes it and wakes whoever waits. Connections that were accepted stay. Does nothing the second time.
  @Override
  void close();
}
