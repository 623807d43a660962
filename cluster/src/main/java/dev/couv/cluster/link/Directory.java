// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Who has an address here: below the inbox of this process, one word each. What comes for an
/// unknown word is dropped, and counted: an answer to a question that was never asked, or was
/// answered before.
///
/// Confined to the loop.
public final class Directory {
  private static final byte[] LETTERS =
      "0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.US_ASCII);

  /// What a letter says, and how many of them say what a `long` does.
  private static final int LETTER_BITS = 5;

  private static final int WORD_LENGTH = 13;

  /// So many bytes are asked for at a time, because each question has its price.
  private static final int SECRETS = 2048;

  private final String inbox;
  private final Map<String, Consumer<Packet>> known = new HashMap<>();

  /// Words are not to be guessed by those who have seen others of them, as everybody does who is called from here.
  private final SecureRandom random = new SecureRandom();

  private final ByteBuffer secrets = ByteBuffer.allocate(SECRETS).limit(0);
  private Consumer<Packet> otherwise = _ -> {};
  private long dropped;

  Directory() {
    inbox = "_INBOX." + word() + word();
  }

  /// What addresses here begin with.
  public String inbox() {
    return inbox;
  }

  /// A word that nobody has or can guess.
  public String word() {
    if (!secrets.hasRemaining()) {
      random.nextBytes(secrets.clear().array());
    }
    long secret = secrets.getLong();
    byte[] word = new byte[WORD_LENGTH];
    for (int i = 0; i < WORD_LENGTH; i++) {
      word[i] = LETTERS[(int) secret & (LETTERS.length - 1)];
      secret >>>= LETTER_BITS;
    }
    return new String(word, StandardCharsets.ISO_8859_1);
  }

  /// A new address: what is sent to it, or to something below it, is told the receiver.
  public String enter(Consumer<Packet> receiver) {
    return enter(word(), receiver);
  }

  /// Like [#enter(Consumer)], at a [word][#word] that the caller keeps.
  public String enter(String word, Consumer<Packet> receiver) {
    known.put(word, receiver);
    return inbox + '.' + word;
  }

  /// Nobody is at that address any more.
  public void leave(String address) {
    leaveWord(address.substring(inbox.length() + 1));
  }

  /// Nobody is at that word any more.
  public void leaveWord(String word) {
    known.remove(word);
  }

  /// Who is told of what comes for nobody.
  public void otherwise(Consumer<Packet> newOtherwise) {
    otherwise = newOtherwise;
  }

  /// All who have an address now.
  public Collection<Consumer<Packet>> receivers() {
    return List.copyOf(known.values());
  }

  /// How many messages came for nobody.
  public long dropped() {
    return dropped;
  }

  void receive(Packet packet) {
    Consumer<Packet> receiver = find(packet.subject());
    if (receiver == null) {
      dropped++;
      otherwise.accept(packet);
    } else {
      receiver.accept(packet);
    }
  }

  private @Nullable Consumer<Packet> find(String subject) {
    int start = inbox.length() + 1;
    if (subject.length() <= start) {
      return null;
    }
    int end = subject.indexOf('.', start);
    return known.get(end < 0 ? subject.substring(start) : subject.substring(start, end));
  }
}
