// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/// Certificates for tests, made when the first of them is needed, so that none is ever out of date: an
/// authority, and under it a server at `localhost`, one elsewhere, one whose time is over, and a
/// client.
public final class TlsFiles {
  private static final Path DIRECTORY = make();
  private static final Map<String, SSLContext> CONTEXTS = new ConcurrentHashMap<>();

  private TlsFiles() {}

  public static Path ca() {
    return file("ca.pem");
  }

  /// A file of the directory: `server.pem` and `server.key`, and likewise `other` (for
  /// `other.example`), `client`, `expired`, `self` (signed by itself), `rsa` (an RSA key).
  public static Path file(String name) {
    return DIRECTORY.resolve(name);
  }

  /// Who that is, and trusting the authority.
  public static SSLContext context(String who) throws IOException {
    SSLContext known = CONTEXTS.get(who);
    if (known == null) {
      known =
          TlsContext.create().identity(file(who + ".pem"), file(who + ".key")).trust(ca()).build();
      CONTEXTS.put(who, known);
    }
    return known;
  }

  /// Nobody, but trusting the authority.
  public static SSLContext trusting() throws IOException {
    return TlsContext.create().trust(ca()).build();
  }

  static X509Certificate certificate(String who) throws Exception {
    return Pem.certificates(Files.readString(file(who + ".pem"))).getFirst();
  }

  static PrivateKey key(String who) throws Exception {
    return Pem.privateKey(Files.readString(file(who + ".key")));
  }

  private static Path make() {
    try {
      Path directory = Files.createTempDirectory("couv-tls");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
      Files.writeString(directory.resolve("index.txt"), "");
      Files.writeString(
          directory.resolve("ca.cnf"),
          """
          [ca]
          default_ca = here
          [here]
          dir = %1$s
          database = %1$s/index.txt
          new_certs_dir = %1$s
          rand_serial = yes
          default_md = sha256
          policy = any
          copy_extensions = copy
          [any]
          commonName = supplied
          [req]
          distinguished_name = name
          [name]
          [authority]
          basicConstraints = critical,CA:true
          keyUsage = critical,keyCertSign
          """
              .formatted(directory));
      key(directory, "ca");
      openssl(
          directory,
          ("req -x509 -new -key ca.key -out ca.pem -days 2 -subj /CN=authority"
              + " -config ca.cnf -extensions authority"));
      String here = "DNS:localhost,DNS:*.tls.example,IP:127.0.0.1,IP:::1";
      key(directory, "server");
      sign(directory, "server", here, "20200101000000Z", "20490101000000Z");
      key(directory, "other");
      sign(directory, "other", "DNS:other.example", "20200101000000Z", "20490101000000Z");
      key(directory, "expired");
      sign(directory, "expired", here, "20200101000000Z", "20210101000000Z");
      key(directory, "client");
      sign(directory, "client", "email:client@example", "20200101000000Z", "20490101000000Z");
      openssl(directory, "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key");
      sign(directory, "rsa", here, "20200101000000Z", "20490101000000Z");
      key(directory, "self");
      openssl(
          directory,
          "req -x509 -new -key self.key -out self.pem -days 2 -subj /CN=self -config ca.cnf"
              + " -addext subjectAltName="
              + here);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void key(Path directory, String who) throws IOException {
    openssl(
        directory, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out " + who + ".key");
  }

  private static void sign(Path directory, String who, String names, String from, String until)
      throws IOException {
    openssl(
        directory,
        "req -new -key %1$s.key -out %1$s.csr -subj /CN=%1$s -config ca.cnf -addext subjectAltName=%2$s"
            .formatted(who, names));
    openssl(
        directory,
        ("ca -batch -notext -config ca.cnf -cert ca.pem -keyfile ca.key -in %1$s.csr -out %1$s.pem"
                + " -startdate %2$s -enddate %3$s")
            .formatted(who, from, until));
  }

  /// Runs `openssl` in the directory, and returns what it printed.
  static String openssl(Path directory, String arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments.split(" ")));
    Path output = Files.createTempFile(directory, "openssl", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(240, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " does not end");
      }
      String printed = Files.readString(output);
      if (process.exitValue() != 0) {
        throw new IOException(command + " failed: " + printed);
      }
      return printed;
    } catch (InterruptedException e) {
      throw new IOException(e);
    } catch (IOException e) {
      throw new IOException("the tests need openssl (package openssl): " + e.getMessage(), e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
