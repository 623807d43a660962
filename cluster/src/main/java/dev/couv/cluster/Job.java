// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Stock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A value of a queue in the hands of one receiver, until that says what became of it, once:
/// [#ack], [#giveBack] or [#bury]. If it says nothing for as long as the queue's patience, the
/// value goes to another.
public final class Job<T> {
  private final WorkQueue<T> queue;
  private final Stock.Supply supply;
  private final Decoded<T> decoded;
  private final int attempt;
  private boolean ended;

  /// What its bytes are, or why they are nothing.
  sealed interface Decoded<T> {
    /// A value of the queue's.
    record Value<T>(T value) implements Decoded<T> {}

    /// None. Only among dead letters, where it stays until somebody has looked at it.
    record Nonsense<T>(CodecException why) implements Decoded<T> {}
  }

  Job(WorkQueue<T> queue, Stock.Supply supply, Decoded<T> decoded, int attempt) {
    this.queue = queue;
    this.supply = supply;
    this.decoded = decoded;
    this.attempt = attempt;
  }

  /// The value.
  ///
  /// @throws IllegalStateException if this is a dead letter because it could not be decoded; see
  ///     [#bytes]
  public T value() {
    return switch (decoded) {
      case Decoded.Value<T>(T value) -> value;
      case Decoded.Nonsense<T>(CodecException why) ->
          throw new IllegalStateException(
              this + " is none that can be decoded; bytes() has it as it came", why);
    };
  }

  /// The value as it came, before it was decoded: also that of a dead letter which cannot be.
  public byte[] bytes() {
    return supply.data().clone();
  }

  /// Why it is a dead letter; null if it is none.
  public @Nullable String reason() {
    return queue.isDead() ? supply.headers().get(WorkQueue.REASON) : null;
  }

  /// How often it was delivered to somebody, this time included.
  public int attempt() {
    return attempt;
  }

  /// It is done with. Waits until the queue knows.
  ///
  /// @throws UnknownOutcomeException if the queue does not answer: it may be delivered again
  public void ack() throws Exception {
    end();
    queue.stock().acknowledge(supply);
  }

  /// It is done with. Does not wait: if that is lost on its way, it is delivered again.
  void done() throws ClusterException {
    end();
    queue.stock().done(supply);
  }

  /// It is for another, at once. Does not wait.
  public void giveBack() throws ClusterException {
    giveBack(Duration.ZERO);
  }

  /// It is for another, after a while. Does not wait.
  public void giveBack(Duration delay) throws ClusterException {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("the delay is negative: " + delay);
    }
    end();
    queue.stock().giveBack(supply, WorkQueue.bounded(delay));
  }

  /// It is a dead letter, for that reason. Waits until it is kept as one.
  ///
  /// @throws IllegalStateException if it is one already
  public void bury(String reason) throws Exception {
    queue.checkMayBury();
    end();
    queue.bury(supply, reason);
  }

  /// It is still being worked on: the queue's patience begins anew. Does not wait.
  public void working() throws ClusterException {
    queue.checkHere();
    if (!ended) {
      queue.stock().working(supply);
    }
  }

  /// Whether it was said what became of it.
  public boolean isEnded() {
    return ended;
  }

  Stock.Supply supply() {
    return supply;
  }

  private void end() {
    queue.checkHere();
    if (ended) {
      throw new IllegalStateException("it was said before what became of " + this);
    }
    ended = true;
  }

  @Override
  public String toString() {
    return "value " + supply.sequence() + " of " + queue;
  }
}
