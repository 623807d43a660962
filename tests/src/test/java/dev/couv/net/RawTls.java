// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.couv.stream.ByteStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// A side of TLS 1.3 that says what it is told to, right or wrong: no honest implementation can be made to.
/// One key exchange (X25519), one cipher (AES-128-GCM), and it believes whatever it hears.
final class RawTls {
  static final int ALERT = 21;
  static final int HANDSHAKE = 22;
  static final int DATA = 23;

  /// Asks for new keys in return.
  static final byte[] KEY_UPDATE = {24, 0, 0, 1, 1};

  /// What becomes of a handshake message before it is sent, in the order they are: nothing, unless told.
  private final UnaryOperator<byte[]> change;

  private final ByteStream transport;
  private final ByteArrayOutputStream transcript = new ByteArrayOutputStream();
  private final KeyPair keys;
  private ByteBuffer arrived = ByteBuffer.allocate(0);
  private ByteBuffer messages = ByteBuffer.allocate(0);
  private Direction sending;
  private Direction receiving;
  private byte[] master;
  private byte[] finishing;

  private RawTls(ByteStream transport, UnaryOperator<byte[]> change) throws Exception {
    this.transport = transport;
    this.change = change;
    keys = KeyPairGenerator.getInstance("X25519").generateKeyPair();
  }

  /// With the handshake done, as a client.
  static RawTls client(ByteStream transport) throws Exception {
    return client(transport, UnaryOperator.identity());
  }

  static RawTls client(ByteStream transport, UnaryOperator<byte[]> change) throws Exception {
    RawTls client = new RawTls(transport, change);
    client.write(record(HANDSHAKE, client.said(client.hello())));
    client.exchange(shareIn(client.hear(false), 4 + 2 + 32), true);
    while (client.hear(true)[0] != 20) {
      // whatever it is
    }
    byte[] secret = label(client.master, "c ap traffic", client.hash());
    byte[] other = label(client.master, "s ap traffic", client.hash());
    client.send(HANDSHAKE, client.said(client.finished(client.finishing)));
    client.sending = new Direction(secret);
    client.receiving = new Direction(other);
    return client;
  }

  /// With the handshake done, as the server whose certificate and key the tests have.
  static RawTls server(ByteStream transport, UnaryOperator<byte[]> change) throws Exception {
    RawTls server = new RawTls(transport, change);
    byte[] hello = server.hear(false);
    byte[] share = shareIn(hello, 4 + 2 + 32);
    server.write(record(HANDSHAKE, server.said(server.answer(hello))));
    server.exchange(share, false);
    server.send(HANDSHAKE, server.said(message(8, vector(2))));
    byte[] certificate = TlsFiles.certificate("server").getEncoded();
    byte[] entry = join(vector(3, certificate), vector(2));
    server.send(HANDSHAKE, server.said(message(11, vector(1), vector(3, entry))));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(TlsFiles.key("server"));
    byte[] pad = new byte[64];
    Arrays.fill(pad, (byte) 32);
    signature.update(pad);
    signature.update("TLS 1.3, server CertificateVerify\0".getBytes(US_ASCII));
    signature.update(server.hash());
    server.send(
        HANDSHAKE, server.said(message(15, new byte[] {4, 3}, vector(2, signature.sign()))));
    server.send(HANDSHAKE, server.said(server.finished(server.finishing)));
    byte[] secret = label(server.master, "s ap traffic", server.hash());
    byte[] other = label(server.master, "c ap traffic", server.hash());
    server.sending = new Direction(secret);
    while (server.hear(true)[0] != 20) {
      // whatever it is
    }
    server.receiving = new Direction(other);
    return server;
  }

  // ---- what is said afterwards

  void send(int type, byte[] content) throws Exception {
    write(sealed(type, content));
  }

  /// The record, for who sends it in another way. New keys are used from the next on.
  byte[] sealed(int type, byte[] content) throws Exception {
    byte[] record = sending.seal(type, content);
    for (int at = 0; type == HANDSHAKE && at + 5 <= content.length && content[at] == 24; at += 5) {
      sending = new Direction(label(sending.secret, "traffic upd", new byte[0]));
    }
    return record;
  }

  void write(byte[] bytes) throws IOException {
    transport.write(ByteBuffer.wrap(bytes));
  }

  /// Reads until that many bytes and messages have come: how many of each. Only key updates are known.
  int[] drain(int bytes, int messages) throws Exception {
    int[] got = {0, 0};
    while (got[0] < bytes || got[1] < messages) {
      byte[] content = receiving.open(nextRecord());
      switch (content[content.length - 1]) {
        case DATA -> got[0] += content.length - 1;
        case HANDSHAKE -> {
          if (content[0] == 24) {
            got[1]++;
            receiving = new Direction(label(receiving.secret, "traffic upd", new byte[0]));
          }
        }
        default -> throw new IOException("alert " + content[1]);
      }
    }
    return got;
  }

  /// A message that gives a ticket of that length.
  static byte[] ticket(int length, int number) {
    byte[] ticket = new byte[length];
    ByteBuffer.wrap(ticket).putInt(number);
    byte[] lifetime = {0, 1, 0, 0, 0, 0, 0, 0};
    return message(
        4, lifetime, vector(1, new byte[] {(byte) number}), vector(2, ticket), vector(2));
  }

  // ---- the handshake

  private byte[] hello() throws Exception {
    byte[] versions = extension(43, new byte[] {2, 3, 4});
    byte[] groups = extension(10, vector(2, new byte[] {0, 29}));
    byte[] signatures = extension(13, vector(2, new byte[] {4, 3, 8, 4}));
    byte[] share = extension(51, vector(2, new byte[] {0, 29}, vector(2, publicKey())));
    byte[] name =
        extension(0, vector(2, new byte[] {0}, vector(2, "localhost".getBytes(US_ASCII))));
    return message(
        1,
        new byte[] {3, 3},
        new byte[32],
        vector(1),
        vector(2, new byte[] {19, 1}),
        vector(1, new byte[1]),
        vector(2, versions, groups, signatures, share, name));
  }

  private byte[] answer(byte[] hello) throws Exception {
    byte[] session = Arrays.copyOfRange(hello, 39, 39 + (hello[38] & 0xFF));
    byte[] versions = extension(43, new byte[] {3, 4});
    byte[] share = extension(51, new byte[] {0, 29}, vector(2, publicKey()));
    byte[] random = new byte[32];
    Arrays.fill(random, (byte) 7);
    return message(
        2,
        new byte[] {3, 3},
        random,
        vector(1, session),
        new byte[] {19, 1, 0},
        vector(2, versions, share));
  }

  private byte[] publicKey() {
    byte[] big = ((XECPublicKey) keys.getPublic()).getU().toByteArray();
    byte[] little = new byte[32];
    for (int i = 0; i < Math.min(32, big.length); i++) {
      little[i] = big[big.length - 1 - i];
    }
    return little;
  }

  /// The X25519 key in a hello of either side, whose session begins at `at`.
  private static byte[] shareIn(byte[] hello, int at) throws IOException {
    for (int i = at; i + 36 <= hello.length; i++) {
      if (hello[i] == 0 && hello[i + 1] == 29 && hello[i + 2] == 0 && hello[i + 3] == 32) {
        return Arrays.copyOfRange(hello, i + 4, i + 36);
      }
    }
    throw new IOException("no key in " + Arrays.toString(hello));
  }

  private void exchange(byte[] theirs, boolean isClient) throws Exception {
    byte[] big = new byte[32];
    for (int i = 0; i < 32; i++) {
      big[i] = theirs[31 - i];
    }
    var spec = new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, big));
    KeyAgreement agreement = KeyAgreement.getInstance("X25519");
    agreement.init(keys.getPrivate());
    agreement.doPhase(KeyFactory.getInstance("X25519").generatePublic(spec), true);
    byte[] zero = new byte[32];
    byte[] nothing = MessageDigest.getInstance("SHA-256").digest();
    byte[] early = mac(zero, zero);
    byte[] shared = mac(label(early, "derived", nothing), agreement.generateSecret());
    byte[] ofClient = label(shared, "c hs traffic", hash());
    byte[] ofServer = label(shared, "s hs traffic", hash());
    sending = new Direction(isClient ? ofClient : ofServer);
    receiving = new Direction(isClient ? ofServer : ofClient);
    finishing = sending.secret;
    master = mac(label(shared, "derived", nothing), zero);
  }

  private byte[] finished(byte[] secret) throws Exception {
    return message(20, mac(label(secret, "finished", new byte[0]), hash()));
  }

  /// Notes what this side says, and changes it if it is to be changed.
  private byte[] said(byte[] message) {
    byte[] changed = change.apply(message);
    transcript.writeBytes(changed);
    return changed;
  }

  private byte[] hash() throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(transcript.toByteArray());
  }

  /// The next handshake message of the other side.
  private byte[] hear(boolean sealed) throws Exception {
    while (true) {
      if (messages.remaining() >= 4) {
        int length = 4 + (messages.getInt(messages.position()) & 0xFFFFFF);
        if (messages.remaining() >= length) {
          byte[] message = new byte[length];
          messages.get(message);
          transcript.writeBytes(message);
          return message;
        }
      }
      byte[] record = nextRecord();
      if (record[0] == ALERT && !sealed) {
        throw new IOException("alert " + record[6]);
      }
      if (record[0] == 20) {
        continue; // means nothing
      }
      byte[] content =
          sealed ? receiving.open(record) : Arrays.copyOfRange(record, 5, record.length);
      if (sealed && content[content.length - 1] == ALERT) {
        throw new IOException("alert " + content[1]);
      }
      messages =
          ByteBuffer.wrap(
              join(rest(messages), Arrays.copyOf(content, content.length - (sealed ? 1 : 0))));
    }
  }

  private byte[] nextRecord() throws IOException {
    while (arrived.remaining() < 5
        || arrived.remaining() < 5 + (arrived.getShort(arrived.position() + 3) & 0xFFFF)) {
      ByteBuffer more = transport.read();
      if (more == null) {
        throw new IOException("the end");
      }
      arrived = ByteBuffer.wrap(join(rest(arrived), rest(more)));
    }
    byte[] record = new byte[5 + (arrived.getShort(arrived.position() + 3) & 0xFFFF)];
    arrived.get(record);
    return record;
  }

  private static byte[] rest(ByteBuffer buffer) {
    byte[] rest = new byte[buffer.remaining()];
    buffer.duplicate().get(rest);
    return rest;
  }

  // ---- the shapes of things

  static byte[] record(int type, byte[] content) {
    return join(new byte[] {(byte) type, 3, 3}, vector(2, content));
  }

  static byte[] message(int type, byte[]... parts) {
    return join(new byte[] {(byte) type}, vector(3, parts));
  }

  private static byte[] extension(int type, byte[]... parts) {
    return join(new byte[] {0, (byte) type}, vector(2, parts));
  }

  /// The parts, behind their length in that many bytes.
  static byte[] vector(int lengthBytes, byte[]... parts) {
    byte[] content = join(parts);
    byte[] length = new byte[lengthBytes];
    for (int i = 0; i < lengthBytes; i++) {
      length[i] = (byte) (content.length >> (8 * (lengthBytes - 1 - i)));
    }
    return join(length, content);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] mac(byte[] key, byte[] content) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(content);
  }

  private static byte[] label(byte[] secret, String label, byte[] context)
      throws GeneralSecurityException {
    return label(secret, label, context, 32);
  }

  private static byte[] label(byte[] secret, String label, byte[] context, int length)
      throws GeneralSecurityException {
    byte[] info =
        join(
            new byte[] {0, (byte) length},
            vector(1, ("tls13 " + label).getBytes(US_ASCII)),
            vector(1, context),
            new byte[] {1});
    return Arrays.copyOf(mac(secret, info), length);
  }

  /// The keys of one direction.
  private static final class Direction {
    final byte[] secret;
    private final SecretKeySpec key;
    private final byte[] iv;
    private long number;

    Direction(byte[] secret) throws GeneralSecurityException {
      this.secret = secret;
      key = new SecretKeySpec(label(secret, "key", new byte[0], 16), "AES");
      iv = label(secret, "iv", new byte[0], 12);
    }

    private Cipher cipher(int mode) throws GeneralSecurityException {
      byte[] nonce = iv.clone();
      ByteBuffer end = ByteBuffer.wrap(nonce);
      end.putLong(4, end.getLong(4) ^ number++);
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(128, nonce));
      return cipher;
    }

    byte[] seal(int type, byte[] content) throws GeneralSecurityException {
      byte[] plain = Arrays.copyOf(content, content.length + 1);
      plain[content.length] = (byte) type;
      byte[] record = record(DATA, new byte[plain.length + 16]);
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE);
      cipher.updateAAD(record, 0, 5);
      System.arraycopy(cipher.doFinal(plain), 0, record, 5, plain.length + 16);
      return record;
    }

    byte[] open(byte[] record) throws GeneralSecurityException {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE);
      cipher.updateAAD(record, 0, 5);
      byte[] padded = cipher.doFinal(record, 5, record.length - 5);
      int length = padded.length;
      while (padded[length - 1] == 0) {
        length--;
      }
      return Arrays.copyOf(padded, length);
    }
  }
}
