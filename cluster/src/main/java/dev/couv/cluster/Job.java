// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import dev.couv.cluster.link.Stock;
import java.time.Duration;

/// A value of a queue in the hands of one receiver, until that says what became of it, once:
/// [#ack], [#giveBack] or [#bury]. If it says nothing for as long as the queue's patience, the
/// value goes to another.
public final class Job<T> {
  private final WorkQueue<T> queue;
  private final Stock.Supply supply;
  private final T value;
  private final int attempt;
  private boolean ended;

  Job(WorkQueue<T> queue, Stock.Supply supply, T value, int attempt) {
    this.queue = queue;
    this.supply = supply;
    this.value = value;
    this.attempt = attempt;
  }

  /// The value.
  public T value() {
    return value;
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
    queue.stock().giveBack(supply, delay);
  }

  /// It is a dead letter, for that reason. Waits until it is kept as one.
  public void bury(String reason) throws Exception {
    end();
    queue.bury(supply, reason);
  }

  /// It is still being worked on: the queue's patience begins anew. Does not wait.
  public void working() throws ClusterException {
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
