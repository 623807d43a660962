// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A cluster by a server of NATS keeps what every cluster promises.
@Tag("servers")
class NatsClusterTest extends Conformance {
  private static NatsServer server;

  @BeforeAll
  static void start() throws Exception {
    server = NatsServer.open();
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

  @Override
  Cluster join(ClusterOptions options) throws Exception {
    return Cluster.connect(options, server.url());
  }
}
