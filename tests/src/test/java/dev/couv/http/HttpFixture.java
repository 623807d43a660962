// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.couv.coro.Action;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/// A server that runs while a test talks to it, byte by byte if need be. Closing it ends it and waits for that.
final class HttpFixture implements AutoCloseable {
  final HttpServer server;
  private final Coroutine<Void> serving;

  private HttpFixture(HttpServer server) {
    this.server = server;
    this.serving = Coroutine.spawn((Action) server::serve);
  }

  static HttpFixture open(ServerOptions options, Consumer<HttpServer> routes) throws IOException {
    HttpServer server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0), options);
    routes.accept(server);
    return new HttpFixture(server);
  }

  static HttpFixture open(Consumer<HttpServer> routes) throws IOException {
    return open(ServerOptions.DEFAULT, routes);
  }

  /// One that answers `GET /` with a text, and `POST /` with what it was sent.
  static HttpFixture simple() throws IOException {
    return simple(ServerOptions.DEFAULT);
  }

  static HttpFixture simple(ServerOptions options) throws IOException {
    return open(options, HttpFixture::simple);
  }

  static void simple(HttpServer server) {
    server.route("GET", "/", _ -> Response.text("hello"));
    server.route("POST", "/", request -> Response.text(request.body().text(1 << 20)));
  }

  InetSocketAddress address() {
    return server.local();
  }

  Talk talk() throws IOException {
    return new Talk(Tcp.connect(address()));
  }

  /// All that the server answers to these bytes, until it ends the connection.
  String all(String request) throws IOException {
    try (Talk talk = talk()) {
      talk.say(request);
      return talk.rest();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    try {
      serving.await();
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
    Loop.awaitIdle();
  }

  /// A connection to a server, as bytes.
  static final class Talk implements AutoCloseable {
    final TcpStream stream;
    final ByteReader in;

    Talk(TcpStream stream) {
      this.stream = stream;
      this.in = ByteReader.of(stream).limit(1 << 26);
    }

    Talk say(String bytes) throws IOException {
      stream.write(bytes.getBytes(ISO_8859_1));
      return this;
    }

    /// The head of the next answer, with the empty line.
    String head() throws IOException {
      byte[] head = in.readUntil((byte) '\r', (byte) '\n', (byte) '\r', (byte) '\n');
      if (head == null) {
        throw new EOFException("no answer");
      }
      return new String(head, ISO_8859_1) + "\r\n\r\n";
    }

    int status() throws IOException {
      return Integer.parseInt(head().substring(9, 12));
    }

    /// The body of the next answer, which has a length.
    String body() throws IOException {
      String head = head();
      return bytes(Integer.parseInt(field(head, "content-length")));
    }

    String bytes(int count) throws IOException {
      return new String(in.readBytes(count), ISO_8859_1);
    }

    String rest() throws IOException {
      var all = new StringBuilder();
      for (int next; (next = in.peek()) >= 0; ) {
        all.append((char) next);
        in.skip(1);
      }
      return all.toString();
    }

    @Override
    public void close() {
      stream.close();
    }
  }

  /// The value of a header in a head; empty if it is not there.
  static String field(String head, String name) {
    for (String line : head.split("\r\n")) {
      if (line.regionMatches(true, 0, name + ": ", 0, name.length() + 2)) {
        return line.substring(name.length() + 2);
      }
    }
    return "";
  }
}
