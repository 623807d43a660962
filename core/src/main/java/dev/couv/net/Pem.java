// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// Certificates and private keys in PEM, the text form that certificate authorities and `openssl`
/// write: blocks between `-----BEGIN …-----` and `-----END …-----`. Text around them is passed over.
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN (?<type>[A-Z0-9 ]+)-----\\s*"
              + "(?<headers>(?:[A-Za-z0-9-]+:[^\\n]*\\n\\s*)*)"
              + "(?<bytes>[A-Za-z0-9+/=\\s]*)-----END \\1-----");

  /// In the order they are tried: a key in PKCS#8 says what it is, but the JDK does not tell.
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS", "DSA");

  private Pem() {}

  /// All certificates in the text, in order.
  ///
  /// @throws CertificateException if there is none, or one cannot be read
  public static List<X509Certificate> certificates(String text) throws CertificateException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      String type = block.group("type");
      if (type.equals("CERTIFICATE") || type.equals("X509 CERTIFICATE")) {
        ByteArrayInputStream encoded = new ByteArrayInputStream(decode(block.group("bytes")));
        certificates.add((X509Certificate) factory.generateCertificate(encoded));
      }
    }
    if (certificates.isEmpty()) {
      throw new CertificateException("no certificate in the text");
    }
    return certificates;
  }

  /// The private key in the text, in PKCS#8 without encryption.
  ///
  /// @throws InvalidKeyException if there is none, or it is in another form: the message says how to
  ///     convert it
  public static PrivateKey privateKey(String text) throws GeneralSecurityException {
    return privateKey(text, null);
  }

  /// The private key in the text, in PKCS#8, encrypted with that password unless it is null.
  public static PrivateKey privateKey(String text, char @Nullable [] password)
      throws GeneralSecurityException {
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      String type = block.group("type");
      if (type.equals("PRIVATE KEY")) {
        return key(new PKCS8EncodedKeySpec(decode(block.group("bytes"))));
      }
      if (type.equals("ENCRYPTED PRIVATE KEY")) {
        if (password == null) {
          throw new InvalidKeyException("the private key is encrypted: a password is needed");
        }
        return key(decrypted(decode(block.group("bytes")), password));
      }
      if (type.endsWith(" PRIVATE KEY")) {
        boolean encrypted = block.group("headers").contains("ENCRYPTED");
        throw new InvalidKeyException(
            "the private key is not in PKCS#8 but an "
                + (encrypted ? "encrypted \"" : "\"")
                + type
                + "\"; \"openssl pkcs8 -topk8 "
                + (encrypted ? "" : "-nocrypt ")
                + "-in OLD -out NEW\" converts it");
      }
    }
    throw new InvalidKeyException("no private key in the text");
  }

  private static PKCS8EncodedKeySpec decrypted(byte[] encoded, char[] password)
      throws GeneralSecurityException {
    PBEKeySpec spec = new PBEKeySpec(password);
    try {
      EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encoded);
      // With PBES2 the name of the algorithm is in its parameters.
      String algorithm =
          info.getAlgName().equals("PBES2") || info.getAlgName().equals("1.2.840.113549.1.5.13")
              ? info.getAlgParameters().toString()
              : info.getAlgName();
      return info.getKeySpec(SecretKeyFactory.getInstance(algorithm).generateSecret(spec));
    } catch (java.io.IOException malformed) {
      throw new InvalidKeyException("the encrypted private key cannot be read", malformed);
    } finally {
      spec.clearPassword();
    }
  }

  private static PrivateKey key(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
    InvalidKeyException unknown =
        new InvalidKeyException("the private key is none of " + ALGORITHMS);
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException another) {
        unknown.addSuppressed(another);
      }
    }
    throw unknown;
  }

  private static byte[] decode(String base64) {
    byte[] text = base64.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    byte[] decoded = Base64.getMimeDecoder().decode(text);
    Arrays.fill(text, (byte) 0); // it may have been a key
    return decoded;
  }
}
