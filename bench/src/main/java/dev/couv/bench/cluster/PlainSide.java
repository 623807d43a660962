// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.cluster;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStream;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// By the plain client, used well by hand, for the same work: the same bytes and headers, what is on
/// its way limited by a semaphore, answers by futures, acknowledgements that nobody waits for, calls
/// with a limit of time that travels with them and is looked at by whoever answers.
@SuppressWarnings("try") // a connection's end may wait
record PlainSide(String url) implements ClusterCost.Side {
  private static final int SIZE = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String TIMEOUT = "Couv-Timeout";
  private static final Headers LIMITED =
      new Headers(new Headers().put(TIMEOUT, Long.toString(PATIENCE.toMillis())), true);

  private Connection connect() throws Exception {
    return Nats.connect(
        new Options.Builder()
            .server(url)
            .connectionTimeout(PATIENCE)
            .maxMessagesInOutgoingQueue(-1)
            .build());
  }

  @Override
  public void publish(int count, int bytes) throws Exception {
    try (Connection one = connect();
        Connection other = connect()) {
      CountDownLatch heard = new CountDownLatch(count);
      Dispatcher dispatcher = other.createDispatcher(message -> heard.countDown());
      dispatcher.subscribe("plain.bench");
      other.flush(PATIENCE);
      byte[] message = new byte[bytes];
      for (int i = 0; i < count; i++) {
        one.publish("plain.bench", message);
        if (i % 8192 == 8191) {
          one.flush(PATIENCE); // or it fills the memory
        }
      }
      heard.await();
    }
  }

  @Override
  public void queue(int count, int atOnce) throws Exception {
    String name = "plain" + System.nanoTime();
    try (Connection one = connect();
        Connection other = connect()) {
      one.jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name(name)
                  .subjects(name)
                  .retentionPolicy(RetentionPolicy.WorkQueue)
                  .build());
      one.jetStreamManagement()
          .addOrUpdateConsumer(
              name,
              ConsumerConfiguration.builder()
                  .durable("takers")
                  .ackPolicy(AckPolicy.Explicit)
                  .maxAckPending(-1)
                  .build());
      CountDownLatch done = new CountDownLatch(count);
      MessageConsumer consumer =
          other
              .getStreamContext(name)
              .getConsumerContext("takers")
              .consume(
                  message -> {
                    message.ack();
                    done.countDown();
                  });
      JetStream stream = one.jetStream();
      Semaphore room = new Semaphore(atOnce);
      for (int i = 0; i < count; i++) {
        room.acquire();
        Headers headers = new Headers().put("Nats-Msg-Id", UUID.randomUUID().toString());
        stream
            .publishAsync(name, headers, new byte[SIZE])
            .whenComplete((ack, thrown) -> room.release());
      }
      done.await();
      consumer.stop();
    }
  }

  private static Dispatcher serve(Connection connection) throws Exception {
    Dispatcher dispatcher =
        connection.createDispatcher(
            message -> {
              long begun = System.nanoTime();
              long limit = Long.parseLong(message.getHeaders().getFirst(TIMEOUT));
              byte[] answer = message.getData();
              if (System.nanoTime() - begun < limit * 1_000_000) {
                connection.publish(message.getReplyTo(), answer);
              }
            });
    dispatcher.subscribe("plain.call", "servers");
    connection.flush(PATIENCE);
    return dispatcher;
  }

  @Override
  public long[] call(int count, int atOnce) throws Exception {
    long[] times = new long[count];
    try (Connection one = connect();
        Connection other = connect()) {
      Dispatcher served = serve(other);
      if (atOnce == 1) {
        callSingly(one, times);
      } else {
        callTogether(one, times, atOnce);
      }
      other.closeDispatcher(served);
    }
    return times;
  }

  /// Whoever calls waits for the answer: the way that takes least.
  private static void callSingly(Connection connection, long[] times) throws Exception {
    byte[] message = new byte[SIZE];
    for (int i = 0; i < times.length; i++) {
      long start = System.nanoTime();
      Message answer = connection.request("plain.call", LIMITED, message, PATIENCE);
      times[i] = System.nanoTime() - start;
      if (answer == null) {
        throw new IllegalStateException("no answer");
      }
    }
  }

  private static void callTogether(Connection connection, long[] times, int atOnce)
      throws Exception {
    Semaphore room = new Semaphore(atOnce);
    byte[] message = new byte[SIZE];
    for (int i = 0; i < times.length; i++) {
      int number = i;
      room.acquire();
      long start = System.nanoTime();
      connection
          .requestWithTimeout("plain.call", LIMITED, message, PATIENCE)
          .whenComplete(
              (answer, thrown) -> {
                times[number] = System.nanoTime() - start;
                room.release();
              });
    }
    room.acquire(atOnce);
  }
}
