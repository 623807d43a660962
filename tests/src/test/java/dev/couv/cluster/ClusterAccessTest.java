// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.Needed;
import dev.couv.coro.Loop;
import dev.couv.testing.InLoop;
import io.nats.client.NKey;
import io.nats.client.support.JwtUtils;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Who is let in by a server that asks, and by a server that shows who it is.
@Tag("servers")
@InLoop
@ExtendWith(NoThreadsLeft.class)
class ClusterAccessTest {
  @TempDir Path folder;

  /// Who is not let in is told when this time is over.
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final ClusterOptions options =
      ClusterOptions.DEFAULT.withConnectTimeout(Duration.ofMinutes(1));

  @Test
  void anNkeyLetsIn() throws Exception {
    NKey right = NKey.createUser(null);
    NKey wrong = NKey.createUser(null);
    Path config =
        Files.writeString(
            folder.resolve("nats.conf"),
            "authorization { timeout: 60, users: [ { nkey: %s } ] }\n"
                .formatted(new String(right.getPublicKey())));
    try (NatsServer server = Loop.offload(() -> NatsServer.open("--config", config.toString()))) {
      ClusterOptions wronglySeeded = seeded(wrong).withConnectTimeout(SHORT);
      assertThrows(ClusterException.class, () -> Cluster.connect(wronglySeeded, server.url()));
      try (Cluster cluster = Cluster.connect(seeded(right), server.url())) {
        cluster.flush();
        assertEquals(ClusterState.CONNECTED, cluster.state());
      }
    }
  }

  /// A file as `nsc` makes them: the word of an account that this key is a user of it, and the key.
  /// The server knows the operator, and by its word the account.
  @Test
  void aFileOfCredentialsLetsIn() throws Exception {
    NKey operator = NKey.createOperator(null);
    NKey account = NKey.createAccount(null);
    NKey system = NKey.createAccount(null);
    NKey stranger = NKey.createAccount(null);
    Path config =
        Files.writeString(
            folder.resolve("nats.conf"),
            """
            operator: %s
            system_account: %s
            resolver: MEMORY
            resolver_preload: { %s: %s, %s: %s }
            """
                .formatted(
                    word(operator, operator, "tests", "{\"type\":\"operator\",\"version\":2}"),
                    key(system),
                    key(system),
                    word(operator, system, "system", ACCOUNT),
                    key(account),
                    word(operator, account, "app", ACCOUNT)));
    try (NatsServer server = Loop.offload(() -> NatsServer.open("--config", config.toString()))) {
      ClusterOptions right = options.withCredentials(credentials("right.creds", account));
      ClusterOptions nobody = options.withConnectTimeout(SHORT);
      ClusterOptions wrong = nobody.withCredentials(credentials("wrong.creds", stranger));
      ClusterOptions none =
          nobody.withCredentials(Credentials.file(folder.resolve("missing.creds")));
      assertThrows(ClusterException.class, () -> Cluster.connect(wrong, server.url()));
      assertThrows(NoSuchFileException.class, () -> Cluster.connect(none, server.url()));
      assertThrows(ClusterException.class, () -> Cluster.connect(nobody, server.url()));
      try (Cluster cluster = Cluster.connect(right, server.url())) {
        ClusterTopic<String> topic = cluster.topic("news", Codec.text());
        try (TopicReceiver<String> receiver = topic.subscribe()) {
          topic.publish("let in");

          assertEquals("let in", receiver.receive());
        }
      }
    }
  }

  private static final String ACCOUNT =
      """
      {"type":"account","version":2,"limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,\
      "exports":-1,"wildcards":true,"conn":-1,"leaf":-1}}\
      """;

  private static String key(NKey of) throws Exception {
    return new String(of.getPublicKey());
  }

  private static String word(NKey by, NKey of, String name, String claims) throws Exception {
    long now = JwtUtils.currentTimeSeconds();
    return JwtUtils.issueJWT(by, key(of), name, null, now, key(by), null, () -> claims);
  }

  private Credentials credentials(String name, NKey account) throws Exception {
    NKey user = NKey.createUser(null);
    String jwt = JwtUtils.issueUserJWT(account, key(account), key(user));
    String text = JwtUtils.NATS_USER_JWT_FORMAT.formatted(jwt, new String(user.getSeed()));
    return Credentials.file(Files.writeString(folder.resolve(name), text));
  }

  private ClusterOptions seeded(NKey key) {
    return options.withCredentials(Credentials.seed(new String(key.getSeed())));
  }

  /// Whoever has some certificate that is trusted would be believed to be any server.
  @Test
  void aServerWithACertificateOfAnotherIsRefused() throws Exception {
    Path key = folder.resolve("key.pem");
    Path certificate = folder.resolve("cert.pem");
    Loop.offload(() -> made(key, certificate, "DNS:elsewhere"));
    Path config =
        Files.writeString(
            folder.resolve("nats.conf"),
            "tls { cert_file: \"%s\", key_file: \"%s\", timeout: 60 }\n"
                .formatted(certificate, key));
    try (NatsServer server = Loop.offload(() -> NatsServer.open("--config", config.toString()))) {
      String url = server.url().replace("nats:", "tls:");
      ClusterOptions trusting = options.withTls(trusting(certificate));

      assertThrows(
          ClusterException.class, () -> Cluster.connect(trusting.withConnectTimeout(SHORT), url));
    }
  }

  /// Each shows a certificate of its own name, whichever URL is the first.
  @Test
  void aServerOfTheSecondUrlIsAskedForItsOwnName() throws Exception {
    Path key = folder.resolve("key.pem");
    Path certificate = folder.resolve("cert.pem");
    Loop.offload(() -> made(key, certificate, "DNS:localhost"));
    Path config =
        Files.writeString(
            folder.resolve("nats.conf"),
            "tls { cert_file: \"%s\", key_file: \"%s\", timeout: 60 }\n"
                .formatted(certificate, key));
    try (NatsServer server = Loop.offload(() -> NatsServer.open("--config", config.toString()));
        Cluster cluster =
            Cluster.connect(
                options.withTls(trusting(certificate)),
                "tls://127.0.0.2:" + server.port(),
                "tls://localhost:" + server.port())) {
      cluster.flush();
    }
  }

  @Test
  void aServerIsTrustedByItsCertificate() throws Exception {
    Path key = folder.resolve("key.pem");
    Path certificate = folder.resolve("cert.pem");
    Loop.offload(() -> made(key, certificate, "IP:127.0.0.1"));
    Path config =
        Files.writeString(
            folder.resolve("nats.conf"),
            // A machine that is busy may need more than the usual two seconds.
            "tls { cert_file: \"%s\", key_file: \"%s\", timeout: 60 }\n"
                .formatted(certificate, key));
    try (NatsServer server = Loop.offload(() -> NatsServer.open("--config", config.toString()))) {
      String url = server.url().replace("nats:", "tls:");
      ClusterOptions trusting = options.withTls(trusting(certificate));
      try (Cluster cluster = Cluster.connect(trusting, url)) {
        cluster.flush();
      }
      assertThrows(
          ClusterException.class,
          () ->
              Cluster.connect(
                  options.withConnectTimeout(SHORT).withTls(SSLContext.getDefault()), url));
    }
  }

  private static boolean made(Path key, Path certificate, String name) throws Exception {
    int status =
        new ProcessBuilder(
                Needed.program("openssl"),
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=" + name,
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    assertEquals(0, status);
    return true;
  }

  private static SSLContext trusting(Path certificate) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null);
    try (InputStream bytes = Files.newInputStream(certificate)) {
      store.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(bytes));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
