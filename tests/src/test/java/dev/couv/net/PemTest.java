// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.cert.CertificateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `openssl` writes is what we read.
final class PemTest {
  @TempDir Path directory;

  @Test
  void certificatesAreReadInOrderAndTheTextAroundThemIsNot() throws Exception {
    String server = Files.readString(TlsFiles.file("server.pem"));
    String ca = Files.readString(TlsFiles.ca()).replace("\n", "\r\n");

    var chain = Pem.certificates("subject: x\n" + server + "\nissuer\n" + ca);

    assertEquals(2, chain.size());
    assertEquals("CN=server", chain.get(0).getSubjectX500Principal().getName());
    assertEquals("CN=authority", chain.get(1).getSubjectX500Principal().getName());
  }

  @ParameterizedTest
  @CsvSource({
    "RSA, -algorithm RSA -pkeyopt rsa_keygen_bits:2048",
    "EC, -algorithm EC -pkeyopt ec_paramgen_curve:P-384",
    "EdDSA, -algorithm ED25519"
  })
  void privateKeysOfEveryKindAreRead(String algorithm, String options) throws Exception {
    TlsFiles.openssl(directory, "genpkey " + options + " -out key.pem");

    assertEquals(algorithm, Pem.privateKey(read("key.pem")).getAlgorithm());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-v2 aes-256-cbc", "-v2 aes-128-cbc -v2prf hmacWithSHA1", "-v1 PBE-SHA1-3DES"})
  void encryptedKeysAreReadWithTheirPassword(String how) throws Exception {
    TlsFiles.openssl(
        directory,
        "pkcs8 -topk8 "
            + how
            + " -passout pass:secret -in %s -out key.pem".formatted(TlsFiles.file("server.key")));

    assertEquals("EC", Pem.privateKey(read("key.pem"), "secret".toCharArray()).getAlgorithm());
    InvalidKeyException none =
        assertThrows(InvalidKeyException.class, () -> Pem.privateKey(read("key.pem")));
    assertTrue(none.getMessage().contains("password"), none.getMessage());
    assertThrows(
        GeneralSecurityException.class,
        () -> Pem.privateKey(read("key.pem"), "wrong".toCharArray()));
  }

  @Test
  void anotherFormIsNamedWithTheCommandThatConvertsIt() throws Exception {
    TlsFiles.openssl(directory, "ec -in " + TlsFiles.file("server.key") + " -out key.pem");

    InvalidKeyException sec1 =
        assertThrows(InvalidKeyException.class, () -> Pem.privateKey(read("key.pem")));
    assertTrue(sec1.getMessage().contains("EC PRIVATE KEY"), sec1.getMessage());
    assertTrue(sec1.getMessage().contains("openssl pkcs8"), sec1.getMessage());
  }

  @Test
  void anEncryptedKeyOfAnotherFormIsNamedLikewiseAndTheCommandConvertsIt() throws Exception {
    TlsFiles.openssl(
        directory, "genrsa -traditional -aes256 -passout pass:secret -out old.pem 2048");
    String old = read("old.pem");
    assertTrue(old.contains("Proc-Type: 4,ENCRYPTED"), old);

    var refused =
        assertThrows(InvalidKeyException.class, () -> Pem.privateKey(old, "secret".toCharArray()));

    assertTrue(
        refused.getMessage().contains("an encrypted \"RSA PRIVATE KEY\""), refused::toString);
    String command = refused.getMessage().split("\"openssl ")[1].split("\"")[0];
    TlsFiles.openssl(
        directory,
        command.replace("OLD", "old.pem").replace("NEW", "new.pem")
            + " -passin pass:secret -passout pass:other");
    assertEquals("RSA", Pem.privateKey(read("new.pem"), "other".toCharArray()).getAlgorithm());
  }

  @Test
  void whatIsMissingOrBrokenIsSaid() throws Exception {
    assertThrows(CertificateException.class, () -> Pem.certificates(""));
    assertThrows(
        CertificateException.class,
        () -> Pem.certificates("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"));
    assertThrows(InvalidKeyException.class, () -> Pem.privateKey("nothing"));
    assertThrows(
        InvalidKeyException.class,
        () -> Pem.privateKey("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"));
    assertThrows(
        GeneralSecurityException.class,
        () ->
            Pem.privateKey(
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
                "x".toCharArray()));
  }

  @Test
  void aContextRefusesAKeyThatIsNotTheCertificates() throws Exception {
    for (String other : new String[] {"other.key", "rsa.key"}) {
      IOException refused =
          assertThrows(
              IOException.class,
              () ->
                  TlsContext.create().identity(TlsFiles.file("server.pem"), TlsFiles.file(other)));
      assertTrue(refused.getMessage().contains("not that of CN=server"), refused.getMessage());
    }
  }

  @Test
  void aContextNamesTheFileThatCannotBeUsed() throws Exception {
    assertThrows(
        NoSuchFileException.class, () -> TlsContext.create().trust(directory.resolve("no.pem")));
    Path empty = Files.writeString(directory.resolve("empty.pem"), "");
    IOException unusable = assertThrows(IOException.class, () -> TlsContext.create().trust(empty));
    assertTrue(unusable.getMessage().contains("empty.pem"), unusable.getMessage());
  }

  private String read(String file) throws IOException {
    return Files.readString(directory.resolve(file));
  }
}
