// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// Somebody else at the same server, who says what they like.
@SuppressWarnings("try") // its end may wait
final class Raw implements AutoCloseable {
  private final Connection connection;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();
  private Dispatcher claims;

  Raw(NatsServer server) throws Exception {
    connection =
        Nats.connect(
            new Options.Builder()
                .server(server.url())
                .noReconnect()
                .connectionTimeout(Duration.ofMinutes(1))
                .build());
  }

  Connection connection() {
    return connection;
  }

  /// Returns when the server has everything that was said and subscribed before.
  boolean flushed() throws Exception {
    connection.flush(Duration.ofMinutes(1));
    return true;
  }

  /// Answers every offer of a channel with a claim, whose value is to come to that address.
  void claimEverything(String subject, String address) {
    claims =
        connection.createDispatcher(
            message -> {
              Frame frame = Frame.read(message.getData());
              if (frame != null && frame.word() == Frame.Word.OFFER) {
                count.incrementAndGet();
                connection.publish(message.getReplyTo(), address, Frame.of(Frame.Word.CLAIM, 1));
              }
            });
    claims.subscribe(subject);
  }

  /// Offers a value on that channel, as often as it is claimed, and gives it to whoever does.
  void give(String subject, byte[] value) {
    String address = "_INBOX.raw" + count.incrementAndGet();
    connection
        .createDispatcher(
            message -> {
              Frame frame = Frame.read(message.getData());
              if (frame != null && frame.word() == Frame.Word.CLAIM) {
                byte[] given = Frame.of(Frame.Word.VALUE, 1, value);
                connection.publish(message.getReplyTo(), address + ".given", given);
              } else if (frame != null && frame.word() == Frame.Word.TAKEN) {
                taken.incrementAndGet();
              }
            })
        .subscribe(address + ".>")
        .subscribe(address);
    connection.publish(subject, address, Frame.of(Frame.Word.OFFER));
  }

  /// How many of them were taken.
  int taken() {
    return taken.get();
  }

  int claims() {
    return count.get();
  }

  void claimNothing() {
    connection.closeDispatcher(claims);
  }

  @Override
  public void close() throws Exception {
    connection.close();
  }
}
