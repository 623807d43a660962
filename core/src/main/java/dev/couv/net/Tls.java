// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Loop;
import dev.couv.loop.EventLoop;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
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

  public static TlsStream connect(String host, int port, TlsOptions options) throws IOException {
    EventLoop loop = Suspension.loop("Tls.connect");
    HostName name = HostName.of(host);
    TlsHandshake.Beginning beginning = client(name, port, options);
    TcpStream transport = Tcp.connect(name.bare(), port);
    return new TlsHandshake(loop, transport, options, "tls with " + name).run(beginning);
  }

  /// Speaks TLS as a client with the host of that name, which is at the other end of the stream.
  public static TlsStream client(ByteStream transport, String host) throws IOException {
    return client(transport, host, TlsOptions.DEFAULT);
  }

  public static TlsStream client(ByteStream transport, String host, TlsOptions options)
      throws IOException {
    EventLoop loop = Suspension.loop("Tls.client");
    Objects.requireNonNull(transport, "transport");
    HostName name = HostName.of(host);
    TlsHandshake.Beginning beginning = client(name, -1, options);
    return new TlsHandshake(loop, transport, options, "tls with " + name).run(beginning);
  }

  private static TlsHandshake.Beginning client(HostName host, int port, TlsOptions options) {
    SSLContext given = options.context();
    if (given == null) {
      // On another thread: the JDK reads its store of roots the first time.
      return arriving -> clientEngine(Loop.offload(SSLContext::getDefault), host, port, options);
    }
    SSLEngine engine = clientEngine(given, host, port, options);
    return arriving -> engine;
  }

  private static SSLEngine clientEngine(
      SSLContext context, HostName host, int port, TlsOptions options) {
    SSLEngine engine = context.createSSLEngine(host.bare(), port);
    engine.setUseClientMode(true);
    SSLParameters parameters = parameters(engine, options);
    parameters.setServerNames(host.serverNames());
    if (options.verifyHost()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /// Speaks TLS as a server with the client at the other end of the stream; the context knows the
  /// server's certificate. Call it in a coroutine of the connection, not in the one that accepts: a
  /// client can take its time.
  public static TlsStream server(ByteStream transport, SSLContext context) throws IOException {
    return server(transport, context, TlsOptions.DEFAULT);
  }

  public static TlsStream server(ByteStream transport, SSLContext context, TlsOptions options)
      throws IOException {
    EventLoop loop = Suspension.loop("Tls.server");
    Objects.requireNonNull(transport, "transport");
    SSLEngine engine = serverEngine(context, options);
    return new TlsHandshake(loop, transport, options, "tls server").run(arriving -> engine);
  }

  /// As a server of several names, each with a context of its own: the choice is made by the name the
  /// client asks for.
  public static TlsStream server(ByteStream transport, ContextChoice choice, TlsOptions options)
      throws IOException {
    EventLoop loop = Suspension.loop("Tls.server");
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(choice, "choice");
    return new TlsHandshake(loop, transport, options, "tls server")
        .run(new ByName(transport, choice, options));
  }

  /// Reads the name ahead of the engine, and holds it against what the engine reads: a hello that shows
  /// two names would get the certificate, and the rules, of one, and pass for the other.
  private static final class ByName implements TlsHandshake.Beginning {
    private final ByteStream transport;
    private final ContextChoice choice;
    private final TlsOptions options;
    private @Nullable String name;

    ByName(ByteStream transport, ContextChoice choice, TlsOptions options) {
      this.transport = transport;
      this.choice = choice;
      this.options = options;
    }

    @Override
    public SSLEngine engine(TlsInput arriving) throws Exception {
      name = ClientHello.serverName(arriving);
      SSLContext chosen = choice.contextOf(name);
      if (chosen == null) {
        transport.tryWrite(ClientHello.unrecognizedName());
        throw new SSLHandshakeException("no certificate for the name " + name);
      }
      return serverEngine(chosen, options);
    }

    @Override
    public void check(TlsStream stream) throws SSLException {
      String told = stream.serverName();
      if (told == null ? name != null : !told.equalsIgnoreCase(name)) {
        throw new SSLHandshakeException("asked for " + told + ", but was taken to ask for " + name);
      }
    }
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

  public static TlsListener listen(InetSocketAddress at, SSLContext context, TlsOptions options)
      throws IOException {
    Objects.requireNonNull(context, "context");
    Objects.requireNonNull(options, "options");
    return listen(Tcp.listen(at), context, options);
  }

  /// Over any listener, which belongs to this one from then on.
  public static TlsListener listen(
      StreamListener<?> transport, SSLContext context, TlsOptions options) {
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(context, "context");
    Objects.requireNonNull(options, "options");
    return new TlsListener(transport, connection -> server(connection, context, options));
  }

  /// Likewise, for several names: [#server(ByteStream, ContextChoice, TlsOptions)].
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

  private static SSLEngine serverEngine(SSLContext context, TlsOptions options) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = parameters(engine, options);
    switch (options.clientCertificate()) {
      case NONE -> {}
      case WANT -> parameters.setWantClientAuth(true);
      case NEED -> parameters.setNeedClientAuth(true);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  private static SSLParameters parameters(SSLEngine engine, TlsOptions options) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(options.protocols().toArray(String[]::new));
    if (!options.cipherSuites().isEmpty()) {
      parameters.setCipherSuites(options.cipherSuites().toArray(String[]::new));
    }
    parameters.setApplicationProtocols(options.applicationProtocols().toArray(String[]::new));
    return parameters;
  }
}
