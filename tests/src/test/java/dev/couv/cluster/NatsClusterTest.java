// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.time.Time;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A cluster by a server of NATS keeps what every cluster promises.
@Tag("servers")
class NatsClusterTest extends Conformance {
  private static NatsServer server;
  private static int monitor;

  @BeforeAll
  static void start() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      monitor = free.getLocalPort();
    }
    server = NatsServer.open("--http_port", Integer.toString(monitor));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /// What carries it needs room of its own in a message.
  @Test
  @SuppressWarnings("try") // some are only there
  void aValueAsLargeAsAMessageIsTooLarge() throws Exception {
    byte[] value = new byte[1 << 20];
    try (Cluster one = join();
        ClusterChan<byte[]> chan = one.chan("bytes", Codec.bytes());
        WorkQueue<byte[]> queue = one.queue("bytes", Codec.bytes());
        WorkerPool<byte[], byte[]> pool = one.pool("bytes", Codec.bytes(), Codec.bytes());
        Served served = one.serve("bytes", Codec.text(), Codec.bytes(), _ -> value);
        Working working = one.work("large", Codec.text(), Codec.bytes(), 1, _ -> value);
        WorkerPool<String, byte[]> large = one.pool("large", Codec.text(), Codec.bytes())) {
      assertThrows(CodecException.class, () -> chan.send(value));
      assertThrows(CodecException.class, () -> queue.put(value));
      assertThrows(CodecException.class, () -> pool.run(value));
      assertThrows(
          CodecException.class, () -> one.call("nobody", Codec.bytes(), Codec.bytes()).run(value));
      assertThrows(
          RemoteFailureException.class,
          () -> one.call("bytes", Codec.text(), Codec.bytes()).run("please"));
      assertThrows(RemoteFailureException.class, () -> large.run("please"));
    }
  }

  /// All that can be sent arrives.
  @Test
  @SuppressWarnings("try") // some are only there
  void theLargestValueArrives() throws Exception {
    byte[] value = new byte[(1 << 20) - 1024];
    try (Cluster one = join();
        ClusterChan<byte[]> chan = one.chan("bytes", Codec.bytes());
        WorkQueue<byte[]> queue = one.queue("bytes", Codec.bytes());
        WorkQueue<byte[]> dead = queue.dead();
        Served served = one.serve("bytes", Codec.bytes(), Codec.bytes(), each -> each);
        Working working = one.work("bytes", Codec.bytes(), Codec.bytes(), 1, each -> each);
        WorkerPool<byte[], byte[]> pool = one.pool("bytes", Codec.bytes(), Codec.bytes())) {
      Coroutine<byte[]> receiving = Coroutine.spawn(chan::receive);
      chan.send(value);
      assertEquals(value.length, receiving.await().length);
      queue.put(value);
      queue.receive().bury("because ".repeat(1000));
      Job<byte[]> letter = dead.receive();
      letter.ack();
      assertEquals(value.length, letter.value().length);
      assertEquals(value.length, one.call("bytes", Codec.bytes(), Codec.bytes()).run(value).length);
      assertEquals(value.length, pool.run(value).length);
    }
  }

  /// A pull of each is still open when it is closed, and one of each has a dead letter.
  @Test
  void queuesThatWereClosedAreNotListenedToAnyMore() throws Exception {
    try (Cluster one = join()) {
      one.queue("many", Codec.text()).dead().close(); // the server listens for them as well
      int before = Loop.offload(NatsClusterTest::subscriptions);
      for (int i = 0; i < 5; i++) {
        try (WorkQueue<String> queue = one.queue("many", Codec.text())) {
          queue.put("bad");
          queue.receive().bury("because");
          assertThrows(
              TimeoutException.class, () -> Time.timeout(Duration.ofMillis(50), queue::receive));
        }
      }

      until(() -> Loop.offload(NatsClusterTest::subscriptions) <= before);
    }
  }

  /// Of all who are connected, as the server counts them.
  private static int subscriptions() throws Exception {
    URI address = URI.create("http://127.0.0.1:" + monitor + "/subsz");
    try (InputStream answer = address.toURL().openStream()) {
      String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
      Matcher count = Pattern.compile("\"num_subscriptions\": *([0-9]+)").matcher(text);
      assertTrue(count.find(), text);
      return Integer.parseInt(count.group(1));
    }
  }

  @Override
  Cluster join(ClusterOptions options) throws Exception {
    return Cluster.connect(options, server.url());
  }
}
