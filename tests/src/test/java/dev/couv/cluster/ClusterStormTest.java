// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A hundred thousand values through a queue and through a channel, each of them counted.
@Tag("servers")
@Tag("storm")
@Tag("loop-scheduled-engine") // what it counts does not depend on the engine, and takes a while
@InLoop
@ExtendWith(NoThreadsLeft.class)
@SuppressWarnings("try") // some are only there
class ClusterStormTest {
  private static final Codec<Integer> NUMBER = Codec.json(Integer.class);
  private static final int COUNT = 100_000;
  private static final int SENDERS = 500;

  private final ClusterOptions options =
      ClusterOptions.DEFAULT
          .withSpace("s" + System.nanoTime())
          .withAnswerTimeout(Duration.ofMinutes(1))
          .withBackoff(Duration.ofMillis(20))
          .withLongestBackoff(Duration.ofMillis(200));

  private interface Sending {
    void send(int value) throws Exception;
  }

  private static void sendAll(Sending sending) throws Exception {
    try (Scope senders = Scope.open()) {
      for (int s = 0; s < SENDERS; s++) {
        int first = s;
        senders.spawn(
            () -> {
              for (int i = first; i < COUNT; i += SENDERS) {
                sending.send(i);
              }
            });
      }
    }
  }

  private static boolean restarted(NatsServer server) throws Exception {
    server.kill();
    server.restart();
    return true;
  }

  /// The server is killed in the middle, and started again. What was received and not confirmed
  /// before comes again, so some may come twice; none is lost.
  @Test
  void noneIsLostInAQueueWhoseServerIsKilled() throws Exception {
    Ledger ledger = new Ledger(COUNT);
    NatsServer server = Loop.offload(() -> NatsServer.open());
    QueueOptions ahead = QueueOptions.DEFAULT.withPrefetch(500).withPatience(Duration.ofSeconds(5));
    try (Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, server.url());
        WorkQueue<Integer> from = one.queue("numbers", NUMBER);
        WorkQueue<Integer> to = other.queue("numbers", NUMBER, ahead)) {
      Coroutine<Void> working = Coroutine.spawn(() -> to.work(200, ledger::arrived));
      Coroutine<Void> putting = Coroutine.spawn(() -> sendAll(from::put));
      until(() -> ledger.arrivals() > COUNT / 3);
      Loop.offload(() -> restarted(server));
      putting.await();
      until(() -> ledger.arrivals() == COUNT);
      ledger.checkNoneLost();
      assertTrue(ledger.twice() < COUNT / 10, () -> "twice: " + ledger.twice());
      working.cancel();
      Await.settle(working);
    } finally {
      Loop.offload(
          () -> {
            server.close();
            return true;
          });
    }
  }

  /// The server is killed in the middle, and started again.
  @Test
  void noneIsTwiceInAChannelWhoseServerIsKilledAndEachLossIsTold() throws Exception {
    Ledger ledger = new Ledger(COUNT);
    NatsServer server = Loop.offload(() -> NatsServer.open());
    ClusterOptions impatient = options.withAnswerTimeout(Duration.ofSeconds(10));
    try (Cluster one = Cluster.connect(impatient, server.url());
        Cluster other = Cluster.connect(impatient, server.url());
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER);
        Scope receivers = Scope.open()) {
      for (int i = 0; i < 200; i++) {
        receivers.spawn(() -> to.forEach(ledger::arrived));
      }
      Coroutine<Void> sending =
          Coroutine.spawn(
              () ->
                  sendAll(
                      value -> {
                        try {
                          from.send(value);
                          ledger.taken(value);
                        } catch (UnknownOutcomeException told) {
                          ledger.unknown(value);
                        }
                      }));
      until(() -> ledger.arrivals() > COUNT / 3);
      Loop.offload(() -> restarted(server));
      sending.await();
      to.close();
      ledger.checkNoneTwice();
      ledger.checkEachLossTold();
      assertTrue(ledger.unknowns() < COUNT / 10, () -> "unknown: " + ledger.unknowns());
    } finally {
      Loop.offload(
          () -> {
            server.close();
            return true;
          });
    }
  }

  private static void until(Conformance.Awaited holds) throws Exception {
    while (!holds.holds()) {
      Time.sleep(Duration.ofMillis(10));
    }
  }
}
