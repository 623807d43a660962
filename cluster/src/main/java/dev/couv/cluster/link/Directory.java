// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Who has an address here: below the inbox of this process, one word each. What comes for an
/// unknown word is dropped, and counted: an answer to a question that was never asked, or was
/// answered before.
///
/// Confined to the loop.
public final class Directory {
  private static final int RADIX = 36;

  private final String inbox;
  private final Map<String, Consumer<Packet>> known = new HashMap<>();

  /// Words are not to be guessed by those who have seen others of them.
  private final SplittableRandom words;

  private long dropped;

  Directory() {
    SecureRandom random = new SecureRandom();
    words = new SplittableRandom(random.nextLong());
    inbox =
        "_INBOX."
            + Long.toUnsignedString(random.nextLong(), RADIX)
            + Long.toUnsignedString(random.nextLong(), RADIX);
  }

  /// What addresses here begin with.
  public String inbox() {
    return inbox;
  }

  /// A word that nobody has or can guess.
  public String word() {
    return Long.toString(words.nextLong() >>> 1, RADIX); // of an unsigned one it takes far longer
  }

  /// A new address: what is sent to it, or to something below it, is told the receiver.
  public String enter(Consumer<Packet> receiver) {
    String word = word();
    known.put(word, receiver);
    return inbox + '.' + word;
  }

  /// Nobody is at that address any more.
  public void leave(String address) {
    known.remove(address.substring(inbox.length() + 1));
  }

  /// How many messages came for nobody.
  public long dropped() {
    return dropped;
  }

  void receive(Packet packet) {
    Consumer<Packet> receiver = find(packet.subject());
    if (receiver == null) {
      dropped++;
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
