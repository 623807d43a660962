// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Selected;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import dev.couv.sync.Chan;
import dev.couv.sync.Gate;
import dev.couv.sync.Promise;
import dev.couv.testing.InLoop;
import dev.couv.testing.Tries;
import dev.couv.time.Time;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// What holds of every cluster, whatever is between its processes.
@InLoop
@ExtendWith(NoThreadsLeft.class)
@SuppressWarnings("try") // some are only there, others closed early
abstract class Conformance {
  private static final AtomicLong SPACES = new AtomicLong(System.nanoTime());

  /// A value with parts.
  public record Order(String what, int count, List<String> notes) {}

  private static final Codec<Integer> NUMBER = Codec.json(Integer.class);

  private final String space = "t" + SPACES.incrementAndGet();

  /// Another process of the cluster of this test, as far as the cluster can tell.
  abstract Cluster join(ClusterOptions options) throws Exception;

  final ClusterOptions options() {
    return ClusterOptions.DEFAULT
        .withSpace(space)
        .withConnectTimeout(Duration.ofMinutes(1))
        .withGrace(Duration.ofSeconds(5));
  }

  final Cluster join() throws Exception {
    return join(options());
  }

  static void until(Awaited holds) throws Exception {
    Time.timeout(
        Duration.ofMinutes(1),
        () -> {
          while (!holds.holds()) {
            Time.sleep(Duration.ofMillis(5));
          }
        });
  }

  interface Awaited {
    boolean holds() throws Exception;
  }

  // ---- channels

  @Test
  void aValueGoesFromOneProcessToAnother() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<Order> from = one.chan("orders", Codec.json(Order.class));
        ClusterChan<Order> to = other.chan("orders", Codec.json(Order.class))) {
      Order order = new Order("paint", 3, List.of("blue", "größer"));
      Coroutine<Order> received = Coroutine.spawn(to::receive);

      from.send(order);

      assertEquals(order, received.await());
    }
  }

  @Test
  void aSenderWaitsForAReceiver() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Coroutine<Void> sending = Coroutine.spawn(() -> from.send(1));
      one.flush();
      other.flush();
      assertEquals(Status.SUSPENDED, sending.status());

      assertEquals(1, to.receive());

      sending.await();
    }
  }

  @Test
  void eachValueGoesToOneReceiver() throws Exception {
    int count = 300;
    try (Cluster one = join();
        Cluster two = join();
        Cluster three = join();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = two.chan("numbers", NUMBER);
        ClusterChan<Integer> alsoTo = three.chan("numbers", NUMBER)) {
      List<Integer> received = new ArrayList<>();
      List<Coroutine<?>> receivers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        ClusterChan<Integer> by = i % 2 == 0 ? to : alsoTo;
        receivers.add(Coroutine.spawn(() -> by.forEach(received::add)));
      }
      List<Coroutine<Void>> senders = new ArrayList<>();
      for (int s = 0; s < 3; s++) {
        int first = s * count;
        senders.add(
            Coroutine.spawn(
                () -> {
                  for (int i = 0; i < count; i++) {
                    from.send(first + i);
                  }
                }));
      }
      Await.all(senders);
      to.close();
      alsoTo.close();
      Await.settle(receivers);

      assertEquals(
          IntStream.range(0, 3 * count).boxed().toList(), received.stream().sorted().toList());
    }
  }

  @Test
  void aCancelledSenderTakesItsValueAway() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Coroutine<Void> gone = Coroutine.spawn(() -> from.send(1));
      one.flush();
      gone.cancel();
      assertThrows(CancellationException.class, gone::await);
      Coroutine<Void> stays = Coroutine.spawn(() -> from.send(2));

      assertEquals(2, to.receive());

      stays.await();
    }
  }

  @Test
  void aCancelledReceiverTakesNothing() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Coroutine<Integer> gone = Coroutine.spawn(to::receive);
      other.flush();
      gone.cancel();
      assertThrows(CancellationException.class, gone::await);
      Coroutine<Void> sending = Coroutine.spawn(() -> from.send(7));
      Time.sleep(Duration.ofMillis(20));
      assertFalse(sending.status().isEnded());

      assertEquals(7, to.receive());

      sending.await();
    }
  }

  @Test
  void aSelectTakesOnlyIfItWins() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Chan<Integer> local = Chan.create(1);
      Awaitable<Integer> remote = to.receiving();
      Awaitable<Integer> near = local.receiving();
      local.send(1);
      Coroutine<Void> sending = Coroutine.spawn(() -> from.send(2));

      assertSame(near, Await.select(remote, near).source());
      Selected<Integer> second = Await.select(near, remote);

      assertSame(remote, second.source());
      assertEquals(2, second.value());
      sending.await();
    }
  }

  @Test
  void aSelectGivesOnlyIfItWins() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Delivery lost = from.delivery(1);
      Chan<Integer> local = Chan.create(1);
      local.send(5);
      assertEquals(5, Await.<Object>select(lost.sending(), local.receiving()).value());
      Delivery won = from.delivery(2);
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);

      assertSame(won.sending(), Await.<Object>select(local.receiving(), won.sending()).source());

      won.await();
      assertEquals(2, receiving.await());
    }
  }

  @Test
  void whoWaitsIsToldThatAChannelIsClosed() throws Exception {
    try (Cluster one = join()) {
      ClusterChan<Integer> chan = one.chan("numbers", NUMBER);
      Coroutine<Integer> receiving = Coroutine.spawn(chan::receive);
      one.flush();

      chan.close();
      chan.close();

      assertThrows(ClosedException.class, receiving::await);
      assertThrows(ClosedException.class, () -> chan.send(1));
      assertTrue(chan.isClosed());
    }
  }

  @Test
  void whatAReceiverCannotDecodeIsToldTheSender() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterChan<String> from = one.chan("mixed", Codec.text());
        ClusterChan<Integer> to = other.chan("mixed", NUMBER)) {
      Coroutine<Integer> received = Coroutine.spawn(to::receive);

      CodecException told = assertThrows(CodecException.class, () -> from.send("no number"));
      from.send("8");

      assertTrue(told.getMessage().contains("the receiver says"), told::getMessage);
      assertEquals(8, received.await());
    }
  }

  // ---- values

  /// Cannot be encoded.
  public record Endless(Object itself) {
    public Endless() {
      this(new Object[1]);
      ((Object[]) itself)[0] = itself;
    }
  }

  @Test
  void whatCannotBeEncodedIsToldWhoSends() throws Exception {
    try (Cluster one = join()) {
      ClusterTopic<Endless> topic = one.topic("endless", Codec.json(Endless.class));

      assertThrows(CodecException.class, () -> topic.publish(new Endless()));
      ClusterTopic<Runnable> code = one.topic("code", Codec.json(Runnable.class));
      assertThrows(CodecException.class, () -> code.publish(() -> {}));
      ClusterTopic<String> text = one.topic("text", Codec.text());
      assertThrows(CodecException.class, () -> text.publish("a\ud800b"));
    }
  }

  private static final class OwnError extends Error {
    private static final long serialVersionUID = 1L;
  }

  /// A codec is a user's, and so are the words of what it throws.
  private static final class Fragile implements Codec<String> {
    @Override
    public byte[] encode(String value) {
      return value.getBytes(UTF_8);
    }

    @Override
    public String decode(byte[] bytes) {
      String text = new String(bytes, UTF_8);
      switch (text) {
        case "assert" -> throw new AssertionError("not that one");
        case "link" -> throw new NoClassDefFoundError("com/example/Missing");
        case "own" -> throw new OwnError();
        case "mute" ->
            throw new IllegalStateException() {
              private static final long serialVersionUID = 1L;

              @Override
              public String getMessage() {
                throw new UnsupportedOperationException();
              }
            };
        default -> {}
      }
      return text;
    }
  }

  @Test
  void anErrorOutOfACodecIsOfThatValueAlone() throws Exception {
    try (Cluster one = join();
        TopicReceiver<String> hears = one.topic("fragile", new Fragile()).subscribe()) {
      ClusterTopic<String> says = one.topic("fragile", Codec.text());
      for (String each : List.of("assert", "link", "own", "mute", "fine")) {
        says.publish(each);
      }

      assertEquals("fine", hears.receive());
    }
  }

  @Test
  void whatIsTooLargeIsToldWhoSends() throws Exception {
    try (Cluster one = join(options().withLargestValue(1000))) {
      ClusterTopic<byte[]> topic = one.topic("bytes", Codec.bytes());
      topic.publish(new byte[1000]);

      CodecException told = assertThrows(CodecException.class, () -> topic.publish(new byte[1001]));

      assertEquals(
          "topic \"bytes\" carries values of at most 1000 bytes, not of 1001", told.getMessage());
    }
  }

  @Test
  void namesThatReachElsewhereAreRefused() throws Exception {
    try (Cluster one = join()) {
      for (String name :
          List.of("", "a.b", "*", ">", "a b", "a\r\nPUB x 0", "ä", "x".repeat(129))) {
        assertThrows(IllegalArgumentException.class, () -> one.chan(name, NUMBER), name);
        assertThrows(IllegalArgumentException.class, () -> one.queue(name, NUMBER), name);
        assertThrows(IllegalArgumentException.class, () -> one.topic(name, NUMBER), name);
        assertThrows(IllegalArgumentException.class, () -> one.keys(name, NUMBER), name);
        assertThrows(IllegalArgumentException.class, () -> one.objects(name), name);
        assertThrows(IllegalArgumentException.class, () -> one.call(name, NUMBER, NUMBER), name);
        assertThrows(IllegalArgumentException.class, () -> one.pool(name, NUMBER, NUMBER), name);
      }
    }
  }

  // ---- queues

  private static final QueueOptions QUICK =
      QueueOptions.DEFAULT
          .withPatience(Duration.ofSeconds(1))
          .withRetryDelay(Duration.ofMillis(10));

  @Test
  void aValueStaysUntilItIsAcknowledged() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        WorkQueue<Order> from = one.queue("orders", Codec.json(Order.class), QUICK);
        WorkQueue<Order> to = other.queue("orders", Codec.json(Order.class), QUICK)) {
      Order order = new Order("paint", 3, List.of());
      from.put(order);
      Job<Order> silent = to.receive(); // says nothing of it
      assertEquals(order, silent.value());

      Job<Order> again = to.receive();
      assertEquals(order, again.value());
      assertTrue(again.attempt() >= 2, () -> "attempt " + again.attempt());
      again.ack();

      until(() -> to.size() == 0);
    }
  }

  @Test
  void whatIsGivenBackIsDeliveredAgain() throws Exception {
    try (Cluster one = join();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER)) {
      queue.put(4);
      queue.receive().giveBack();

      Job<Integer> again = queue.receive();

      assertEquals(2, again.attempt());
      again.ack();
      assertThrows(IllegalStateException.class, again::ack);
    }
  }

  @Test
  void whatFailsTooOftenIsADeadLetter() throws Exception {
    QueueOptions twice = QUICK.withPatience(Duration.ofMinutes(1)).withDeliveries(2);
    try (Cluster one = join();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER, twice);
        WorkQueue<Integer> dead = queue.dead()) {
      List<Integer> tried = new ArrayList<>();
      queue.put(13);
      queue.put(14);
      Coroutine<Void> work =
          Coroutine.spawn(
              () ->
                  queue.work(
                      2,
                      value -> {
                        tried.add(value);
                        if (value == 13) {
                          throw new IllegalStateException("unlucky");
                        }
                      }));

      Job<Integer> letter = dead.receive();

      assertEquals(13, letter.value());
      letter.ack();
      until(() -> queue.size() == 0);
      assertEquals(List.of(13, 13, 14), tried.stream().sorted().toList());
      work.cancel();
      Await.settle(work);
    }
  }

  @Test
  void whatIsNoValueIsADeadLetterAndStopsNothing() throws Exception {
    try (Cluster one = join();
        WorkQueue<String> from = one.queue("mixed", Codec.text());
        WorkQueue<Integer> to = one.queue("mixed", NUMBER);
        WorkQueue<String> dead = from.dead()) {
      from.put("no number");
      from.put("9");

      Job<Integer> job = to.receive();

      assertEquals(9, job.value());
      job.ack();
      Job<String> letter = dead.receive();
      assertEquals("no number", letter.value());
      assertEquals("no number", new String(letter.bytes(), UTF_8));
      assertTrue(letter.reason().contains("mixed"), letter.reason());
      assertThrows(IllegalStateException.class, () -> letter.bury("again"));
      letter.ack();
    }
  }

  /// As it would be in a program that sends to itself, and has its value.
  @Test
  void whoHasTakenItsOwnValueClosesAndHasSentIt() throws Exception {
    try (Cluster one = join()) {
      Coroutine<Void> sent;
      try (ClusterChan<String> own = one.chan("own", Codec.text())) {
        sent = Coroutine.spawn(() -> own.send("hello"));
        assertEquals("hello", own.receive());
      }
      sent.await();
    }
  }

  /// It is not buried where it is already: that would be for ever.
  @Test
  void aDeadLetterThatIsNoValueIsGivenOutAsItIs() throws Exception {
    try (Cluster one = join();
        WorkQueue<String> from = one.queue("odd", Codec.text());
        WorkQueue<Integer> to = one.queue("odd", NUMBER);
        WorkQueue<Integer> dead = to.dead()) {
      from.put("no number");
      Coroutine<Job<Integer>> nobody = Coroutine.spawn(to::receive);

      Job<Integer> letter = dead.receive();

      assertThrows(IllegalStateException.class, letter::value);
      assertEquals("no number", new String(letter.bytes(), UTF_8));
      assertEquals(1, dead.size());
      letter.ack();
      nobody.cancel();
      Await.settle(nobody);
    }
  }

  @Test
  void aDelayThatIsNoNumberAnyMoreIsLongAllTheSame() throws Exception {
    try (Cluster one = join();
        WorkQueue<String> queue = one.queue("ages", Codec.text())) {
      queue.put("in ages", Duration.ofSeconds(Long.MAX_VALUE));
      queue.put("in millis", Duration.ofMillis(Long.MAX_VALUE));
      queue.put("now");
      Job<String> job = queue.receive();

      assertEquals("now", job.value());
      job.giveBack(Duration.ofSeconds(Long.MAX_VALUE));
      assertTrue(job.isEnded());
      assertThrows(
          TimeoutException.class, () -> Time.timeout(Duration.ofMillis(50), queue::receive));
    }
  }

  /// The second must be put before the first is due.
  @Test
  void aDelayedValueComesLater() throws Exception {
    int[] tries = new int[1];
    Tries.oneOf(3, () -> delayedValueComesLater(Duration.ofMillis(600L << 2 * tries[0]++)));
  }

  private void delayedValueComesLater(Duration delay) throws Exception {
    try (Cluster one = join();
        WorkQueue<Integer> queue = one.queue("numbers" + delay.toMillis(), NUMBER)) {
      long start = System.nanoTime();
      queue.put(2, delay);
      queue.put(1);

      Job<Integer> first = queue.receive();
      Job<Integer> second = queue.receive();

      assertEquals(List.of(1, 2), List.of(first.value(), second.value()));
      assertEquals(1, second.attempt());
      assertTrue(System.nanoTime() - start > delay.toNanos() - 10_000_000);
      first.ack();
      second.ack();
    }
  }

  @Test
  void aValueWithANameIsKeptOnce() throws Exception {
    try (Cluster one = join();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER)) {
      queue.put(5, "order-5");
      queue.put(5, "order-5");

      assertEquals(1, queue.size());
      queue.receive().ack();
    }
  }

  /// It has to say in time that it still works, so it may fail where nothing runs for a second.
  @Test
  void aLongHandlerKeepsItsValue() throws Exception {
    int[] tries = new int[1];
    Tries.oneOf(5, () -> longHandlerKeepsItsValue("numbers" + tries[0]++));
  }

  private void longHandlerKeepsItsValue(String name) throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        WorkQueue<Integer> mine = one.queue(name, NUMBER, QUICK);
        WorkQueue<Integer> theirs = other.queue(name, NUMBER, QUICK)) {
      List<String> began = new ArrayList<>();
      Coroutine<Void> work =
          Coroutine.spawn(
              () ->
                  mine.work(
                      1,
                      value -> {
                        began.add("mine");
                        Time.sleep(Duration.ofMillis(2500));
                      }));
      mine.put(1);
      until(() -> !began.isEmpty());
      Coroutine<Void> others = Coroutine.spawn(() -> theirs.work(1, value -> began.add("theirs")));

      until(() -> mine.size() == 0);

      work.cancel();
      others.cancel();
      Await.settle(work, others);
      assertEquals(1, began.size(), began::toString);
    }
  }

  // ---- topics

  @Test
  void everybodyHearsATopic() throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      ClusterTopic<Integer> topic = one.topic("news", NUMBER);
      try (TopicReceiver<Integer> here = topic.subscribe();
          TopicReceiver<Integer> there = other.<Integer>topic("news", NUMBER).subscribe()) {
        topic.publish(1);
        topic.publish(2);

        assertEquals(List.of(1, 2), List.of(here.receive(), here.receive()));
        assertEquals(List.of(1, 2), List.of(there.receive(), there.receive()));
      }
    }
  }

  @Test
  void aSlowReceiverIsShownOutAndTold() throws Exception {
    try (Cluster one = join(options().withBuffer(10))) {
      ClusterTopic<Integer> topic = one.topic("news", NUMBER);
      try (TopicReceiver<Integer> slow = topic.subscribe();
          TopicReceiver<Integer> quick = topic.subscribe()) {
        Set<Integer> heard = new HashSet<>();
        Coroutine<?> hearing = Coroutine.spawn(() -> quick.forEach(heard::add));
        for (int i = 0; i < 100; i++) {
          topic.publish(i);
          int sent = i;
          until(() -> heard.contains(sent));
        }

        List<Integer> got = new ArrayList<>();
        ClosedException end = assertThrows(ClosedException.class, () -> slow.forEach(got::add));

        assertEquals(IntStream.range(0, 10).boxed().toList(), got);
        assertInstanceOf(SlowReceiverException.class, end.getCause());
        assertTrue(slow.isClosed());
        assertEquals(100, heard.size());
        quick.close();
        hearing.await();
      }
    }
  }

  // ---- keys, leases, objects

  @Test
  void keysArePutAndChangedByRevision() throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      Keys<Order> keys = one.keys("orders", Codec.json(Order.class));
      Keys<Order> same = other.keys("orders", Codec.json(Order.class));
      Order order = new Order("paint", 3, List.of());

      assertNull(keys.get("a.b"));
      long first = keys.create("a.b", order);
      assertThrows(RevisionException.class, () -> same.create("a.b", order));
      KeyEntry<Order> found = same.get("a.b");
      assertNotNull(found);
      assertEquals(new KeyEntry<>("a.b", order, first), found);
      long second = same.update("a.b", new Order("paint", 4, List.of()), first);
      assertThrows(RevisionException.class, () -> keys.update("a.b", order, first));
      assertThrows(RevisionException.class, () -> keys.delete("a.b", first));
      assertEquals(List.of("a.b"), keys.keys());
      keys.delete("a.b", second);

      assertNull(same.get("a.b"));
      assertTrue(same.create("a.b", order) > second);
    }
  }

  @Test
  void aKeyThatIsNoValueIsToldWhoAsks() throws Exception {
    try (Cluster one = join()) {
      Keys<String> texts = one.keys("mixed", Codec.text());
      Keys<Integer> numbers = one.keys("mixed", NUMBER);
      texts.put("a", "no number");
      texts.put("b", "2");

      assertThrows(CodecException.class, () -> numbers.get("a"));
      assertEquals(2, Objects.requireNonNull(numbers.get("b")).value());
    }
  }

  @Test
  void awkwardKeysAreRefused() throws Exception {
    try (Cluster one = join()) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      for (String key : List.of("", ".", "a..b", "a.", "*", "a.>", "a b", "ä")) {
        assertThrows(IllegalArgumentException.class, () -> keys.get(key), key);
        assertThrows(IllegalArgumentException.class, () -> keys.put(key, 1), key);
      }
    }
  }

  /// Of several changes of one key, quick after each other, the last is told for sure.
  @Test
  void aWatchTellsOfChangesInTheirOrder() throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      Keys<Integer> keys = one.keys("numbers", NUMBER);
      Keys<Integer> same = other.keys("numbers", NUMBER);
      keys.put("before", 0);
      try (TopicReceiver<KeyEntry<Integer>> watch = same.watch()) {
        assertEquals(0, watch.receive().value());
        keys.put("x", 1);
        keys.put("x", 2);
        keys.delete("x");

        List<Integer> told = new ArrayList<>();
        long revision = 0;
        for (KeyEntry<Integer> entry = watch.receive();
            entry.value() != null;
            entry = watch.receive()) {
          assertEquals("x", entry.key());
          assertTrue(entry.revision() > revision);
          revision = entry.revision();
          told.add(entry.value());
        }
        assertTrue(List.of(1, 2).containsAll(told), told::toString);
        assertEquals(told.stream().sorted().distinct().toList(), told);
        keys.put("x", 3);
        assertEquals(3, watch.receive().value());
      }
    }
  }

  /// It has to be renewed in time, so it may fail where nothing runs for two seconds.
  @Test
  void oneHoldsALeaseAtATime() throws Exception {
    int[] tries = new int[1];
    Tries.oneOf(5, () -> oneHoldsALease("leader" + tries[0]++));
  }

  private void oneHoldsALease(String name) throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      ClusterLease first = one.lease(name, Duration.ofSeconds(2));
      Coroutine<ClusterLease> waiting =
          Coroutine.spawn(() -> other.lease(name, Duration.ofSeconds(2)));
      Time.sleep(Duration.ofMillis(2500)); // renewed meanwhile
      assertTrue(first.isHeld());
      assertFalse(waiting.status().isEnded());

      first.close();

      ClusterLease second = waiting.await();
      assertFalse(first.isHeld());
      assertTrue(second.isHeld());
      assertTrue(second.token() > first.token());
      first.awaitLoss();
      second.close();
    }
  }

  @Test
  void whoSaysAnotherTimeDoesNotHoldALeaseBesideItsHolder() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterLease held = one.lease("timed", Duration.ofHours(1))) {
      var refused =
          assertThrows(
              IllegalArgumentException.class, () -> other.lease("timed", Duration.ofHours(2)));

      assertTrue(refused.getMessage().contains("PT1H already, not for PT2H"), refused.getMessage());
      assertTrue(held.isHeld());
    }
  }

  @Test
  void aCancelledHolderGivesItsLeaseBack() throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      boolean[] held = new boolean[1];
      Coroutine<Void> holder =
          Coroutine.spawn(
              () -> {
                try (ClusterLease lease = one.lease("leader", Duration.ofHours(1))) {
                  held[0] = true;
                  lease.awaitLoss();
                }
              });
      until(() -> held[0]);

      holder.cancel();

      Await.settle(holder);
      other.lease("leader", Duration.ofHours(1)).close();
    }
  }

  @Test
  void whoWaitsForALeaseIsToldThatTheClusterIsClosed() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        ClusterLease held = one.lease("leader", Duration.ofHours(1))) {
      Coroutine<ClosedException> waiting =
          Coroutine.spawn(
              () ->
                  assertThrows(
                      ClosedException.class, () -> other.lease("leader", Duration.ofHours(1))));
      until(() -> waiting.status() == Status.SUSPENDED);

      other.close();

      waiting.await();
      assertTrue(held.isHeld());
    }
  }

  @Test
  void oneLeadsAtATime() throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      int[] leading = {0, 0};
      List<Coroutine<Void>> candidates = new ArrayList<>();
      for (Cluster each : List.of(one, other)) {
        candidates.add(
            Coroutine.spawn(
                () ->
                    each.lead(
                        "group",
                        Duration.ofSeconds(30),
                        () -> {
                          assertEquals(1, ++leading[0]);
                          Time.sleep(Duration.ofMillis(100));
                          leading[0]--;
                          leading[1]++;
                        })));
      }
      Await.all(candidates);

      assertEquals(2, leading[1]);
    }
  }

  @Test
  void objectsAreLarge(@TempDir Path folder) throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      Blobs blobs = one.objects("models");
      byte[] large = new byte[3_000_000];
      for (int i = 0; i < large.length; i++) {
        large[i] = (byte) (i * 31);
      }
      Path file = Files.write(folder.resolve("in"), large);
      blobs.put("big", file);
      blobs.put("small", new byte[] {1, 2});
      Blobs same = other.objects("models");

      same.get("big", folder.resolve("out"));

      assertArrayEquals(large, Files.readAllBytes(folder.resolve("out")));
      assertArrayEquals(new byte[] {1, 2}, same.get("small", 10));
      assertThrows(CodecException.class, () -> same.get("big", 10));
      IllegalArgumentException noName =
          assertThrows(IllegalArgumentException.class, () -> same.get("no name", 10));
      assertTrue(noName.getMessage().startsWith("the name of an object "), noName::getMessage);
      assertEquals(
          List.of(new Blobs.Blob("big", large.length), new Blobs.Blob("small", 2)), same.list());
      assertTrue(blobs.remove("big"));
      assertFalse(blobs.remove("big"));
      assertNull(same.find("big"));
      assertThrows(NoSuchFileException.class, () -> same.get("big", folder.resolve("none")));
      assertFalse(Files.exists(folder.resolve("none")));
    }
  }

  /// A pipe that nobody writes to yet blocks whoever opens it: not the loop.
  @Test
  void aFileThatBlocksDoesNotBlockTheLoop(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe");
    Loop.offload(() -> new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    try (Cluster one = join()) {
      Blobs blobs = one.objects("pipes");
      Coroutine<Void> putting = Coroutine.spawn(() -> blobs.put("piped", pipe));
      Coroutine.pause();

      Loop.offload(() -> Files.writeString(pipe, "through"));

      putting.await();
      assertArrayEquals("through".getBytes(UTF_8), blobs.get("piped", 100));
    }
  }

  // ---- calls

  @Test
  void aCallIsAnswered() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Served served = other.serve("square", NUMBER, NUMBER, each -> each * each)) {
      Call<Integer, Integer> square = one.call("square", NUMBER, NUMBER);

      assertEquals(9, square.run(3));
      until(() -> served.running() == 0);
    }
  }

  @Test
  void callsAreSpreadOverThoseWhoServe() throws Exception {
    try (Cluster one = join();
        Cluster two = join();
        Cluster three = join()) {
      Set<String> answered = new HashSet<>();
      try (Served here = two.serve("who", NUMBER, Codec.text(), each -> "two");
          Served there = three.serve("who", NUMBER, Codec.text(), each -> "three")) {
        Call<Integer, String> who = one.call("who", NUMBER, Codec.text());
        for (int i = 0; i < 60; i++) {
          answered.add(who.run(i));
        }
        assertEquals(Set.of("two", "three"), answered);
      }
    }
  }

  @Test
  void whatNobodyServesIsToldAtOnce() throws Exception {
    try (Cluster one = join()) {
      Call<Integer, Integer> call = one.call("nobody", NUMBER, NUMBER);

      assertThrows(NoServerException.class, () -> call.run(1));
    }
  }

  @Test
  void aFailureComesWithItsTrace() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Served served =
            other.serve(
                "fails",
                NUMBER,
                NUMBER,
                each -> {
                  throw new IllegalArgumentException("not " + each);
                })) {
      RemoteFailureException told =
          assertThrows(
              RemoteFailureException.class, () -> one.call("fails", NUMBER, NUMBER).run(3));

      assertEquals("java.lang.IllegalArgumentException", told.type());
      assertEquals("not 3", told.remoteMessage());
      assertTrue(
          told.remoteTrace().stream().anyMatch(each -> each.getClassName().contains("Conformance")),
          () -> told.remoteTrace().toString());
    }
  }

  /// It is no sign that the caller does not wait any more.
  @Test
  void aHandlerWithATimeoutOfItsOwnIsToldTheCaller() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Served served =
            other.serve(
                "slow",
                NUMBER,
                NUMBER,
                each -> {
                  throw new TimeoutException("too slow, of somebody else");
                })) {
      Call<Integer, Integer> slow = one.call("slow", NUMBER, NUMBER);

      RemoteFailureException told =
          assertThrows(
              RemoteFailureException.class, () -> slow.withTimeout(Duration.ofMinutes(1)).run(1));

      assertEquals(TimeoutException.class.getName(), told.type());
    }
  }

  @Test
  void whoeverGivesUpACallCancelsTheWork() throws Exception {
    try (Cluster one = join();
        Cluster other = join()) {
      List<String> log = new ArrayList<>();
      try (Served served =
          other.serve(
              "slow",
              NUMBER,
              NUMBER,
              each -> {
                log.add("begun " + each);
                try {
                  Time.sleep(Duration.ofMinutes(5));
                  return each;
                } finally {
                  log.add("left " + each);
                }
              })) {
        Call<Integer, Integer> slow = one.call("slow", NUMBER, NUMBER);
        assertThrows(
            TimeoutException.class, () -> Time.timeout(Duration.ofMillis(300), () -> slow.run(1)));
        until(() -> left(log, 1)); // if it was begun at all: a machine may need longer for that
        assertThrows(TimeoutException.class, () -> slow.withTimeout(Duration.ofMillis(300)).run(2));
        until(() -> left(log, 2));
        Coroutine<Integer> third = Coroutine.spawn(() -> slow.run(3));
        until(() -> served.running() == 1);
        third.cancel();
        until(() -> log.contains("left 3"));
      }
    }
  }

  private static boolean left(List<String> log, int which) {
    return log.contains("begun " + which) == log.contains("left " + which);
  }

  @Test
  void whatIsBeingAnsweredIsAnsweredBeforeTheEnd() throws Exception {
    try (Cluster one = join()) {
      Cluster other = join();
      Served served =
          other.serve(
              "slow",
              NUMBER,
              NUMBER,
              each -> {
                Time.sleep(Duration.ofMillis(300));
                return each;
              });
      Coroutine<Integer> call = Coroutine.spawn(() -> one.call("slow", NUMBER, NUMBER).run(6));
      until(() -> served.running() == 1);

      other.close();

      assertEquals(6, call.await());
      assertTrue(served.isClosed());
    }
  }

  @Test
  void whoWaitsForAnAnswerIsToldThatTheClusterIsClosed() throws Exception {
    try (Cluster other = join()) {
      Cluster one = join();
      Gate never = new Gate(false);
      try (Served served =
          other.serve(
              "stuck",
              NUMBER,
              NUMBER,
              each -> {
                never.await();
                return each;
              })) {
        // So long that it does not end by itself.
        Call<Integer, Integer> stuck =
            one.call("stuck", NUMBER, NUMBER).withTimeout(Duration.ofHours(1));
        Coroutine<ClosedException> told =
            Coroutine.spawn(() -> assertThrows(ClosedException.class, () -> stuck.run(1)));
        until(() -> served.running() == 1);

        one.close();

        told.await();
        until(() -> served.running() == 0); // it was given up at the other side, too
      }
    }
  }

  /// Each call is cancelled a turn later than the one before: before it is sent, on its way, while it
  /// is worked on, when its answer is there.
  @Test
  void aCallCanBeCancelledAtAnyTime() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Served served =
            other.serve(
                "next",
                NUMBER,
                NUMBER,
                each -> {
                  Coroutine.pause();
                  return each + 1;
                })) {
      Call<Integer, Integer> next = one.call("next", NUMBER, NUMBER);
      assertEquals(1, next.run(0));
      for (int turns = 0; turns < 60; turns++) {
        int number = turns;
        Coroutine<Integer> call = Coroutine.spawn(() -> next.run(number));
        for (int i = 0; i < turns; i++) {
          Coroutine.pause();
        }
        call.cancel();
        Await.settle(call);
      }
      until(() -> served.running() == 0);

      assertEquals(8, next.run(7));
    }
  }

  @Test
  void anInputThatIsNoneIsToldTheCaller() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Served served = other.serve("square", NUMBER, NUMBER, each -> each * each)) {
      Call<String, Integer> wrong = one.call("square", Codec.text(), NUMBER);

      RemoteFailureException told =
          assertThrows(RemoteFailureException.class, () -> wrong.run("three"));

      assertEquals(CodecException.class.getName(), told.type());
      assertEquals(16, one.call("square", NUMBER, NUMBER).run(4));
    }
  }

  // ---- pools

  @Test
  void aPoolMapsOverItsWorkers() throws Exception {
    try (Cluster one = join();
        Cluster two = join();
        Cluster three = join();
        WorkerPool<Integer, Integer> pool = one.pool("squares", NUMBER, NUMBER);
        Working here = two.work("squares", NUMBER, NUMBER, 3, each -> each * each);
        Working there = three.work("squares", NUMBER, NUMBER, 3, each -> each * each)) {
      List<PoolProgress> progress = new ArrayList<>();

      List<Integer> squares = pool.map(IntStream.range(0, 200).boxed().toList(), progress::add);

      assertEquals(IntStream.range(0, 200).map(each -> each * each).boxed().toList(), squares);
      assertEquals(new PoolProgress(200, 200, 0), progress.getLast());
      assertEquals(200, progress.size());
      assertEquals(200, here.done() + there.done());
      assertTrue(here.done() > 0 && there.done() > 0, here.done() + " and " + there.done());
    }
  }

  @Test
  void aTaskThatFailsIsToldWhoGaveIt() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        WorkerPool<Integer, Integer> pool = one.pool("halves", NUMBER, NUMBER);
        Working working =
            other.work(
                "halves",
                NUMBER,
                NUMBER,
                2,
                each -> {
                  if (each % 2 != 0) {
                    throw new ArithmeticException(each + " is odd");
                  }
                  return each / 2;
                })) {
      Promise<Integer> two = pool.submit(4);

      RemoteFailureException told = assertThrows(RemoteFailureException.class, () -> pool.run(5));

      assertEquals("5 is odd", told.remoteMessage());
      assertEquals(2, two.await());
      assertEquals(1, pool.run(2));
    }
  }

  /// A task, or a result, that is no value: it is told whoever gave the task, and stops nothing.
  @Test
  void aTaskThatIsNoneIsToldWhoGaveIt() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Working numbers = other.work("squares", NUMBER, NUMBER, 1, each -> each * each);
        Working endless =
            other.work("endless", NUMBER, Codec.json(Endless.class), 1, each -> new Endless());
        WorkerPool<String, Integer> texts = one.pool("squares", Codec.text(), NUMBER);
        WorkerPool<Integer, Order> orders = one.pool("squares", NUMBER, Codec.json(Order.class));
        WorkerPool<Integer, Integer> squares = one.pool("squares", NUMBER, NUMBER);
        WorkerPool<Integer, Integer> ends = one.pool("endless", NUMBER, NUMBER)) {
      RemoteFailureException noTask =
          assertThrows(RemoteFailureException.class, () -> texts.run("three"));
      CodecException noResult = assertThrows(CodecException.class, () -> orders.run(3));
      RemoteFailureException unsaid = assertThrows(RemoteFailureException.class, () -> ends.run(3));

      assertEquals(CodecException.class.getName(), noTask.type());
      assertTrue(noResult.getMessage().contains("pool \"squares\""), noResult::getMessage);
      assertEquals(CodecException.class.getName(), unsaid.type());
      assertEquals(9, squares.run(3));
    }
  }

  @Test
  void whoeverGivesUpATaskCancelsIt() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        WorkerPool<Integer, Integer> pool = one.pool("slow", NUMBER, NUMBER)) {
      List<String> log = new ArrayList<>();
      try (Working working =
          other.work(
              "slow",
              NUMBER,
              NUMBER,
              1,
              each -> {
                try {
                  Time.sleep(Duration.ofMinutes(each));
                  return each;
                } finally {
                  log.add("left");
                }
              })) {
        Coroutine<Integer> given = Coroutine.spawn(() -> pool.run(5));
        until(() -> working.running() == 1);
        given.cancel();
        Await.settle(given);

        until(() -> log.contains("left"));
        assertEquals(0, pool.run(0));
      }
    }
  }

  // ---- the end

  @Test
  void everythingIsRefusedAfterTheEnd() throws Exception {
    Cluster one = join();
    ClusterChan<Integer> chan = one.chan("numbers", NUMBER);
    WorkQueue<Integer> queue = one.queue("numbers", NUMBER);
    TopicReceiver<Integer> receiver = one.<Integer>topic("numbers", NUMBER).subscribe();
    List<Coroutine<ClosedException>> told =
        List.of(
            Coroutine.spawn(() -> assertThrows(ClosedException.class, chan::receive)),
            Coroutine.spawn(() -> assertThrows(ClosedException.class, queue::receive)),
            Coroutine.spawn(() -> assertThrows(ClosedException.class, receiver::receive)));
    one.flush();

    one.close();
    one.close();

    Await.all(told);
    assertThrows(ClosedException.class, () -> one.topic("numbers", NUMBER));
    assertThrows(ClosedException.class, () -> queue.put(1));
    assertThrows(ClosedException.class, one::flush);
    assertTrue(one.isClosed() && chan.isClosed() && queue.isClosed() && receiver.isClosed());
    assertEquals(ClusterState.CLOSED, one.state());
  }

  @Test
  void whoIsElsewhereIsRefusedAndChangesNothing() throws Exception {
    try (Cluster one = join();
        ClusterChan<Integer> chan = one.chan("numbers", NUMBER);
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER);
        TopicReceiver<Integer> receiver = one.<Integer>topic("numbers", NUMBER).subscribe();
        Served served = one.serve("numbers", NUMBER, NUMBER, each -> each);
        Working working = one.work("numbers", NUMBER, NUMBER, 1, each -> each);
        WorkerPool<Integer, Integer> pool = one.pool("numbers", NUMBER, NUMBER);
        ClusterLease lease = one.lease("numbers", Duration.ofSeconds(30))) {
      queue.put(3);
      Job<Integer> job = queue.receive();
      List<Executable> all =
          List.of(
              job::ack,
              job::working,
              job::giveBack,
              chan::close,
              queue::close,
              receiver::close,
              served::close,
              working::close,
              pool::close,
              pool::cancel,
              lease::close,
              lease::awaitLoss,
              one::close);

      for (Executable each : all) {
        Loop.offload(() -> assertThrows(IllegalStateException.class, each));
        Loop.offload(
            () -> {
              Loop.run(() -> assertThrows(IllegalStateException.class, each));
              return true;
            });
      }

      assertFalse(one.isClosed() || chan.isClosed() || queue.isClosed() || receiver.isClosed());
      assertFalse(served.isClosed() || working.isClosed() || pool.isClosed());
      assertTrue(lease.isHeld());
      job.ack();
      assertEquals(4, pool.run(4));
      assertEquals(5, one.call("numbers", NUMBER, NUMBER).run(5));
    }
  }

  @Test
  void aCancelledCoroutineCanCloseIt() throws Exception {
    Cluster[] opened = new Cluster[1];
    Coroutine<Void> user =
        Coroutine.spawn(
            () -> {
              try (Cluster one = join();
                  ClusterChan<Integer> chan = one.chan("numbers", NUMBER)) {
                opened[0] = one;
                chan.receive();
              }
            });
    until(() -> opened[0] != null);
    user.cancel();
    Await.settle(user);

    assertTrue(opened[0].isClosed());
  }

  @Test
  void aLoopThatEndsClosesIt() throws Exception {
    Cluster[] opened = new Cluster[1];
    Loop.offload(
        () -> {
          Loop.run(
              () -> {
                opened[0] = join();
                opened[0].flush();
              });
          return null;
        });

    assertTrue(opened[0].isClosed());
  }
}
