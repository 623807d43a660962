// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import dev.couv.cluster.ClusterState;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way of one process to the others. Belongs to a loop: all of it is used there, and what
/// arrives is told there, in a coroutine that must not wait.
public interface Link {
  /// Somebody who listens.
  interface Hearing {
    /// Hears no more; what is on its way may be lost.
    void end();

    /// Hears no more, after what is on its way was heard. Waits.
    void drain(Duration patience) throws Exception;
  }

  /// Those who have an address of their own here: [Directory#inbox].
  Directory directory();

  /// How it is connected.
  ClusterState state();

  /// How many bytes a message can have.
  int largest();

  /// Sends without waiting, for answers that are few: whoever sends much should [#publish].
  void send(Packet packet) throws ClusterException;

  /// Sends, after waiting while too much is on its way.
  void publish(Packet packet) throws Exception;

  /// Tells the receiver of every message with that subject; if it is one of a group, of those that
  /// are for it.
  Hearing hear(String subject, @Nullable String group, Consumer<Packet> receiver)
      throws ClusterException;

  /// Waits until the server knows of everything before.
  void flush() throws Exception;

  /// Runs it on the loop, in a coroutine that must not wait. Any thread.
  void run(Runnable task);

  /// The durable queue of that name, made if need be. Waits.
  Stock stock(StockPlan plan, Stock.Taker taker) throws Exception;

  /// The bucket of that name, made if need be. Waits.
  Bucket bucket(BucketPlan plan) throws Exception;

  /// The store of that name, made if need be. Waits.
  Vault vault(String name, int replicas) throws Exception;

  /// Brings to an end what is under way, for so long, and leaves neither thread nor socket. Waits;
  /// does nothing the second time.
  void close(Duration grace) throws Exception;
}
