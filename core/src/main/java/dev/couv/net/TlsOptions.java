// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How a TLS stream is made. Start from [#DEFAULT]: what it says is safe.
///
/// @param context what a client trusts and who it is: null for the JDK's default. A server is given
///     its own
/// @param protocols the versions to speak, by the JDK's names
/// @param cipherSuites by the JDK's names; empty for the JDK's choice
/// @param applicationProtocols for ALPN, the preferred first; empty for none
/// @param clientCertificate whether a server asks for one
/// @param verifyHost whether a client checks that the certificate is the named host's. Off, anyone
///     with any trusted certificate can pass for that host
/// @param tolerateTruncation whether the end of the connection without close_notify is taken for the
///     end of the stream. On, whoever can cut the connection can cut what is said unnoticed
/// @param handshakeTimeout how long the handshake may take, after which it fails with a
///     `SocketTimeoutException`; null for any time
public record TlsOptions(
    @Nullable SSLContext context,
    List<String> protocols,
    List<String> cipherSuites,
    List<String> applicationProtocols,
    ClientCertificate clientCertificate,
    boolean verifyHost,
    boolean tolerateTruncation,
    @Nullable Duration handshakeTimeout) {
  /// TLS 1.3 and 1.2, the JDK's trust, host names checked, truncation refused, a minute for the
  /// handshake.
  public static final TlsOptions DEFAULT =
      new TlsOptions(
          null,
          List.of("TLSv1.3", "TLSv1.2"),
          List.of(),
          List.of(),
          ClientCertificate.NONE,
          true,
          false,
          Duration.ofMinutes(1));

  /// Refuses to speak no protocol, or to leave no time for the handshake.
  public TlsOptions {
    protocols = List.copyOf(protocols);
    cipherSuites = List.copyOf(cipherSuites);
    applicationProtocols = List.copyOf(applicationProtocols);
    if (protocols.isEmpty()) {
      throw new IllegalArgumentException("no protocol version to speak");
    }
    if (handshakeTimeout != null && (handshakeTimeout.isNegative() || handshakeTimeout.isZero())) {
      throw new IllegalArgumentException("no time for the handshake: " + handshakeTimeout);
    }
  }

  /// What a client trusts and who it is; null for the JDK's default.
  public TlsOptions withContext(@Nullable SSLContext newContext) {
    return speaking(newContext, protocols, cipherSuites, applicationProtocols);
  }

  /// The versions to speak, by the JDK's names.
  public TlsOptions withProtocols(String... newProtocols) {
    return speaking(context, List.of(newProtocols), cipherSuites, applicationProtocols);
  }

  /// The cipher suites to choose from, by the JDK's names; none for the JDK's choice.
  public TlsOptions withCipherSuites(String... newCipherSuites) {
    return speaking(context, protocols, List.of(newCipherSuites), applicationProtocols);
  }

  /// The protocols that may be spoken over it, such as `"h2"` and `"http/1.1"`.
  public TlsOptions withApplicationProtocols(String... newProtocols) {
    return speaking(context, protocols, cipherSuites, List.of(newProtocols));
  }

  /// Whether a server asks its clients for a certificate.
  public TlsOptions withClientCertificate(ClientCertificate newClientCertificate) {
    return demanding(newClientCertificate, verifyHost, tolerateTruncation, handshakeTimeout);
  }

  /// Whether a client checks that the certificate is the named host's.
  public TlsOptions withVerifyHost(boolean newVerifyHost) {
    return demanding(clientCertificate, newVerifyHost, tolerateTruncation, handshakeTimeout);
  }

  /// Whether the end of the connection without close_notify is taken for the end of the stream.
  public TlsOptions withTolerateTruncation(boolean newTolerateTruncation) {
    return demanding(clientCertificate, verifyHost, newTolerateTruncation, handshakeTimeout);
  }

  /// How long the handshake may take, after which it is a `SocketTimeoutException`; null for any time.
  public TlsOptions withHandshakeTimeout(@Nullable Duration newHandshakeTimeout) {
    return demanding(clientCertificate, verifyHost, tolerateTruncation, newHandshakeTimeout);
  }

  /// These options, with that to speak.
  private TlsOptions speaking(
      @Nullable SSLContext newContext,
      List<String> newProtocols,
      List<String> newCipherSuites,
      List<String> newApplicationProtocols) {
    return new TlsOptions(
        newContext,
        newProtocols,
        newCipherSuites,
        newApplicationProtocols,
        clientCertificate,
        verifyHost,
        tolerateTruncation,
        handshakeTimeout);
  }

  /// These options, with that to be demanded of the other side.
  private TlsOptions demanding(
      ClientCertificate newClientCertificate,
      boolean newVerifyHost,
      boolean newTolerateTruncation,
      @Nullable Duration newHandshakeTimeout) {
    return new TlsOptions(
        context,
        protocols,
        cipherSuites,
        applicationProtocols,
        newClientCertificate,
        newVerifyHost,
        newTolerateTruncation,
        newHandshakeTimeout);
  }
}
