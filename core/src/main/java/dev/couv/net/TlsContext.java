// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Makes the JDK's `SSLContext` from PEM files: who we are, and whom we trust.
///
/// ```java
/// var server = TlsContext.create().identity(Path.of("chain.pem"), Path.of("key.pem")).build();
/// var client = TlsContext.create().trust(Path.of("ca.pem")).build();
/// ```
///
/// Of several identities a server shows the one that fits the name its client asks for. Without
/// [#trust] the JDK's default roots are trusted; with it, only what was named.
///
/// Files are read at once, with the thread held: this is for the beginning of a program. Wrap it in
/// `Loop.offload` elsewhere. Any thread.
public final class TlsContext {
  private static final char[] NO_PASSWORD = {};

  private final List<Identity> identities = new ArrayList<>();
  private final List<X509Certificate> trusted = new ArrayList<>();

  private TlsContext() {}

  private record Identity(List<X509Certificate> chain, PrivateKey key) {}

  /// One that says nothing yet: no identity, and the JDK's roots.
  public static TlsContext create() {
    return new TlsContext();
  }

  /// Who we are: a file with our certificate and those between it and a root, ours first; and one with
  /// its private key in PKCS#8. They may be the same file.
  /// The files are read at once, on the caller's thread: small, and before there is a connection to wait for.
  public TlsContext identity(Path chain, Path key) throws IOException {
    return identity(chain, key, null);
  }

  /// Who we are: a file with our certificate and those between it and a root, ours first; and one with
  /// its private key in PKCS#8, encrypted with that password, or in the clear if it is null.
  public TlsContext identity(Path chain, Path key, char @Nullable [] password) throws IOException {
    try {
      return identity(certificates(chain), Pem.privateKey(Files.readString(key), password));
    } catch (GeneralSecurityException unusable) {
      throw new IOException(key + ": " + unusable.getMessage(), unusable);
    }
  }

  /// Who we are: our certificate and those between it and a root, ours first, and its private key.
  ///
  /// @throws InvalidKeyException if the key is not that of the first certificate
  public TlsContext identity(List<X509Certificate> chain, PrivateKey key)
      throws GeneralSecurityException {
    if (!belongs(key, chain.getFirst().getPublicKey())) {
      throw new InvalidKeyException(
          "the private key is not that of " + chain.getFirst().getSubjectX500Principal());
    }
    identities.add(new Identity(List.copyOf(chain), key));
    return this;
  }

  /// Whom we trust: files with the certificates of authorities, or of single peers.
  public TlsContext trust(Path... files) throws IOException {
    for (Path file : files) {
      trust(certificates(file));
    }
    return this;
  }

  /// Whom we trust: certificates of authorities, or of single peers.
  public TlsContext trust(List<X509Certificate> certificates) {
    trusted.addAll(certificates);
    return this;
  }

  /// The context of all that was said.
  ///
  /// @throws IllegalStateException if the JDK cannot use the certificates
  public SSLContext build() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalStateException("the JDK cannot use these certificates", unusable);
    }
  }

  private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, IOException {
    if (identities.isEmpty()) {
      return null;
    }
    KeyStore store = emptyStore();
    for (int i = 0; i < identities.size(); i++) {
      Identity identity = identities.get(i);
      store.setKeyEntry(
          "identity-" + i,
          identity.key(),
          NO_PASSWORD,
          identity.chain().toArray(X509Certificate[]::new));
    }
    // PKIX, because it is the one that looks at the name the client asks for.
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
    if (trusted.isEmpty()) {
      return null;
    }
    KeyStore store = emptyStore();
    for (int i = 0; i < trusted.size(); i++) {
      store.setCertificateEntry("trusted-" + i, trusted.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<X509Certificate> certificates(Path file) throws IOException {
    try {
      return Pem.certificates(Files.readString(file));
    } catch (CertificateException unusable) {
      throw new IOException(file + ": " + unusable.getMessage(), unusable);
    }
  }

  /// A server with the wrong key would fail in every handshake, and say little.
  private static boolean belongs(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA", "Ed25519", "Ed448" -> "EdDSA";
          default -> null;
        };
    if (algorithm == null) {
      return true; // not known how to tell
    }
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update((byte) 1);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update((byte) 1);
      return signature.verify(signed);
    } catch (InvalidKeyException | java.security.SignatureException anotherKind) {
      return false;
    }
  }
}
