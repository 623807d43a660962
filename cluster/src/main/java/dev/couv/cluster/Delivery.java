// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.coro.Awaitable;
import dev.couv.error.ClosedException;
import dev.couv.sync.Promise;
import org.jspecify.annotations.Nullable;

/// One value on its way through a channel, in two steps: it is given to a receiver that asked for
/// it, and the receiver says that it has it. The first step can be awaited together with other
/// things:
///
/// ```java
/// var delivery = jobs.delivery(job);
/// var selected = Await.select(delivery.sending(), Time.after(limit));
/// if (selected.source() == delivery.sending()) {
///   delivery.await();
/// }
/// ```
public final class Delivery implements Awaitable<Boolean> {
  private final Promise<Boolean> outcome = Promise.outside(() -> {});
  private final byte[] bytes;
  private final String subject;
  private @Nullable Awaitable<@Nullable Void> sending;
  private boolean withdrawn;

  Delivery(byte[] bytes, String subject) {
    this.bytes = bytes;
    this.subject = subject;
  }

  byte[] bytes() {
    return bytes;
  }

  Promise<Boolean> outcome() {
    return outcome;
  }

  void sendBy(Awaitable<@Nullable Void> by) {
    sending = by;
  }

  /// Whether it may still be given.
  boolean isWanted() {
    return !withdrawn && !outcome.isDone();
  }

  void withdraw() {
    withdrawn = true;
    outcome.cancel();
  }

  /// Giving it to a receiver, as one of several things to wait for: it is given only if it wins.
  /// Always the same object.
  ///
  /// @throws ClosedException when awaited, if the channel is closed: it was not given
  public Awaitable<@Nullable Void> sending() {
    if (sending == null) {
      throw new AssertionError("a delivery without a channel");
    }
    return sending;
  }

  /// Waits until the receiver says that it has it, and returns true. One that said it does not want
  /// it any more is followed by the next; so this may wait for another.
  ///
  /// @throws UnknownOutcomeException if the receiver says nothing: it may have it
  /// @throws CodecException if the receiver could not decode it: nobody has it
  @Override
  public Boolean await() throws Exception {
    return outcome.await();
  }

  @Override
  public String toString() {
    return "a value for " + subject;
  }
}
