// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import dev.couv.coro.LoopBound;
import dev.couv.http.socket.CloseCodes;
import dev.couv.http.socket.Link;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Messages both ways over one connection, between a browser and a server or any two programs (RFC 6455).
///
/// ```java
/// try (var socket = WebSocket.connect(URI.create("wss://example.org/chat"))) {
///   socket.send("hello");
///   for (var message : socket) IO.println(message.text());
/// }
/// ```
///
/// One coroutine receives, any number send. Pings are answered by who receives. It belongs to the loop, and whatever is
/// sent and not taken is seen to in the scope, in which it was made.
public final class WebSocket implements Iterable<WebSocketMessage>, AutoCloseable, LoopBound {
  private final Link link;
  private final @Nullable Request request;
  private final Headers headers;
  private final String protocol;

  WebSocket(Link link, @Nullable Request request, Headers headers, String protocol) {
    this.link = link;
    this.request = request;
    this.headers = headers;
    this.protocol = protocol;
  }

  /// Opens a socket to a server: `ws://host:port/path`, or `wss://…` over TLS.
  ///
  /// @throws IOException if the server cannot be reached, or does not speak WebSocket there
  public static WebSocket connect(URI uri) throws IOException {
    return connect(uri, WebSocketOptions.DEFAULT);
  }

  /// Opens a socket to a server: `ws://host:port/path`, or `wss://…` over TLS.
  ///
  /// @throws IOException if the server cannot be reached, or does not speak WebSocket there
  /// @throws IllegalArgumentException if it is no such URI
  public static WebSocket connect(URI uri, WebSocketOptions options) throws IOException {
    return WebSocketDial.connect(uri, Objects.requireNonNull(options, "options"));
  }

  // ---- receiving

  /// Waits for the next message; null when the other side has closed, then and ever after. Whoever leaves early has taken
  /// nothing. In this time pings are answered.
  ///
  /// @throws WebSocketException if the other side has broken the rules; it was told so
  /// @throws java.io.EOFException if the connection has ended without a word
  /// @throws java.net.SocketTimeoutException if the other side has been silent for too long
  public @Nullable WebSocketMessage receive() throws IOException {
    return link.receive();
  }

  /// The messages that follow, each of which waits, until the other side closes. A failure to receive is an
  /// `UncheckedIOException`.
  @Override
  public Iterator<WebSocketMessage> iterator() {
    return new Iterator<>() {
      private @Nullable WebSocketMessage next;

      @Override
      public boolean hasNext() {
        if (next == null) {
          try {
            next = receive();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
        return next != null;
      }

      @Override
      public WebSocketMessage next() {
        boolean more = hasNext();
        WebSocketMessage message = next;
        if (!more || message == null) {
          throw new NoSuchElementException("the other side has closed");
        }
        next = null;
        return message;
      }
    };
  }

  // ---- sending

  /// Sends a message of text, at the end of the turn at the latest. Waits only if the other side is far behind; who is
  /// cancelled then has sent nothing.
  ///
  /// @throws java.nio.channels.ClosedChannelException if either side has closed
  public void send(String text) throws IOException {
    link.send(true, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends a message of bytes, likewise. The array may be changed when this has returned.
  ///
  /// @throws java.nio.channels.ClosedChannelException if either side has closed
  public void send(byte[] bytes) throws IOException {
    link.send(false, Objects.requireNonNull(bytes, "bytes"));
  }

  /// Sends what is left in the buffer as a message of bytes, likewise.
  ///
  /// @throws java.nio.channels.ClosedChannelException if either side has closed
  public void send(ByteBuffer bytes) throws IOException {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    link.send(false, copy);
    bytes.position(bytes.limit());
  }

  /// Asks the other side for a sign of life, which whoever receives takes. The options do it by themselves after silence.
  public void ping() throws IOException {
    link.ping(new byte[0]);
  }

  /// Waits until the kernel has all that was sent.
  public void flush() throws IOException {
    link.flush();
  }

  // ---- asking

  /// What is spoken inside of it, as both sides have agreed; empty if they have not.
  public String protocol() {
    return protocol;
  }

  /// The headers with which the other side has opened it.
  public Headers headers() {
    return headers;
  }

  /// On a server, the request that has opened it: its path, and who asks.
  ///
  /// @throws IllegalStateException on a client
  public Request request() {
    Request asked = request;
    if (asked == null) {
      throw new IllegalStateException("this is the client's side: the request was ours");
    }
    return asked;
  }

  /// Why the other side has closed: 1000 if it was done, 1005 if it did not say or has not closed, 1006 if it has gone
  /// without a word.
  public int closeCode() {
    return link.closeCode();
  }

  /// What the other side said when it closed; empty if nothing.
  public String closeReason() {
    return link.closeReason();
  }

  @Override
  public boolean isHere() {
    return link.isHere();
  }

  // ---- closing

  /// Whether this side has closed it.
  public boolean isClosed() {
    return link.isClosed();
  }

  /// Whether messages can be sent: neither side has closed, as far as is known.
  public boolean isOpen() {
    return link.isOpen();
  }

  /// Says that we are done (1000), waits until the other side has said so, and closes the connection.
  @Override
  public void close() {
    link.close(CloseCodes.NORMAL, "");
  }

  /// Says why we close, waits until the other side has answered, for as long as the options say, and closes the connection.
  /// Messages that still come are dropped. Whoever receives gets null, or an `AsynchronousCloseException` if the other side
  /// does not answer. Who is cancelled closes at once. Does nothing the second time.
  ///
  /// @param reason for people who read along; what is beyond 123 bytes is cut
  /// @throws IllegalArgumentException if it is not for us to say: 1000, 1001, 1002, 1003, 1007 to 1014, 3000 to 4999
  public void close(int code, String reason) {
    if (!CloseCodes.canBeSent(code)) {
      throw new IllegalArgumentException("no code for closing: " + code);
    }
    link.close(code, Objects.requireNonNull(reason, "reason"));
  }

  Link link() {
    return link;
  }

  @Override
  public String toString() {
    return link.toString();
  }
}
