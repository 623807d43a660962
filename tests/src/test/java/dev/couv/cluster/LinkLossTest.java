// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import dev.couv.sync.Gate;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What holds when a link is cut, hangs, or is overtaken by another, and when all is well again.
@Tag("servers")
@SuppressWarnings("try") // some are only there
class LinkLossTest extends ServerFixture {
  // ---- channels, calls, topics

  /// A receiver that claims a value, is given it, and says nothing more.
  @Test
  void whatWasGivenAndNotAnsweredIsUnknown() throws Exception {
    ClusterOptions impatient = options.withAnswerTimeout(Duration.ofSeconds(1));
    try (Cluster one = join(impatient);
        Raw raw = Loop.offload(() -> new Raw(server));
        ClusterChan<Integer> chan = one.chan("numbers", NUMBER)) {
      raw.claimEverything(space + ".chan.numbers", "_INBOX.raw.silent");
      raw.connection().subscribe("_INBOX.raw.silent");
      Loop.offload(raw::flushed);

      assertThrows(UnknownOutcomeException.class, () -> chan.send(1));
    }
  }

  /// A receiver that claims a value, and is gone when it is given it: the server knows that nobody
  /// was there.
  @Test
  void whatNobodyWasThereForGoesToTheNext() throws Exception {
    try (Cluster one = join();
        Raw raw = Loop.offload(() -> new Raw(server));
        ClusterChan<Integer> chan = one.chan("numbers", NUMBER)) {
      raw.claimEverything(space + ".chan.numbers", "_INBOX.raw.gone");
      Loop.offload(raw::flushed);
      Coroutine<Void> sending = Coroutine.spawn(() -> chan.send(1));
      until(() -> raw.claims() > 0);
      raw.claimNothing();

      assertEquals(1, chan.receive());

      sending.await();
    }
  }

  @Test
  void whoWaitsAcrossACutMeetsAfterIt() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join();
        Cluster other = join(wire);
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);
      other.flush();
      wire.cut();
      until(() -> other.state() == ClusterState.RECONNECTING);
      Coroutine<Void> sending = Coroutine.spawn(() -> from.send(1));
      one.flush();
      wire.mend();

      assertEquals(1, receiving.await());

      sending.await();
    }
  }

  @Test
  void aCallOverACutLinkIsToldToBeLate() throws Exception {
    Gate cut = new Gate(false);
    try (Wire wire = Wire.to(server);
        Cluster one = join();
        Cluster other = join(wire);
        Served served =
            other.serve(
                "slow",
                NUMBER,
                NUMBER,
                each -> {
                  cut.await();
                  return each;
                })) {
      Call<Integer, Integer> slow = one.call("slow", NUMBER, NUMBER);
      Coroutine<TimeoutException> late =
          Coroutine.spawn(
              () ->
                  assertThrows(
                      TimeoutException.class,
                      () -> slow.withTimeout(Duration.ofSeconds(5)).run(1)));
      until(() -> served.running() == 1);
      wire.cut();
      cut.open();
      late.await();
      wire.mend();
      until(() -> other.state() == ClusterState.CONNECTED);
      other.flush();

      assertEquals(2, slow.run(2));
    }
  }

  @Test
  void aSlowLinkOnlyTakesLonger() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join(wire);
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER);
        Served served = one.serve("square", NUMBER, NUMBER, each -> each * each)) {
      wire.delay(Duration.ofMillis(30));
      queue.put(1);
      queue.receive().ack();

      assertEquals(9, one.call("square", NUMBER, NUMBER).run(3));
      wire.delay(Duration.ZERO);
    }
  }

  @Test
  void aTopicGoesOnAfterACutWithoutWhatWasMissed() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join();
        Cluster other = join(wire)) {
      ClusterTopic<Integer> topic = one.topic("news", NUMBER);
      List<ClusterState> states = watched(other);
      try (TopicReceiver<Integer> receiver = other.<Integer>topic("news", NUMBER).subscribe()) {
        topic.publish(1);
        assertEquals(1, receiver.receive());
        int gaps = receiver.gaps();
        wire.cut();
        until(() -> other.state() == ClusterState.RECONNECTING);
        topic.publish(2);
        one.flush();
        wire.mend();
        until(() -> other.state() == ClusterState.CONNECTED);
        other.flush();
        topic.publish(3);

        assertEquals(0, gaps);
        assertEquals(1, receiver.gaps());
        assertEquals(3, receiver.receive());
        assertEquals(1, receiver.gaps());
        awaitReconnected(states);
      }
    }
  }

  /// Everything at once: a channel over a link that is cut again and again.
  @Test
  void noValueOfAChannelIsTwiceAndEachLossIsTold() throws Exception {
    int count = 2_000;
    Ledger ledger = new Ledger(count);
    ClusterOptions impatient = options.withAnswerTimeout(Duration.ofSeconds(1));
    try (Wire wire = Wire.to(server);
        Cluster one = join(impatient);
        Cluster other = join(impatient, wire);
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      List<Coroutine<?>> receivers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        receivers.add(Coroutine.spawn(() -> to.forEach(ledger::arrived)));
      }
      Coroutine<Void> cutting =
          Coroutine.spawn(
              () -> {
                while (true) {
                  int before = ledger.arrivals();
                  while (ledger.arrivals() < before + 250) {
                    Time.sleep(Duration.ofMillis(5));
                  }
                  wire.cut();
                  wire.mend();
                }
              });
      try (Scope senders = Scope.open()) {
        for (int s = 0; s < 16; s++) {
          int first = s;
          senders.spawn(
              () -> {
                for (int i = first; i < count; i += 16) {
                  try {
                    from.send(i);
                    ledger.taken(i);
                  } catch (UnknownOutcomeException told) {
                    ledger.unknown(i);
                  }
                }
              });
        }
      }
      cutting.cancel();
      Await.settle(cutting);
      to.close();
      Await.settle(receivers);
      ledger.checkNoneTwice();
      ledger.checkEachLossTold();
      assertTrue(ledger.arrivals() > count / 2, () -> "arrived: " + ledger.arrivals());
    }
  }

  // ---- what is kept

  /// The server hears the question, and its answer is lost with the connection.
  @Test
  void putsAndAcksAreRepeatedUntilTheyAreAnswered() throws Exception {
    ClusterOptions patient = options.withAnswerTimeout(Duration.ofMinutes(2));
    try (Wire wire = Wire.to(server);
        Cluster one = join(patient, wire);
        Cluster other = join(patient);
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER);
        WorkQueue<Integer> seen = other.queue("numbers", NUMBER)) {
      wire.holdAnswers();
      Coroutine<Void> putting = Coroutine.spawn(() -> queue.put(1));
      until(() -> seen.size() == 1);
      lose(wire);
      putting.await();
      assertEquals(1, seen.size()); // though it was put twice
      Job<Integer> job = queue.receive();
      wire.holdAnswers();
      Coroutine<Void> acknowledging = Coroutine.spawn(job::ack);
      until(() -> seen.size() == 0);
      assertEquals(Status.SUSPENDED, acknowledging.status());
      lose(wire);

      acknowledging.await();
    }
  }

  /// What was on its way is lost, and there is a new connection.
  private static void lose(Wire wire) {
    wire.cut();
    wire.letGo();
    wire.mend();
  }

  @Test
  void aChangeWhoseAnswerWasLostCanBeTriedAgain() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join(wire);
        Cluster other = join()) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      Keys<Integer> same = other.keys("numbers", NUMBER);
      long first = keys.put("x", 1);
      wire.holdAnswers();
      Coroutine<ClusterException> told =
          Coroutine.spawn(
              () -> assertThrows(ClusterException.class, () -> keys.update("x", 2, first)));
      until(() -> Objects.equals(Objects.requireNonNull(same.get("x")).value(), 2));
      lose(wire);
      told.await();
      until(() -> one.state() == ClusterState.CONNECTED);

      assertThrows(RevisionException.class, () -> keys.update("x", 2, first)); // so it was done

      assertEquals(2, Objects.requireNonNull(keys.get("x")).value());
    }
  }

  @Test
  void aWatchGoesOnAfterACutWithWhatItMissed() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join();
        Cluster other = join(wire);
        TopicReceiver<KeyEntry<Integer>> watch = other.<Integer>keys("numbers", NUMBER).watch()) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      keys.put("x", 1);
      assertEquals(1, watch.receive().value());
      wire.cut();
      until(() -> other.state() == ClusterState.RECONNECTING);
      keys.put("y", 2);
      keys.put("z", 3);
      wire.mend();

      assertEquals(List.of(2, 3), List.of(watch.receive().value(), watch.receive().value()));

      assertEquals(0, watch.gaps());
    }
  }

  @Test
  void whoIsCutOffLosesItsLeaseBeforeAnotherHasIt() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join(wire);
        Cluster other = join()) {
      ClusterLease lease = one.lease("leader", Duration.ofSeconds(2));
      Coroutine<Boolean> next =
          Coroutine.spawn(
              () -> {
                try (ClusterLease taken = other.lease("leader", Duration.ofSeconds(2))) {
                  return taken.token() > lease.token() && !lease.isHeld();
                }
              });

      wire.cut();

      assertTrue(next.await());
      lease.awaitLoss();
      wire.mend();
    }
  }

  /// The server does not answer, and so nothing else ends the wait.
  @Test
  void whoAsksForWhatIsKeptIsToldThatTheClusterIsClosed() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join(wire)) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      Blobs blobs = one.objects("files");
      wire.holdAnswers();
      List<Coroutine<ClosedException>> told =
          List.of(
              Coroutine.spawn(() -> assertThrows(ClosedException.class, () -> keys.get("x"))),
              Coroutine.spawn(() -> assertThrows(ClosedException.class, () -> blobs.find("x"))),
              Coroutine.spawn(
                  () -> assertThrows(ClosedException.class, () -> one.queue("jobs", NUMBER))),
              Coroutine.spawn(
                  () ->
                      assertThrows(
                          ClosedException.class,
                          () -> one.lease("leader", Duration.ofSeconds(5)))));
      until(() -> told.stream().allMatch(each -> each.status() == Status.SUSPENDED));

      one.close();

      Await.all(told);
    }
  }

  // ---- pools

  @Test
  void aTaskOverACutLinkIsBegunAgain() throws Exception {
    PoolOptions again = PoolOptions.DEFAULT.withAttempts(20).withSilence(Duration.ofSeconds(2));
    List<Integer> tasks = IntStream.range(0, 20).boxed().toList();
    Gate mended = new Gate(false);
    List<Integer> begun = new ArrayList<>();
    try (Wire wire = Wire.to(server);
        Cluster one = join();
        Cluster other = join(wire);
        Working working =
            other.work(
                "squares",
                NUMBER,
                NUMBER,
                1,
                each -> {
                  begun.add(each);
                  mended.await();
                  return each * each;
                });
        WorkerPool<Integer, Integer> pool = one.pool("squares", NUMBER, NUMBER, again)) {
      int[] retried = new int[1];
      Coroutine<List<Integer>> mapping =
          Coroutine.spawn(() -> pool.map(tasks, progress -> retried[0] = progress.retried()));
      until(() -> working.running() == 1);
      int lost = begun.getFirst();
      wire.cut();
      until(() -> retried[0] > 0); // its silence was noticed
      mended.open();
      wire.mend();

      assertEquals(tasks.stream().map(each -> each * each).toList(), mapping.await());

      assertTrue(begun.stream().filter(each -> each == lost).count() > 1, begun::toString);
    }
  }

  @Test
  void aTaskOverACutLinkThatMustNotBeDoneTwiceIsUnknown() throws Exception {
    PoolOptions once = PoolOptions.DEFAULT.withSilence(Duration.ofSeconds(2));
    PoolOptions patient = PoolOptions.DEFAULT.withSilence(Duration.ofMinutes(1));
    Gate mended = new Gate(false);
    try (Wire wire = Wire.to(server);
        Cluster one = join();
        Cluster other = join(wire);
        Working working =
            other.work(
                "squares",
                NUMBER,
                NUMBER,
                1,
                each -> {
                  mended.await();
                  return each * each;
                });
        WorkerPool<Integer, Integer> pool = one.pool("squares", NUMBER, NUMBER, once);
        WorkerPool<Integer, Integer> same = one.pool("squares", NUMBER, NUMBER, patient)) {
      Coroutine<UnknownOutcomeException> told =
          Coroutine.spawn(() -> assertThrows(UnknownOutcomeException.class, () -> pool.run(2)));
      until(() -> working.running() == 1);

      wire.cut();

      told.await();
      mended.open();
      wire.mend();
      assertEquals(9, same.run(3)); // and the worker goes on
    }
  }

  // ---- connections that overtake each other

  /// They were lost together, and come back in the reverse order.
  @Test
  void connectionsThatComeBackInAnotherOrderMeetAgain() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = join(wire);
        Cluster two = join(wire);
        Cluster three = join(wire);
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = three.chan("numbers", NUMBER);
        Served served = two.serve("square", NUMBER, NUMBER, each -> each * each)) {
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);
      three.flush();
      wire.reverse(3);
      wire.cut();
      wire.mend();

      from.send(4);

      assertEquals(4, receiving.await());
      until(() -> two.state() == ClusterState.CONNECTED);
      two.flush();
      assertEquals(16, one.call("square", NUMBER, NUMBER).run(4));
    }
  }

  /// A value, the word that it was taken, an acknowledgement, the word that a call is given up: all
  /// of them come in any order between three processes.
  @Test
  void whatOvertakesEachOtherIsNeitherLostNorTwice() throws Exception {
    int count = 200;
    Ledger values = new Ledger(count);
    Ledger jobs = new Ledger(count);
    try (Wire wire = Wire.to(server);
        Cluster one = join(wire);
        Cluster two = join(wire);
        Cluster three = join(wire);
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = two.chan("numbers", NUMBER);
        ClusterChan<Integer> alsoTo = three.chan("numbers", NUMBER);
        WorkQueue<Integer> given = two.queue("jobs", NUMBER);
        WorkQueue<Integer> taken = three.queue("jobs", NUMBER);
        Served served = three.serve("square", NUMBER, NUMBER, each -> each * each)) {
      wire.shuffle(Duration.ofMillis(15), new SplittableRandom(7));
      List<Coroutine<?>> receivers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        ClusterChan<Integer> by = i % 2 == 0 ? to : alsoTo;
        receivers.add(Coroutine.spawn(() -> by.forEach(values::arrived)));
      }
      Coroutine<Void> working = Coroutine.spawn(() -> taken.work(4, jobs::arrived));
      Call<Integer, Integer> square = one.call("square", NUMBER, NUMBER);
      try (Scope all = Scope.open()) {
        for (int s = 0; s < 20; s++) {
          int first = s;
          all.spawn(
              () -> {
                for (int i = first; i < count; i += 20) {
                  from.send(i);
                  values.taken(i);
                  given.put(i);
                  assertEquals(i * i, square.run(i));
                }
              });
        }
      }
      until(() -> jobs.arrivals() == count);
      wire.delay(Duration.ZERO);
      to.close();
      alsoTo.close();
      Await.settle(receivers);
      working.cancel();
      Await.settle(working);
      values.checkNoneLost();
      values.checkNoneTwice();
      jobs.checkNoneLost();
      jobs.checkNoneTwice();
    }
  }
}
