// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.coro.Loop;
import dev.couv.stream.ByteStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// How the JDK's engine is made for either side of a handshake.
final class TlsBeginnings {
  private TlsBeginnings() {}

  /// A client of that host. With the JDK's own context the engine is made when that is read.
  static TlsHandshake.Beginning client(HostName host, int port, TlsOptions options) {
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

  /// A server with that context.
  static TlsHandshake.Beginning server(SSLContext context, TlsOptions options) {
    SSLEngine engine = serverEngine(context, options);
    return arriving -> engine;
  }

  /// Reads the name ahead of the engine, and holds it against what the engine reads: a hello that shows
  /// two names would get the certificate, and the rules, of one, and pass for the other.
  static final class ByName implements TlsHandshake.Beginning {
    private final ByteStream transport;
    private final Tls.ContextChoice choice;
    private final TlsOptions options;
    private @Nullable String name;

    ByName(ByteStream transport, Tls.ContextChoice choice, TlsOptions options) {
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
