// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.cluster.ClusterException;
import java.time.Duration;
import java.util.Map;

/// A durable queue: what was put stays until it is acknowledged.
public interface Stock {
  /// Who is told what comes. In a coroutine that must not wait.
  interface Taker {
    /// One of those that were pulled.
    void arrived(Supply supply);

    /// So many that were pulled will not come: they may be pulled again.
    void unserved(int count);
  }

  /// One delivery of one value.
  ///
  /// @param deliveries how often it was delivered, this time included
  /// @param sequence its number in the queue
  /// @param token what the queue knows the delivery by
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Supply(
      byte[] data, Map<String, String> headers, int deliveries, long sequence, String token) {}

  /// Waits until it is kept. Another with the same id, within two minutes, is not kept again.
  void put(String id, Map<String, String> headers, byte[] data) throws Exception;

  /// Asks for so many, which may take until then. Never waits.
  void pull(int count, Duration patience) throws ClusterException;

  /// Waits until the queue knows that it is done with. False if it was not this one's to end: too
  /// late.
  boolean acknowledge(Supply supply) throws Exception;

  /// It is done with. Never waits: if that is lost on its way, it is delivered again.
  void done(Supply supply) throws ClusterException;

  /// Gives it back, to be delivered again after a while. Never waits.
  void giveBack(Supply supply, Duration delay) throws ClusterException;

  /// It is still being worked on. Never waits.
  void working(Supply supply) throws ClusterException;

  /// How many values it keeps, those included that somebody works on. Waits.
  long size() throws Exception;

  /// Some time has passed: looks for what nobody has told of. Never waits.
  void tick();

  /// A server is there again: what was asked for before may have been forgotten. Never waits.
  void reconnected();

  /// Pulls no more; what was pulled and comes late is given back.
  void close();
}
