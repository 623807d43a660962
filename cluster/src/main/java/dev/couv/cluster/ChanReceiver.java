// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The receiving end of a channel. Receivers wait at a channel of this process; for each of them
/// that is not served yet a value is claimed from somebody who offers. A value that comes is given
/// to one that still waits, and whoever gave it is told that it was taken only after that receiver
/// has gone on with it.
///
/// Confined to the loop.
final class ChanReceiver<T> {
  static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// Processes come and go, and nobody may want anything here.
  private static final int MOST_OFFERS = 1_000;

  private final Peer peer;
  private final String subject;
  private final String address;
  private final Coding<T> coding;
  private final Chan<T> meeting;
  private final BiConsumer<String, Frame.Word> answers;

  /// Who said that they have values, in the order they are asked.
  private final Set<String> offers = new LinkedHashSet<>();

  /// By the word that their values come to.
  private final Map<String, Claim> claims = new HashMap<>();

  /// Given to receivers that have not gone on yet.
  private final List<Handed<T>> handed = new ArrayList<>();

  private int claimed;
  private boolean asked;
  private long askedAt;

  /// What was asked of somebody.
  private static final class Claim {
    private final String of;
    private final long since = System.nanoTime();
    private int open;

    private Claim(String of, int count) {
      this.of = of;
      this.open = count;
    }
  }

  private record Handed<T>(T value, String giver) {}

  /// @param answers tells who gave a value what became of it
  ChanReceiver(
      Peer peer,
      String subject,
      String address,
      Coding<T> coding,
      BiConsumer<String, Frame.Word> answers) {
    this.peer = peer;
    this.answers = answers;
    this.subject = subject;
    this.address = address;
    this.coding = coding;
    Runnable want = () -> peer.knownLink().run(this::want);
    this.meeting = Chan.create(ChanOptions.of(0).withShared(true).withOnWait(want));
  }

  Chan<T> meeting() {
    return meeting;
  }

  // ---- asking

  /// Claims what is missing. If nobody offers, all are asked, once: from then on whoever has
  /// something says so.
  private void want() {
    int missing = missing();
    if (missing > 0 && !offers.isEmpty()) {
      String of = offers.iterator().next();
      offers.remove(of); // so that the next claim is of another
      offers.add(of);
      String word = peer.knownLink().directory().word();
      if (peer.say(of, Frame.of(Frame.Word.CLAIM, missing), address + '.' + word)) {
        claims.put(word, new Claim(of, missing));
        claimed += missing;
      }
    } else if (missing > 0 && !asked) {
      start();
    }
    if (missing > 0) {
      peer.wake();
    }
  }

  private int missing() {
    return meeting.stats().receivers() - claimed;
  }

  /// Asks all, if somebody waits.
  void start() {
    if (missing() > 0) {
      asked = true;
      askedAt = System.nanoTime();
      peer.say(subject, Frame.of(Frame.Word.WANT), address);
    }
  }

  void offered(String by) {
    if (offers.add(by) && offers.size() > MOST_OFFERS) {
      offers.remove(offers.iterator().next()); // who has values says so again
    }
    want();
  }

  // ---- what comes of it

  void given(String word, String giver, byte[] bytes) {
    Claim claim = claims.get(word);
    if (claim == null) {
      answers.accept(giver, Frame.Word.REFUSED); // too late, or never asked for
      return;
    }
    served(word, claim, 1);
    T value;
    try {
      value = coding.decode(bytes);
    } catch (CodecException wrong) {
      byte[] words = String.valueOf(wrong.getMessage()).getBytes(StandardCharsets.UTF_8);
      peer.say(giver, Frame.of(Frame.Word.GARBLED, 0, words), null);
      want();
      return;
    }
    if (isTaken(value)) {
      handed.add(new Handed<>(value, giver));
      if (handed.size() == 1) {
        peer.loop().post(this::confirm); // behind the receiver, which is ready now
      }
    } else {
      answers.accept(giver, Frame.Word.REFUSED);
    }
  }

  private boolean isTaken(T value) {
    try {
      return meeting.trySend(value);
    } catch (ClosedException closed) {
      return false;
    }
  }

  /// Receivers that were given something have gone on with it; what one left behind that was
  /// cancelled instead is here again.
  private void confirm() {
    List<T> left = meeting.stats().values() > 0 ? meeting.drain() : List.of();
    List<Handed<T>> known = List.copyOf(handed);
    handed.clear();
    for (Handed<T> each : known) {
      boolean isLeft = left.stream().anyMatch(value -> value == each.value);
      answers.accept(each.giver, isLeft ? Frame.Word.REFUSED : Frame.Word.TAKEN);
    }
  }

  /// So many will not come.
  void refused(String word, int count) {
    Claim claim = claims.get(word);
    if (claim != null) {
      offers.remove(claim.of);
      served(word, claim, count);
      want();
    }
  }

  /// The server says that nobody was there to be asked.
  void unheard(String word) {
    refused(word, Integer.MAX_VALUE);
  }

  private void served(String word, Claim claim, int count) {
    int done = Math.min(count, claim.open);
    claim.open -= done;
    claimed -= done;
    if (claim.open == 0) {
      claims.remove(word);
    }
  }

  // ---- time, and the end

  boolean isBusy() {
    return claimed > 0 || missing() > 0;
  }

  void tick() {
    long now = System.nanoTime();
    long patience = peer.options().answerTimeout().toNanos();
    Map.copyOf(claims)
        .forEach(
            (word, claim) -> {
              // One who has nothing would have said so.
              if (now - claim.since > Math.min(patience, 2 * REPEAT_NANOS)) {
                refused(word, Integer.MAX_VALUE);
              }
            });
    if (now - askedAt > REPEAT_NANOS) {
      start(); // who has something may have said so in vain
    }
  }

  void close(@Nullable Throwable reason) {
    if (reason == null) {
      meeting.close();
    } else {
      meeting.close(reason);
    }
    if (!handed.isEmpty()) {
      confirm();
    }
  }
}
