// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// TLS over any byte stream, by the JDK's own engine: all of these wait for the handshake.
///
/// The transport belongs to the TLS stream from then on. If the handshake fails or is cancelled, the
/// transport is closed: a conversation that has begun in TLS cannot go on without.
public final class Tls {
  private Tls() {}

  /// Connects over TCP and speaks TLS with the host of that name, whose certificate the JDK must
  /// trust.
  ///
  /// @throws javax.net.ssl.SSLHandshakeException if the two do not agree, or the certificate is not
  ///     trusted or another's
  public static TlsStream connect(String host, int port) throws IOException {
    return connect(host, port, TlsOptions.DEFAULT);
  }

  /// Connects over TCP and speaks TLS with the host of that name, as the options say.
  ///
  /// @throws javax.net.ssl.SSLHandshakeException if the two do not agree, or the certificate is not
  ///     trusted or another's
  /// @throws java.net.SocketTimeoutException if the handshake took too long
  public static TlsStream connect(String host, int port, TlsOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Tls.connect");
    HostName name = HostName.of(host);
    TlsHandshake.Beginning beginning = TlsBeginnings.client(name, port, options);
    TcpStream transport = Tcp.connect(name.bare(), port);
    return new TlsHandshake(loop, transport, options, "tls with " + name).run(beginning);
  }

  /// Speaks TLS as a client with the host of that name, which is at the other end of the stream.
  public static TlsStream client(ByteStream transport, String host) throws IOException {
    return client(transport, host, TlsOptions.DEFAULT);
  }

  /// Speaks TLS as a client with the host of that name, which is at the other end of the stream, as the options say.
  ///
  /// @throws java.net.SocketTimeoutException if the handshake took too long
  public static TlsStream client(ByteStream transport, String host, TlsOptions options)
      throws IOException {
    EventLoop loop = Suspension.loop("Tls.client");
    HostName name = HostName.of(host);
    TlsHandshake.Beginning beginning = TlsBeginnings.client(name, -1, options);
    return new TlsHandshake(loop, transport, options, "tls with " + name).run(beginning);
  }

  /// Speaks TLS as a server with the client at the other end of the stream; the context knows the
  /// server's certificate. Call it in a coroutine of the connection, not in the one that accepts: a
  /// client can take its time.
  public static TlsStream server(ByteStream transport, SSLContext context) throws IOException {
    return server(transport, context, TlsOptions.DEFAULT);
  }

  /// Speaks TLS as a server with the client at the other end of the stream, as the options say; the context knows the
  /// server's certificate.
  ///
  /// @throws java.net.SocketTimeoutException if the handshake took too long
  public static TlsStream server(ByteStream transport, SSLContext context, TlsOptions options)
      throws IOException {
    EventLoop loop = Suspension.loop("Tls.server");
    TlsHandshake.Beginning beginning = TlsBeginnings.server(context, options);
    return new TlsHandshake(loop, transport, options, "tls server").run(beginning);
  }

  /// Speaks TLS as a server of several names, each with a context of its own: the choice is made by the name the
  /// client asks for.
  ///
  /// @throws java.net.SocketTimeoutException if the handshake took too long
  public static TlsStream server(ByteStream transport, ContextChoice choice, TlsOptions options)
      throws IOException {
    EventLoop loop = Suspension.loop("Tls.server");
    Objects.requireNonNull(choice, "choice");
    return new TlsHandshake(loop, transport, options, "tls server")
        .run(new TlsBeginnings.ByName(transport, choice, options));
  }

  /// Listens over TCP and speaks TLS with whoever connects; the context knows the server's certificate. Does
  /// not wait.
  ///
  /// ```java
  /// try (var listener = Tls.listen(address, context)) {
  ///   listener.serve(peer -> ByteStream.copy(peer, peer));
  /// }
  /// ```
  public static TlsListener listen(InetSocketAddress at, SSLContext context) throws IOException {
    return listen(at, context, TlsOptions.DEFAULT);
  }

  /// Listens over TCP and speaks TLS with whoever connects, as the options say; the context knows the server's
  /// certificate. Does not wait.
  public static TlsListener listen(InetSocketAddress at, SSLContext context, TlsOptions options)
      throws IOException {
    Objects.requireNonNull(context, "context");
    Objects.requireNonNull(options, "options");
    return listen(Tcp.listen(at), context, options);
  }

  /// Speaks TLS with whoever connects to any listener, which belongs to this one from then on; the context knows the
  /// server's certificate. Does not wait.
  public static TlsListener listen(
      StreamListener<?> transport, SSLContext context, TlsOptions options) {
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(context, "context");
    Objects.requireNonNull(options, "options");
    return new TlsListener(transport, connection -> server(connection, context, options));
  }

  /// Speaks TLS with whoever connects to any listener, which belongs to this one from then on, as a server of several
  /// names: [#server(ByteStream, ContextChoice, TlsOptions)]. Does not wait.
  public static TlsListener listen(
      StreamListener<?> transport, ContextChoice choice, TlsOptions options) {
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(choice, "choice");
    Objects.requireNonNull(options, "options");
    return new TlsListener(transport, connection -> server(connection, choice, options));
  }

  /// Chooses whose certificate a server shows. It may wait.
  @FunctionalInterface
  public interface ContextChoice {
    /// The context for that name, null if the client named none; null to refuse the client.
    @Nullable SSLContext contextOf(@Nullable String serverName) throws Exception;
  }
}
