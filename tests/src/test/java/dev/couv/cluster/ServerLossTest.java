// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.sync.Gate;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What holds when a server is killed, and when it is there again.
@Tag("servers")
@SuppressWarnings("try") // some are only there
class ServerLossTest extends ServerFixture {
  /// What a client's call does not wait for.
  private static final Duration SILENCE = Duration.ofSeconds(6);

  @Test
  void statesAreToldAndChannelsGoOnAfterARestart() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      List<ClusterState> states = watched(one);
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);

      kill();
      until(() -> one.state() == ClusterState.RECONNECTING);
      until(() -> other.state() == ClusterState.RECONNECTING);
      Coroutine<Void> sending = Coroutine.spawn(() -> from.send(1));
      restart();

      assertEquals(1, receiving.await());
      sending.await();
      awaitReconnected(states);
    }
  }

  @Test
  void aCallWhoseServerIsKilledIsToldToBeLateAndTheNextIsAnswered() throws Exception {
    Gate killed = new Gate(false);
    try (Cluster one = join();
        Cluster other = join();
        Served served =
            other.serve(
                "slow",
                NUMBER,
                NUMBER,
                each -> {
                  killed.await();
                  throw new IllegalStateException("not done: " + each);
                })) {
      Call<Integer, Integer> slow = one.call("slow", NUMBER, NUMBER);
      List<ClusterState> states = watched(one);
      Coroutine<TimeoutException> late =
          Coroutine.spawn(
              () ->
                  assertThrows(
                      TimeoutException.class,
                      () -> slow.withTimeout(Duration.ofSeconds(5)).run(1)));
      until(() -> served.running() == 1);
      kill();
      late.await();
      until(() -> served.running() == 0); // the limit travelled with it
      restart();
      killed.open();
      awaitReconnected(states);
      until(() -> other.state() == ClusterState.CONNECTED);
      other.flush();

      assertThrows(RemoteFailureException.class, () -> slow.run(2));
    }
  }

  @Test
  void aTopicTellsOfAGapWhenItsServerWasKilled() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        TopicReceiver<Integer> receiver = other.<Integer>topic("news", NUMBER).subscribe()) {
      ClusterTopic<Integer> topic = one.topic("news", NUMBER);
      topic.publish(1);
      assertEquals(1, receiver.receive());
      kill();
      until(() -> one.state() == ClusterState.RECONNECTING);
      until(() -> other.state() == ClusterState.RECONNECTING);
      restart();
      until(() -> other.state() == ClusterState.CONNECTED);
      until(() -> one.state() == ClusterState.CONNECTED);
      other.flush();
      topic.publish(2);

      assertEquals(2, receiver.receive());
      assertEquals(1, receiver.gaps());
    }
  }

  @Test
  void aPoolGoesOnAfterItsServerWasKilled() throws Exception {
    PoolOptions again = PoolOptions.DEFAULT.withAttempts(10).withSilence(Duration.ofSeconds(3));
    List<Integer> tasks = IntStream.range(0, 50).boxed().toList();
    Gate restarted = new Gate(false);
    try (Cluster one = join();
        Cluster other = join();
        Working working =
            other.work(
                "squares",
                NUMBER,
                NUMBER,
                4,
                each -> {
                  if (each == 25) {
                    restarted.await();
                  }
                  return each * each;
                });
        WorkerPool<Integer, Integer> pool = one.pool("squares", NUMBER, NUMBER, again)) {
      Coroutine<List<Integer>> mapping = Coroutine.spawn(() -> pool.map(tasks));
      until(() -> working.running() > 0);
      kill();
      until(() -> one.state() == ClusterState.RECONNECTING);
      restart();
      restarted.open();

      assertEquals(tasks.stream().map(each -> each * each).toList(), mapping.await());
    }
  }

  @Test
  void aTaskThatMustNotBeDoneTwiceIsToldToBeUnknown() throws Exception {
    PoolOptions once = PoolOptions.DEFAULT.withSilence(Duration.ofSeconds(1));
    try (Cluster one = join();
        WorkerPool<Integer, Integer> pool = one.pool("stuck", NUMBER, NUMBER, once);
        Cluster other = join()) {
      other.work(
          "stuck",
          NUMBER,
          NUMBER,
          1,
          each -> {
            kill(); // and no word of it gets through any more
            return each;
          });

      assertThrows(UnknownOutcomeException.class, () -> pool.run(1));

      restart();
    }
  }

  @Test
  void whoGivesUpIsClosedAndTellsWhy() throws Exception {
    ClusterOptions impatient = options.withAttempts(2);
    Cluster cluster = join(impatient);
    ClusterChan<Integer> chan = cluster.chan("numbers", NUMBER);
    Coroutine<ClosedException> receiving =
        Coroutine.spawn(() -> assertThrows(ClosedException.class, chan::receive));

    kill();

    assertInstanceOf(ClusterException.class, receiving.await().getCause());
    assertTrue(cluster.isClosed());
    assertThrows(ClosedException.class, () -> cluster.topic("news", NUMBER));
    cluster.close();
    restart();
  }

  @Test
  void aQueueKeepsItsValuesOnItsDisk() throws Exception {
    int count = 200;
    Ledger ledger = new Ledger(count);
    try (Cluster one = join();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER)) {
      for (int i = 0; i < count / 2; i++) {
        queue.put(i);
      }
      kill();
      Coroutine<Void> putting =
          Coroutine.spawn(
              () -> {
                for (int i = count / 2; i < count; i++) {
                  queue.put(i); // the first of them waits for the server
                }
              });
      restart();
      putting.await();
      until(() -> one.state() == ClusterState.CONNECTED);
      for (int i = 0; i < count; i++) {
        Job<Integer> job = queue.receive();
        ledger.arrived(job.value());
        job.ack();
      }
      ledger.checkNoneLost();
      ledger.checkNoneTwice();
    }
  }

  @Test
  void keysAndLeasesSurviveARestart() throws Exception {
    try (Cluster one = join()) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      long revision = keys.put("x", 1);
      ClusterLease lease = one.lease("leader", Duration.ofSeconds(30));
      kill();
      restart();
      until(() -> one.state() == ClusterState.CONNECTED);

      assertEquals(1, keys.get("x").value());
      assertTrue(keys.update("x", 2, revision) > revision);
      assertTrue(lease.isHeld());
      lease.close();
    }
  }

  @Test
  void aLeaseIsLostWithTheServer() throws Exception {
    try (Cluster one = join()) {
      ClusterLease lease = one.lease("leader", Duration.ofSeconds(1));

      kill();

      lease.awaitLoss();
      assertTrue(lease.isClosed());
      restart();
    }
  }

  /// For longer than the client waits for an answer.
  @Test
  void whoWantsALeaseWaitsForASilentServer() throws Exception {
    Duration lasts = Duration.ofMinutes(1);
    try (Cluster one = join();
        Cluster other = join();
        ClusterLease held = one.lease("leader", lasts)) {
      Coroutine<ClusterLease> wanting = Coroutine.spawn(() -> other.lease("leader", lasts));
      Time.sleep(Duration.ofMillis(1500)); // it has asked for it, and asks again in a second
      signal("STOP");
      Time.sleep(SILENCE.plusSeconds(2));
      signal("CONT");
      held.close();

      wanting.await().close();
    }
  }

  @Test
  void aLeaseWhoseRenewalWasDoneAndNotAnsweredIsKept() throws Exception {
    try (Cluster one = join();
        ClusterLease lease = one.lease("leader", Duration.ofSeconds(24))) {
      long before = lease.token();
      Time.sleep(Duration.ofSeconds(7));
      signal("STOP"); // the renewal comes in a second
      Time.sleep(SILENCE.plusSeconds(1));
      signal("CONT");
      Time.sleep(Duration.ofSeconds(9)); // and the next

      assertTrue(lease.isHeld());
      assertEquals(before, lease.token());
    }
  }

  // ---- a cluster of three

  @Test
  void aClusterOfThreeGoesOnWithoutOne() throws Exception {
    List<NatsServer> three = Loop.offload(() -> NatsServer.openCluster(3));
    String[] urls = three.stream().map(NatsServer::url).toArray(String[]::new);
    int count = 300;
    Ledger ledger = new Ledger(count);
    // Three servers that have just started need a while to choose who leads.
    ClusterOptions patient = options.withReplicas(3).withAnswerTimeout(Duration.ofMinutes(2));
    try (Cluster one = Cluster.connect(patient, urls);
        Cluster other = Cluster.connect(patient, urls);
        WorkQueue<Integer> from = opened(one);
        WorkQueue<Integer> to = opened(other)) {
      Coroutine<Void> putting =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < count; i++) {
                  from.put(i);
                }
              });
      Coroutine<Void> working = Coroutine.spawn(() -> to.work(4, ledger::arrived));
      until(() -> ledger.arrivals() > count / 4);
      Loop.offload(
          () -> {
            three.getFirst().kill();
            return true;
          });
      putting.await();
      until(() -> ledger.arrivals() == count);
      ledger.checkNoneLost();
      working.cancel();
      Await.settle(working);
    } finally {
      Loop.offload(
          () -> {
            for (NatsServer each : three) {
              each.close();
            }
            return true;
          });
    }
  }

  private static WorkQueue<Integer> opened(Cluster cluster) throws Exception {
    return cluster.queue(
        "numbers", NUMBER, QueueOptions.DEFAULT.withPatience(Duration.ofSeconds(2)));
  }
}
