// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.LoopBound;
import dev.couv.stream.ByteStream;
import java.io.IOException;

/// Accepts connections and speaks TLS with them as a server: [Tls#listen]. The listener below belongs to
/// it.
public final class TlsListener implements AutoCloseable, LoopBound {
  private final StreamListener<?> transport;
  private final Shake shake;

  /// From a connection to what is spoken over it.
  @FunctionalInterface
  interface Shake {
    TlsStream over(ByteStream connection) throws IOException;
  }

  TlsListener(StreamListener<?> transport, Shake shake) {
    this.transport = transport;
    this.shake = shake;
  }

  /// Await function: serves as [StreamListener#serve(Handler)] does. The handshake is part of the
  /// connection's coroutine: a client that takes its time keeps nobody waiting.
  public void serve(Handler<? super TlsStream> handler) throws IOException {
    serve(handler, ServeOptions.DEFAULT);
  }

  /// Await function: serves as [StreamListener#serve(Handler, ServeOptions)] does. Who is told of failures is given the
  /// connection below.
  public void serve(Handler<? super TlsStream> handler, ServeOptions options) throws IOException {
    transport.serve(
        connection -> {
          try (TlsStream stream = shake.over(connection)) {
            handler.serve(stream);
          }
        },
        options);
  }

  /// Waits for the next connection and then for its handshake; meanwhile nobody else is accepted. For tests
  /// and single clients: servers [#serve].
  public TlsStream accept() throws IOException {
    return shake.over(transport.accept());
  }

  /// What it accepts from: where it listens is known there.
  public StreamListener<?> transport() {
    return transport;
  }

  @Override
  public boolean isHere() {
    return transport.isHere();
  }

  /// Whether it was not closed yet.
  public boolean isOpen() {
    return transport.isOpen();
  }

  /// Whether it was closed.
  public boolean isClosed() {
    return !isOpen();
  }

  /// Closes the listener below, and wakes whoever waits. Does nothing the second time.
  @Override
  public void close() {
    transport.close();
  }

  @Override
  public String toString() {
    return "tls over " + transport;
  }
}
