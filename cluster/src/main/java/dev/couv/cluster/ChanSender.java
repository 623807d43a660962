// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sending end of a channel. Senders wait at a channel of this process, from which a value is
/// taken only for somebody elsewhere who claims it. It offers once when the first waits, and again
/// when a claim has found nothing.
///
/// ```
///            claimed          TAKEN
///   waiting ────────▶ given ─────────▶ done
///      ▲                │ │   GARBLED, silence
///      └────────────────┘ └──────────▶ failed
///        REFUSED, nobody there
/// ```
///
/// Confined to the loop.
final class ChanSender {
  private final Peer peer;
  private final String subject;
  private final String address;
  private final String title;
  private final Chan<Delivery> waiting;

  /// Refused by a receiver that had asked for them: the next get these first.
  private final Deque<Delivery> returned = new ArrayDeque<>();

  /// By the word that the receiver answers to.
  private final Map<String, Given> given = new HashMap<>();

  private boolean announced;
  private long announcedAt;

  private record Given(Delivery delivery, long since) {}

  ChanSender(Peer peer, String subject, String address, String title) {
    this.peer = peer;
    this.subject = subject;
    this.address = address;
    this.title = title;
    Runnable offer = () -> peer.knownLink().run(this::offer);
    this.waiting = Chan.create(ChanOptions.of(0).withShared(true).withOnWait(offer));
  }

  Delivery delivery(byte[] bytes) {
    Delivery delivery = new Delivery(bytes, title);
    delivery.sendBy(waiting.sending(delivery));
    return delivery;
  }

  // ---- offering

  /// Somebody waits, perhaps.
  private void offer() {
    if (hasValues() && !announced) {
      announce();
    }
  }

  private boolean hasValues() {
    returned.removeIf(delivery -> !delivery.isWanted());
    return !returned.isEmpty() || waiting.stats().senders() > 0;
  }

  /// Tells all that values wait here, if they do.
  void announce() {
    announced = hasValues();
    if (announced) {
      announcedAt = System.nanoTime();
      peer.say(subject, Frame.of(Frame.Word.OFFER), address);
      peer.wake();
    }
  }

  /// Somebody who is new wants to know.
  void wanted(String from) {
    if (hasValues()) {
      peer.say(from, Frame.of(Frame.Word.OFFER), address);
    } else {
      announced = false; // it has not heard what was said before
    }
  }

  // ---- giving

  void claimed(String by, int count) {
    int left = count;
    for (Delivery next; left > 0 && (next = next()) != null; left--) {
      String word = peer.knownLink().directory().word();
      given.put(word, new Given(next, System.nanoTime()));
      byte[] frame = Frame.of(Frame.Word.VALUE, 1, next.bytes());
      if (!peer.say(by, frame, address + '.' + word)) {
        given.remove(word);
        returned.add(next);
      }
    }
    peer.wake();
    if (left > 0) {
      announced = false;
      peer.say(by, Frame.of(Frame.Word.NONE, left), null);
    }
  }

  private @Nullable Delivery next() {
    for (Delivery next; (next = returned.poll()) != null; ) {
      if (next.isWanted()) {
        return next;
      }
    }
    try {
      return waiting.tryReceive();
    } catch (ClosedException closed) {
      return null;
    }
  }

  // ---- answers

  void taken(String word) {
    Given done = given.remove(word);
    if (done != null) {
      done.delivery.outcome().complete(true);
    }
  }

  void garbled(String word, byte[] why) {
    Given failed = given.remove(word);
    if (failed != null) {
      String words = new String(why, StandardCharsets.UTF_8);
      failed.delivery.outcome().fail(new CodecException("the receiver says: " + words, null));
    }
  }

  /// It was not taken, and goes to the next.
  void returned(String word) {
    Given back = given.remove(word);
    if (back != null && back.delivery.isWanted()) {
      returned.add(back.delivery);
      announced = false;
      offer();
    }
  }

  /// The server says that nobody was there to be given it.
  void unheard(String word) {
    returned(word);
  }

  // ---- time, and the end

  boolean isBusy() {
    return !given.isEmpty() || announced;
  }

  void tick() {
    long now = System.nanoTime();
    long patience = peer.options().answerTimeout().toNanos();
    List<Given> late = new ArrayList<>();
    given.values().removeIf(each -> now - each.since > patience && late.add(each));
    late.forEach(
        each ->
            each.delivery
                .outcome()
                .fail(unknown("no answer for " + peer.options().answerTimeout(), null)));
    if (!hasValues()) {
      announced = false;
    } else if (now - announcedAt > ChanReceiver.REPEAT_NANOS) {
      announce(); // an offer may have been lost
    }
  }

  private UnknownOutcomeException unknown(String why, @Nullable Throwable cause) {
    return new UnknownOutcomeException(
        "it is unknown whether a receiver of " + title + " has the value: " + why, cause);
  }

  void close(@Nullable Throwable reason) {
    List<Given> left = List.copyOf(given.values());
    given.clear();
    left.forEach(
        each -> each.delivery.outcome().fail(unknown("closed before the answer came", reason)));
    ClosedException closed = new ClosedException(title + " is closed");
    closed.initCause(reason);
    returned.forEach(each -> each.outcome().fail(closed));
    returned.clear();
    if (reason == null) {
      waiting.close();
    } else {
      waiting.close(reason);
    }
  }
}
