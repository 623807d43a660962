// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Scope;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What holds when a server is killed, a link is cut or hangs, and when all is well again.
@Tag("servers")
@InLoop
@ExtendWith(NoThreadsLeft.class)
@SuppressWarnings("try") // some are only there
class ClusterFailuresTest {
  private static final Codec<Integer> NUMBER = Codec.json(Integer.class);

  @TempDir Path folder;

  private final String space = "f" + System.nanoTime();
  private final ClusterOptions options =
      ClusterOptions.DEFAULT
          .withSpace(space)
          .withConnectTimeout(Duration.ofMinutes(1))
          .withGrace(Duration.ofSeconds(2))
          .withBackoff(Duration.ofMillis(20))
          .withLongestBackoff(Duration.ofMillis(200));
  private NatsServer server;

  @BeforeEach
  void start() throws Exception {
    server = NatsServer.open();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void kill() throws Exception {
    Loop.offload(
        () -> {
          server.kill();
          return true;
        });
  }

  private void restart() throws Exception {
    Loop.offload(
        () -> {
          server.restart();
          return true;
        });
  }

  private static List<ClusterState> watched(Cluster cluster) throws Exception {
    List<ClusterState> states = new ArrayList<>();
    cluster.states().subscribe((state, error) -> states.add(state));
    return states;
  }

  /// Exactly that, once those who are told have had their turn.
  private static void awaitReconnected(List<ClusterState> states) throws Exception {
    Conformance.until(() -> states.size() >= 2);
    assertEquals(List.of(ClusterState.RECONNECTING, ClusterState.CONNECTED), states);
  }

  // ---- connecting

  @Test
  void whereThereIsNoServerNothingIsLeft() throws Exception {
    String url = server.url();
    kill();

    ClusterException told =
        assertThrows(ClusterException.class, () -> Cluster.connect(options, url));

    assertTrue(told.getMessage().contains(url), told::getMessage);
    restart();
  }

  @Test
  void aCancelledConnectLeavesNothing() throws Exception {
    try (Wire wire = Wire.to(server)) {
      wire.hold(); // the server's first word does not come
      Coroutine<Cluster> connecting = Coroutine.spawn(() -> Cluster.connect(options, wire.url()));
      Conformance.until(() -> !NoThreadsLeft.left().isEmpty());

      connecting.cancel();

      Await.settle(connecting);
      Conformance.until(() -> NoThreadsLeft.left().isEmpty());
    }
  }

  /// A machine that is busy may need more than the usual two seconds to say who it is.
  private NatsServer guarded(String by) throws Exception {
    String text = "authorization { " + by + ", timeout: 60 }\n";
    Path config = Files.writeString(folder.resolve("nats.conf"), text);
    return Loop.offload(() -> NatsServer.open("--config", config.toString()));
  }

  @Test
  void wrongCredentialsAreToldAndRightOnesLetIn() throws Exception {
    try (NatsServer guarded = guarded("user: ann, password: s3cret")) {
      ClusterOptions wrong =
          options
              .withConnectTimeout(Duration.ofSeconds(2))
              .withCredentials(Credentials.user("ann", "guess"));
      ClusterOptions right = options.withCredentials(Credentials.user("ann", "s3cret"));
      ClusterException told =
          assertThrows(ClusterException.class, () -> Cluster.connect(wrong, guarded.url()));
      assertTrue(!told.getMessage().contains("guess"), told::getMessage);
      try (Cluster cluster = Cluster.connect(right, guarded.url())) {
        cluster.flush();
      }
    }
  }

  @Test
  void aTokenLetsIn() throws Exception {
    try (NatsServer guarded = guarded("token: t0ken")) {
      ClusterOptions nobody = options.withConnectTimeout(Duration.ofSeconds(2));
      assertThrows(ClusterException.class, () -> Cluster.connect(nobody, guarded.url()));
      try (Cluster cluster =
          Cluster.connect(options.withCredentials(Credentials.token("t0ken")), guarded.url())) {
        cluster.flush();
      }
    }
  }

  // ---- a server that is killed

  @Test
  void statesAreToldAndChannelsGoOnAfterARestart() throws Exception {
    try (Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, server.url());
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      List<ClusterState> states = watched(one);
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);

      kill();
      Conformance.until(() -> one.state() == ClusterState.RECONNECTING);
      Conformance.until(() -> other.state() == ClusterState.RECONNECTING);
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
    try (Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, server.url());
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
      Conformance.until(() -> served.running() == 1);
      kill();
      late.await();
      Conformance.until(() -> served.running() == 0); // the limit travelled with it
      restart();
      killed.open();
      awaitReconnected(states);
      Conformance.until(() -> other.state() == ClusterState.CONNECTED);
      other.flush();

      assertThrows(RemoteFailureException.class, () -> slow.run(2));
    }
  }

  @Test
  void aTopicTellsOfAGapWhenItsServerWasKilled() throws Exception {
    try (Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, server.url());
        TopicReceiver<Integer> receiver = other.<Integer>topic("news", NUMBER).subscribe()) {
      ClusterTopic<Integer> topic = one.topic("news", NUMBER);
      topic.publish(1);
      assertEquals(1, receiver.receive());
      kill();
      Conformance.until(() -> one.state() == ClusterState.RECONNECTING);
      Conformance.until(() -> other.state() == ClusterState.RECONNECTING);
      restart();
      Conformance.until(() -> other.state() == ClusterState.CONNECTED);
      Conformance.until(() -> one.state() == ClusterState.CONNECTED);
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
    try (Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, server.url());
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
      Conformance.until(() -> working.running() > 0);
      kill();
      Conformance.until(() -> one.state() == ClusterState.RECONNECTING);
      restart();
      restarted.open();

      assertEquals(tasks.stream().map(each -> each * each).toList(), mapping.await());
    }
  }

  @Test
  void whoGivesUpIsClosedAndTellsWhy() throws Exception {
    ClusterOptions impatient = options.withAttempts(2);
    Cluster cluster = Cluster.connect(impatient, server.url());
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
    try (Cluster one = Cluster.connect(options, server.url());
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
      Conformance.until(() -> one.state() == ClusterState.CONNECTED);
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
    try (Cluster one = Cluster.connect(options, server.url())) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      long revision = keys.put("x", 1);
      ClusterLease lease = one.lease("leader", Duration.ofSeconds(30));
      kill();
      restart();
      Conformance.until(() -> one.state() == ClusterState.CONNECTED);

      assertEquals(1, keys.get("x").value());
      assertTrue(keys.update("x", 2, revision) > revision);
      assertTrue(lease.isHeld());
      lease.close();
    }
  }

  @Test
  void aLeaseIsLostWithTheServer() throws Exception {
    try (Cluster one = Cluster.connect(options, server.url())) {
      ClusterLease lease = one.lease("leader", Duration.ofSeconds(1));

      kill();

      lease.awaitLoss();
      assertTrue(lease.isClosed());
      restart();
    }
  }

  // ---- a link that is cut, or hangs

  /// A receiver that claims a value, is given it, and says nothing more.
  @Test
  void whatWasGivenAndNotAnsweredIsUnknown() throws Exception {
    ClusterOptions impatient = options.withAnswerTimeout(Duration.ofSeconds(1));
    try (Cluster one = Cluster.connect(impatient, server.url());
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
    try (Cluster one = Cluster.connect(options, server.url());
        Raw raw = Loop.offload(() -> new Raw(server));
        ClusterChan<Integer> chan = one.chan("numbers", NUMBER)) {
      raw.claimEverything(space + ".chan.numbers", "_INBOX.raw.gone");
      Loop.offload(raw::flushed);
      Coroutine<Void> sending = Coroutine.spawn(() -> chan.send(1));
      Conformance.until(() -> raw.claims() > 0);
      raw.claimNothing();

      assertEquals(1, chan.receive());

      sending.await();
    }
  }

  @Test
  void whoWaitsAcrossACutMeetsAfterIt() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, wire.url());
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);
      other.flush();
      wire.cut();
      Conformance.until(() -> other.state() == ClusterState.RECONNECTING);
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
        Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, wire.url());
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
      Conformance.until(() -> served.running() == 1);
      wire.cut();
      cut.open();
      late.await();
      wire.mend();
      Conformance.until(() -> other.state() == ClusterState.CONNECTED);

      assertEquals(2, slow.run(2));
    }
  }

  @Test
  void aSlowLinkOnlyTakesLonger() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = Cluster.connect(options, wire.url());
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
        Cluster one = Cluster.connect(options, server.url());
        Cluster other = Cluster.connect(options, wire.url())) {
      ClusterTopic<Integer> topic = one.topic("news", NUMBER);
      List<ClusterState> states = watched(other);
      try (TopicReceiver<Integer> receiver = other.<Integer>topic("news", NUMBER).subscribe()) {
        topic.publish(1);
        assertEquals(1, receiver.receive());
        int gaps = receiver.gaps();
        wire.cut();
        Conformance.until(() -> other.state() == ClusterState.RECONNECTING);
        topic.publish(2);
        one.flush();
        wire.mend();
        Conformance.until(() -> other.state() == ClusterState.CONNECTED);
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
        Cluster one = Cluster.connect(impatient, server.url());
        Cluster other = Cluster.connect(impatient, wire.url());
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

  // ---- connections that overtake each other

  /// They were lost together, and come back in the reverse order.
  @Test
  void connectionsThatComeBackInAnotherOrderMeetAgain() throws Exception {
    try (Wire wire = Wire.to(server);
        Cluster one = Cluster.connect(options, wire.url());
        Cluster two = Cluster.connect(options, wire.url());
        Cluster three = Cluster.connect(options, wire.url());
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
        Cluster one = Cluster.connect(options, wire.url());
        Cluster two = Cluster.connect(options, wire.url());
        Cluster three = Cluster.connect(options, wire.url());
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
      Conformance.until(() -> jobs.arrivals() == count);
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
      Conformance.until(() -> ledger.arrivals() > count / 4);
      Loop.offload(
          () -> {
            three.getFirst().kill();
            return true;
          });
      putting.await();
      Conformance.until(() -> ledger.arrivals() == count);
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

  // ---- processes that die

  @Test
  @Tag("jvm")
  void whatAKilledReceiverHadGoesToAnother() throws Exception {
    try (Cluster one = Cluster.connect(options, server.url());
        WorkQueue<Integer> queue =
            one.queue(
                "numbers", NUMBER, QueueOptions.DEFAULT.withPatience(Duration.ofSeconds(2)))) {
      Process other = Loop.offload(() -> ClusterProgram.start(server.url(), space, "queue"));
      queue.put(5);
      assertEquals("got 5", Loop.offload(() -> other.inputReader().readLine()));
      other.destroyForcibly();
      Loop.offload(() -> other.waitFor());

      Job<Integer> job = queue.receive();

      assertEquals(5, job.value());
      assertTrue(job.attempt() >= 2, () -> "attempt " + job.attempt());
      job.ack();
    }
  }

  @Test
  @Tag("jvm")
  void aStoppedReceiverTakesNothingUntilItGoesOn() throws Exception {
    try (Cluster one = Cluster.connect(options, server.url());
        ClusterChan<Integer> chan = one.chan("numbers", NUMBER)) {
      Process other = Loop.offload(() -> ClusterProgram.start(server.url(), space, "chan"));
      try {
        chan.send(1);
        assertEquals("got 1", Loop.offload(() -> other.inputReader().readLine()));
        signal(other, "STOP");
        Coroutine<Void> sending = Coroutine.spawn(() -> chan.send(2));
        Time.sleep(Duration.ofSeconds(1));
        assertEquals(Status.SUSPENDED, sending.status());
        signal(other, "CONT");

        assertEquals("got 2", Loop.offload(() -> other.inputReader().readLine()));
        sending.await();
      } finally {
        other.destroyForcibly();
        Loop.offload(() -> other.waitFor());
      }
    }
  }

  @Test
  @Tag("jvm")
  void whatAStoppedReceiverOfAQueueHadGoesToAnother() throws Exception {
    try (Cluster one = Cluster.connect(options, server.url());
        WorkQueue<Integer> queue =
            one.queue(
                "numbers", NUMBER, QueueOptions.DEFAULT.withPatience(Duration.ofSeconds(2)))) {
      Process other = Loop.offload(() -> ClusterProgram.start(server.url(), space, "queue"));
      try {
        queue.put(5);
        assertEquals("got 5", Loop.offload(() -> other.inputReader().readLine()));
        signal(other, "STOP");

        Job<Integer> job = queue.receive();

        assertEquals(5, job.value());
        job.ack();
        signal(other, "CONT");
      } finally {
        other.destroyForcibly();
        Loop.offload(() -> other.waitFor());
      }
    }
  }

  private static void signal(Process process, String name) throws Exception {
    String[] command = {"kill", "-" + name, Long.toString(process.pid())};
    Loop.offload(() -> new ProcessBuilder(command).start().waitFor());
    if (name.equals("STOP")) {
      Path status = Path.of("/proc/" + process.pid() + "/status");
      Conformance.until(() -> Loop.offload(() -> Files.readString(status)).contains("State:\tT"));
    }
  }

  @Test
  @Tag("jvm")
  void aCallThatWasBegunByAKilledProcessIsToldToBeLate() throws Exception {
    try (Cluster one = Cluster.connect(options, server.url())) {
      Process process = Loop.offload(() -> ClusterProgram.start(server.url(), space, "call"));
      try {
        Call<Integer, Integer> stuck = one.call("stuck", NUMBER, NUMBER);
        Coroutine<TimeoutException> late =
            Coroutine.spawn(
                () ->
                    assertThrows(
                        TimeoutException.class,
                        () -> stuck.withTimeout(Duration.ofSeconds(5)).run(1)));
        assertEquals("has one", Loop.offload(() -> process.inputReader().readLine()));
        process.destroyForcibly();
        Loop.offload(process::waitFor);
        late.await();

        Conformance.until(() -> nobodyServes(stuck)); // when the server has seen that it is gone
      } finally {
        process.destroyForcibly();
        Loop.offload(process::waitFor);
      }
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

  @Test
  @Tag("jvm")
  void aPoolLosesNothingWithAKilledWorker() throws Exception {
    PoolOptions again = PoolOptions.DEFAULT.withAttempts(5).withSilence(Duration.ofSeconds(2));
    int count = 300;
    try (Cluster one =
            Cluster.connect(options.withAnswerTimeout(Duration.ofSeconds(2)), server.url());
        WorkerPool<Integer, Integer> pool = one.pool("squares", NUMBER, NUMBER, again)) {
      Process first = Loop.offload(() -> ClusterProgram.start(server.url(), space, "holding"));
      Process second = Loop.offload(() -> ClusterProgram.start(server.url(), space, "pool"));
      try {
        int[] retried = new int[1];
        Coroutine<List<Integer>> mapping =
            Coroutine.spawn(
                () ->
                    pool.map(
                        IntStream.range(0, count).boxed().toList(),
                        progress -> retried[0] = progress.retried()));
        assertEquals("has one", Loop.offload(() -> first.inputReader().readLine()));
        first.destroyForcibly();
        List<Integer> squares = mapping.await();

        assertEquals(IntStream.range(0, count).map(each -> each * each).boxed().toList(), squares);
        assertTrue(retried[0] > 0, "nothing was lost with it");
      } finally {
        first.destroyForcibly();
        second.destroyForcibly();
        Loop.offload(() -> first.waitFor() + second.waitFor());
      }
    }
  }

  @Test
  @Tag("jvm")
  void aTaskThatMustNotBeDoneTwiceIsToldToBeUnknown() throws Exception {
    PoolOptions once = PoolOptions.DEFAULT.withSilence(Duration.ofSeconds(1));
    try (Cluster one = Cluster.connect(options, server.url());
        WorkerPool<Integer, Integer> pool = one.pool("stuck", NUMBER, NUMBER, once)) {
      Cluster other = Cluster.connect(options, server.url());
      other.work(
          "stuck",
          NUMBER,
          NUMBER,
          1,
          each -> {
            Thread.sleep(0);
            kill(); // and no word of it gets through any more
            return each;
          });

      assertThrows(UnknownOutcomeException.class, () -> pool.run(1));

      restart();
      other.close();
    }
  }
}
