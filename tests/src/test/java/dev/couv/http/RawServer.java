// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.coro.Coroutine;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;

/// A server that says whatever a test wants, byte by byte: the first script to the first connection, and so on, the last to
/// all that follow. Closing it ends it.
final class RawServer implements AutoCloseable {
  interface Script {
    void run(HttpFixture.Talk talk) throws Exception;
  }

  private final TcpListener listener;
  private int connections;

  private RawServer(TcpListener listener) {
    this.listener = listener;
  }

  static RawServer open(Script... scripts) throws IOException {
    RawServer server = new RawServer(Tcp.listen(new InetSocketAddress("127.0.0.1", 0)));
    Coroutine.spawn(() -> server.serve(scripts));
    return server;
  }

  /// One that answers every request on every connection so.
  static RawServer answering(String answer) throws IOException {
    return open(
        talk -> {
          while (talk.in.peek() >= 0) {
            talk.head();
            talk.say(answer);
          }
        });
  }

  private void serve(Script... scripts) throws IOException {
    while (true) {
      HttpFixture.Talk talk;
      try {
        talk = new HttpFixture.Talk(listener.accept());
      } catch (AsynchronousCloseException closed) {
        return;
      }
      Script script = scripts[Math.min(connections++, scripts.length - 1)];
      Coroutine.spawn(
          () -> {
            try (talk) {
              script.run(talk);
            } catch (IOException gone) {
              // the client does not want to hear more
            }
          });
    }
  }

  String uri() {
    return "http://127.0.0.1:" + listener.local().getPort() + "/";
  }

  /// How many have come.
  int connections() {
    return connections;
  }

  @Override
  public void close() {
    listener.close();
  }
}
