// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.testing.InLoop;
import java.io.IOException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who is at the other end, and who may be.
@InLoop
final class TlsTrustTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LOCALHOST", "localhost.", "www.tls.example", "127.0.0.1", "[::1]"})
  void aHostsNamesAndAddressesAreChecked(String host) throws Exception {
    try (Served pair = Served.open("server", host, TlsPair.options())) {
      assertEquals("CN=server", subject(pair.client.peerCertificates()));
      assertEquals(List.of(), pair.server().peerCertificates());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.example", "tls.example", "a.b.tls.example", "127.0.0.2", "::2"})
  void anotherHostsCertificateIsRefused(String host) throws Exception {
    SSLHandshakeException refused =
        assertThrows(
            SSLHandshakeException.class, () -> Served.open("server", host, TlsPair.options()));
    assertTrue(refused.getMessage().contains("No "), refused.getMessage());
  }

  @Test
  void theCheckOfTheHostIsTurnedOffExplicitly() throws Exception {
    TlsOptions anyHost = TlsPair.options().withVerifyHost(false);
    try (Served pair = Served.open("other", "localhost", anyHost)) {
      assertEquals("CN=other", subject(pair.client.peerCertificates()));
    }
    // but an untrusted one is refused all the same
    assertThrows(SSLHandshakeException.class, () -> Served.open("self", "localhost", anyHost));
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    SSLHandshakeException refused =
        assertThrows(
            SSLHandshakeException.class,
            () -> Served.open("expired", "localhost", TlsPair.options()));
    Throwable root = refused;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    assertTrue(root instanceof CertificateExpiredException, root.toString());
  }

  @Test
  void aCertificateSignedByItselfIsRefusedUnlessItIsTrusted() throws Exception {
    assertThrows(
        SSLHandshakeException.class, () -> Served.open("self", "localhost", TlsPair.options()));
    TlsOptions trusting =
        TlsOptions.DEFAULT.withContext(
            TlsContext.create().trust(TlsFiles.file("self.pem")).build());
    Served.open("self", "localhost", trusting).close();
  }

  @Test
  void byDefaultTheJdksRootsAreTrustedAndNoOthers() throws Exception {
    assertThrows(
        SSLHandshakeException.class, () -> Served.open("server", "localhost", TlsOptions.DEFAULT));
  }

  @Test
  void theServerIsToldWhyItWasRefused() throws Exception {
    TcpPair tcp = TcpPair.open();
    var serving =
        Coroutine.spawn(
            () ->
                assertThrows(
                    SSLException.class,
                    () -> Tls.server(tcp.server(), TlsFiles.context("server"))));
    assertThrows(SSLHandshakeException.class, () -> Tls.client(tcp.client(), "localhost"));
    assertFalse(tcp.client().isOpen());
    String told = serving.await().getMessage();
    assertTrue(told.contains("certificate_unknown"), told);
    assertFalse(tcp.server().isOpen());
  }

  // ---- certificates of clients

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void aServerThatNeedsACertificateGetsIt(String version) throws Exception {
    TlsOptions known =
        TlsOptions.DEFAULT.withContext(TlsFiles.context("client")).withProtocols(version);
    TlsOptions needing = TlsOptions.DEFAULT.withClientCertificate(ClientCertificate.NEED);
    try (TlsPair pair = TlsPair.open(known, needing)) {
      assertEquals("CN=client", subject(pair.server().peerCertificates()));
    }
  }

  @Test
  void aClientWithoutACertificateIsRefusedWhereOneIsNeeded() throws Exception {
    TlsOptions needing =
        TlsOptions.DEFAULT.withClientCertificate(ClientCertificate.NEED).withProtocols("TLSv1.2");
    SSLException refused =
        assertThrows(SSLException.class, () -> TlsPair.open(TlsPair.options(), needing).close());
    assertTrue(refused.getMessage().contains("handshake_failure"), refused.getMessage());
  }

  /// In TLS 1.3 the client is done before the server has looked at its certificate.
  @Test
  void inTls13TheClientLearnsOfItWhenItReads() throws Exception {
    TcpPair tcp = TcpPair.open();
    TlsOptions needing = TlsOptions.DEFAULT.withClientCertificate(ClientCertificate.NEED);
    var serving =
        Coroutine.spawn(
            () ->
                assertThrows(
                    SSLHandshakeException.class,
                    () -> Tls.server(tcp.server(), TlsFiles.context("server"), needing)));
    try (TlsStream client = Tls.client(tcp.client(), "localhost", TlsPair.options())) {
      client.write(bytes("not read by anybody"));
      SSLException refused = assertThrows(SSLException.class, client::read);
      assertTrue(refused.getMessage().contains("certificate_required"), refused.getMessage());
      assertThrows(SSLException.class, client::read);
      SSLException written = assertThrows(SSLException.class, () -> client.write(bytes("x")));
      assertTrue(written.getMessage().contains("certificate_required"), written.getMessage());
    }
    serving.await();
  }

  @Test
  void aServerThatWantsACertificateTakesNoneButNotABadOne() throws Exception {
    TlsOptions wanting =
        TlsOptions.DEFAULT.withClientCertificate(ClientCertificate.WANT).withProtocols("TLSv1.2");
    try (TlsPair pair = TlsPair.open(TlsPair.options(), wanting)) {
      assertEquals(List.of(), pair.server().peerCertificates());
    }
    TlsOptions stranger =
        TlsOptions.DEFAULT.withContext(
            TlsContext.create()
                .identity(TlsFiles.file("self.pem"), TlsFiles.file("self.key"))
                .trust(TlsFiles.ca())
                .build());
    // the JDK's client shows a certificate only to a server that names its authority
    try (TlsPair pair = TlsPair.open(stranger, wanting)) {
      assertEquals(List.of(), pair.server().peerCertificates());
    }
  }

  // ---- names and protocols

  @Test
  void theServerHearsTheNameAndBothHearTheProtocol() throws Exception {
    TlsOptions client = TlsPair.options().withApplicationProtocols("h2", "http/1.1");
    TlsOptions server = TlsOptions.DEFAULT.withApplicationProtocols("http/1.1");
    try (TlsPair pair = TlsPair.open(client, server)) {
      assertEquals("localhost", pair.server().serverName());
      assertEquals("localhost", pair.client().serverName());
      assertEquals("http/1.1", pair.server().applicationProtocol());
      assertEquals("http/1.1", pair.client().applicationProtocol());
    }
    try (TlsPair pair = TlsPair.open(client, TlsOptions.DEFAULT)) {
      assertNull(pair.client().applicationProtocol());
    }
  }

  @Test
  void withoutACommonProtocolThereIsNoHandshake() throws Exception {
    TlsOptions client = TlsPair.options().withApplicationProtocols("h2");
    TlsOptions server = TlsOptions.DEFAULT.withApplicationProtocols("http/1.1");
    SSLException refused =
        assertThrows(SSLException.class, () -> TlsPair.open(client, server).close());
    assertTrue(refused.getMessage().contains("no_application_protocol"), refused.getMessage());
  }

  @Test
  void withoutACommonVersionThereIsNoHandshake() throws Exception {
    assertThrows(
        SSLHandshakeException.class,
        () ->
            TlsPair.open(
                    TlsPair.options().withProtocols("TLSv1.2"),
                    TlsOptions.DEFAULT.withProtocols("TLSv1.3"))
                .close());
  }

  @Test
  void noNameIsSentForALiteral() throws Exception {
    try (Served pair = Served.open("server", "127.0.0.1", TlsPair.options())) {
      assertNull(pair.server().serverName());
    }
  }

  @Test
  void theServerChoosesItsContextByName() throws Exception {
    Tls.ContextChoice choice =
        name -> {
          Coroutine.pause(); // it may wait
          if (name == null) {
            return TlsFiles.context("rsa");
          }
          return switch (name) {
            case "localhost" -> TlsFiles.context("server");
            case "other.example" -> TlsFiles.context("other");
            default -> null;
          };
        };
    assertEquals("CN=server", shown(choice, "localhost"));
    assertEquals("CN=other", shown(choice, "other.example"));
    assertEquals("CN=rsa", shown(choice, "127.0.0.1"));
    SSLException refused = assertThrows(SSLException.class, () -> shown(choice, "www.tls.example"));
    assertTrue(refused.getMessage().contains("unrecognized_name"), refused.getMessage());
  }

  /// The JDK's own choice among several identities of one context.
  @Test
  void oneContextShowsTheIdentityThatFitsTheName() throws Exception {
    SSLContext both =
        TlsContext.create()
            .identity(TlsFiles.file("server.pem"), TlsFiles.file("server.key"))
            .identity(TlsFiles.file("other.pem"), TlsFiles.file("other.key"))
            .build();
    assertEquals("CN=server", shown(name -> both, "localhost"));
    assertEquals("CN=other", shown(name -> both, "other.example"));
  }

  private static String shown(Tls.ContextChoice choice, String host) throws Exception {
    TcpPair tcp = TcpPair.open();
    var serving =
        Coroutine.spawn(
            () -> {
              try (TlsStream peer = Tls.server(tcp.server(), choice, TlsOptions.DEFAULT)) {
                return peer.serverName();
              } catch (SSLHandshakeException refused) {
                return String.valueOf(refused.getMessage());
              }
            });
    try (TlsStream client = Tls.client(tcp.client(), host, TlsPair.options())) {
      return subject(client.peerCertificates());
    } finally {
      serving.await();
    }
  }

  private static String subject(List<java.security.cert.X509Certificate> chain) {
    return chain.getFirst().getSubjectX500Principal().getName();
  }

  /// A client that asks for a host, and a server that is somebody.
  private record Served(TlsStream client, TlsStream server) implements AutoCloseable {
    static Served open(String who, String host, TlsOptions options) throws Exception {
      TcpPair tcp = TcpPair.open();
      var accepted =
          Coroutine.spawn(
              () -> {
                try {
                  return Tls.server(tcp.server(), TlsFiles.context(who));
                } catch (IOException refused) {
                  return null;
                }
              });
      try {
        return new Served(Tls.client(tcp.client(), host, options), accepted.await());
      } catch (IOException refused) {
        assertNull(accepted.await());
        throw refused;
      }
    }

    @Override
    public void close() {
      client.close();
      server.close();
    }
  }
}
