// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Status;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What holds when another process is killed, or stopped.
@Tag("servers")
@Tag("jvm")
@SuppressWarnings("try") // some are only there
class ProcessLossTest extends ServerFixture {
  private static final QueueOptions IMPATIENT =
      QueueOptions.DEFAULT.withPatience(Duration.ofSeconds(2));

  // ---- channels and queues

  @Test
  void aStoppedReceiverTakesNothingUntilItGoesOn() throws Exception {
    try (Cluster one = join();
        ClusterChan<Integer> chan = one.chan("numbers", NUMBER);
        OtherProcess other = program("chan")) {
      chan.send(1);
      assertEquals("got 1", other.says());
      other.stop();
      Coroutine<Void> sending = Coroutine.spawn(() -> chan.send(2));
      Time.sleep(Duration.ofSeconds(1));
      assertEquals(Status.SUSPENDED, sending.status());
      other.goOn();

      assertEquals("got 2", other.says());
      sending.await();
    }
  }

  @Test
  void whatAKilledReceiverHadGoesToAnother() throws Exception {
    try (Cluster one = join();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER, IMPATIENT);
        OtherProcess other = program("queue")) {
      queue.put(5);
      assertEquals("got 5", other.says());
      other.kill();

      Job<Integer> job = queue.receive();

      assertEquals(5, job.value());
      assertTrue(job.attempt() >= 2, () -> "attempt " + job.attempt());
      job.ack();
    }
  }

  @Test
  void whatAStoppedReceiverOfAQueueHadGoesToAnother() throws Exception {
    try (Cluster one = join();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER, IMPATIENT);
        OtherProcess other = program("queue")) {
      queue.put(5);
      assertEquals("got 5", other.says());
      other.stop();

      Job<Integer> job = queue.receive();

      assertEquals(5, job.value());
      job.ack();
      other.goOn();
    }
  }

  // ---- keys and leases

  @Test
  void keysOfAKilledProcessStayAndAreWatchedOn() throws Exception {
    try (Cluster one = join();
        TopicReceiver<KeyEntry<Integer>> watch = one.<Integer>keys("numbers", NUMBER).watch();
        OtherProcess other = program("keys")) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      assertEquals(1, watch.receive().value());
      other.kill();

      assertEquals(1, Objects.requireNonNull(keys.get("x")).value());
      keys.put("x", 2);
      assertEquals(2, watch.receive().value());
    }
  }

  @Test
  void theLeaseOfAKilledProcessGoesToAnother() throws Exception {
    try (Cluster one = join();
        OtherProcess other = program("lease")) {
      Coroutine<ClusterLease> waiting =
          Coroutine.spawn(() -> one.lease("leader", Duration.ofSeconds(2)));
      Time.sleep(Duration.ofSeconds(3)); // longer than it lasts: it is renewed
      assertEquals(Status.SUSPENDED, waiting.status());
      other.kill();

      ClusterLease lease = waiting.await();

      assertTrue(lease.token() > 1, () -> "token " + lease.token()); // it was somebody's before
      lease.close();
    }
  }

  // ---- calls

  @Test
  void aCallThatWasBegunByAKilledProcessIsToldToBeLate() throws Exception {
    try (Cluster one = join();
        OtherProcess other = program("call")) {
      Call<Integer, Integer> stuck = one.call("stuck", NUMBER, NUMBER);
      Call<Integer, Integer> limited = stuck.withTimeout(Duration.ofSeconds(10));
      Coroutine<TimeoutException> late =
          Coroutine.spawn(() -> assertThrows(TimeoutException.class, () -> limited.run(1)));
      assertEquals("has one", other.says());
      other.kill();
      late.await();

      until(() -> nobodyServes(stuck)); // when the server has seen that it is gone
    }
  }

  private static boolean nobodyServes(Call<Integer, Integer> call) throws Exception {
    try {
      call.withTimeout(Duration.ofSeconds(1)).run(2);
      return false;
    } catch (NoServerException gone) {
      return true;
    } catch (TimeoutException notSeen) {
      return false;
    }
  }

  // ---- pools

  @Test
  void aPoolLosesNothingWithAKilledWorker() throws Exception {
    PoolOptions again = PoolOptions.DEFAULT.withAttempts(5).withSilence(Duration.ofSeconds(2));
    int count = 300;
    try (Cluster one = join(options.withAnswerTimeout(Duration.ofSeconds(2)));
        WorkerPool<Integer, Integer> pool = one.pool("squares", NUMBER, NUMBER, again);
        OtherProcess first = program("holding");
        OtherProcess second = program("pool")) {
      int[] retried = new int[1];
      List<Integer> tasks = IntStream.range(0, count).boxed().toList();
      Coroutine<List<Integer>> mapping =
          Coroutine.spawn(() -> pool.map(tasks, progress -> retried[0] = progress.retried()));
      assertEquals("has one", first.says());
      first.kill();

      assertEquals(tasks.stream().map(each -> each * each).toList(), mapping.await());
      assertTrue(retried[0] > 0, "nothing was lost with it");
    }
  }

  @Test
  void aTaskThatMustNotBeDoneTwiceIsUnknownWithItsWorker() throws Exception {
    PoolOptions once = PoolOptions.DEFAULT.withSilence(Duration.ofSeconds(2));
    try (Cluster one = join();
        WorkerPool<Integer, Integer> pool = one.pool("squares", NUMBER, NUMBER, once);
        OtherProcess other = program("holding")) {
      Coroutine<UnknownOutcomeException> told =
          Coroutine.spawn(() -> assertThrows(UnknownOutcomeException.class, () -> pool.run(1)));
      assertEquals("has one", other.says());
      other.kill();

      told.await();
    }
  }
}
