// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Gate;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Somebody at the same server means no good: says what nobody asked for, in words that are none,
/// or far too much.
@Tag("servers")
@InLoop
@SuppressWarnings("try") // some are only there
class HostilePeerTest {
  private static final Codec<Integer> NUMBER = Codec.json(Integer.class);
  private static NatsServer server;

  private final String space = "h" + System.nanoTime();

  @BeforeAll
  static void start() throws Exception {
    server = NatsServer.open();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private Cluster join() throws Exception {
    return Cluster.connect(options(), server.url());
  }

  private ClusterOptions options() {
    return ClusterOptions.DEFAULT.withSpace(space).withConnectTimeout(Duration.ofMinutes(1));
  }

  private static Raw raw() throws Exception {
    return Loop.offload(() -> new Raw(server));
  }

  /// Returns when the server has it: what somebody else says from then on comes after it.
  private static void say(Raw raw, String subject, String reply, byte[] data) throws Exception {
    say(raw, subject, reply, null, data);
  }

  private static void say(Raw raw, String subject, String reply, Headers headers, byte[] data)
      throws Exception {
    Loop.offload(
        () -> {
          raw.connection().publish(subject, reply, headers, data);
          return raw.flushed();
        });
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void wordsThatAreNoneAreIgnoredByAChannel() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Raw raw = raw();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);
      String subject = space + ".chan.numbers";
      for (byte[] nonsense :
          List.of(new byte[0], new byte[] {-1}, new byte[5], utf8("hello"), new byte[500_000])) {
        say(raw, subject, null, nonsense);
        say(raw, subject, "_INBOX.forged", nonsense);
      }
      for (Frame.Word word : Frame.Word.values()) {
        say(raw, subject, null, Frame.of(word, 3));
        say(raw, subject, "_INBOX.forged.address", Frame.of(word, Integer.MAX_VALUE));
        say(raw, subject, space + ".queue.payments", Frame.of(word));
      }

      from.send(5);

      assertEquals(5, receiving.await());
    }
  }

  /// Far more than there are processes, and none of them is there.
  @Test
  void offersOfNobodyDoNotStandInTheWay() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Raw raw = raw();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      for (int i = 0; i < 3_000; i++) {
        byte[] offer = Frame.of(Frame.Word.OFFER);
        raw.connection().publish(space + ".chan.numbers", "_INBOX.nobody" + i, offer);
      }
      Loop.offload(raw::flushed);
      other.flush();
      Coroutine<Integer> receiving = Coroutine.spawn(to::receive);

      from.send(5);

      assertEquals(5, receiving.await());
    }
  }

  /// An address of that process, as those see it whom it calls, with another last word.
  private String addressOfNobodyAt(Cluster cluster, Raw raw) throws Exception {
    AtomicReference<String> inbox = new AtomicReference<>();
    raw.connection()
        .createDispatcher(message -> inbox.set(message.getReplyTo()))
        .subscribe(space + ".call.seen");
    Loop.offload(raw::flushed);
    Call<Integer, Integer> seen = cluster.call("seen", NUMBER, NUMBER);
    Coroutine<Integer> call = Coroutine.spawn(() -> seen.run(1));
    Conformance.until(() -> inbox.get() != null);
    call.cancel();
    Await.settle(call);
    return inbox.get().substring(0, inbox.get().lastIndexOf('.')) + ".never";
  }

  /// Whoever was to have it has closed the channel between asking for it and getting it.
  @Test
  void aValueForWhoIsNotThereAnyMoreGoesToTheNext() throws Exception {
    try (Cluster one = join();
        Cluster other = join();
        Raw raw = raw();
        ClusterChan<Integer> from = one.chan("numbers", NUMBER);
        ClusterChan<Integer> to = other.chan("numbers", NUMBER)) {
      raw.claimEverything(space + ".chan.numbers", addressOfNobodyAt(other, raw));
      Loop.offload(raw::flushed);
      Coroutine<Void> sending = Coroutine.spawn(() -> from.send(1));
      Conformance.until(() -> raw.claims() > 0);
      raw.claimNothing();

      assertEquals(1, to.receive());

      sending.await();
    }
  }

  /// Whoever gave the task gave it up before it heard who has it.
  @Test
  void aTaskThatNobodyWaitsForIsCancelled() throws Exception {
    Gate never = new Gate(false);
    int[] left = new int[1];
    try (Cluster one = join();
        Cluster other = join();
        Raw raw = raw();
        Working working =
            other.work(
                "stuck",
                NUMBER,
                NUMBER,
                1,
                each -> {
                  try {
                    never.await();
                  } finally {
                    left[0]++;
                  }
                  return each;
                })) {
      byte[] task = new TaskBytes(addressOfNobodyAt(one, raw), utf8("3")).encode();
      raw.give(space + ".pool.stuck", task);

      Conformance.until(() -> left[0] > 0);
    }
  }

  /// Who answers by the address that a message names could be made to publish anywhere.
  @Test
  void anAnswerIsSentToAnInboxAlone() throws Exception {
    try (Cluster one = join();
        Raw raw = raw();
        ClusterChan<Integer> chan = one.chan("numbers", NUMBER);
        Served served = one.serve("square", NUMBER, NUMBER, each -> each * each)) {
      Subscription stolen = raw.connection().subscribe(space + ".queue.payments");
      Loop.offload(raw::flushed);
      Coroutine<Void> sending = Coroutine.spawn(() -> chan.send(1));
      one.flush();
      for (String wrong :
          List.of(space + ".queue.payments", "$JS.API.STREAM.PURGE.x", "_INBOX", "_INBOX..a")) {
        if (!wrong.contains("..")) {
          say(raw, space + ".chan.numbers", wrong, Frame.of(Frame.Word.WANT));
          say(raw, space + ".call.square", wrong, utf8("3"));
        }
      }
      // Somebody who asks properly is answered after those who did not: then nothing is to come.
      assertEquals(9, one.call("square", NUMBER, NUMBER).run(3));
      one.flush();
      Loop.offload(raw::flushed);

      assertNull(Loop.offload(() -> stolen.nextMessage(Duration.ofMillis(100))));
      assertFalse(Subjects.isInbox("_INBOX..a"));
      assertFalse(Subjects.isInbox("_INBOX.a.>"));
      Conformance.until(() -> served.running() == 0);
      sending.cancel();
    }
  }

  @Test
  void anAnswerToACallThatWasNeverMadeIsDropped() throws Exception {
    try (Cluster one = join();
        Raw raw = raw();
        Served served = one.serve("square", NUMBER, NUMBER, each -> each * each)) {
      AtomicReference<String> inbox = new AtomicReference<>();
      Dispatcher spy =
          raw.connection()
              .createDispatcher(message -> inbox.set(String.valueOf(message.getReplyTo())));
      spy.subscribe(space + ".call.square");
      Loop.offload(raw::flushed);
      Call<Integer, Integer> square = one.call("square", NUMBER, NUMBER);
      assertEquals(4, square.run(2));
      Conformance.until(() -> inbox.get() != null);
      String seen = inbox.get();
      long before = one.dropped();

      say(raw, seen, null, utf8("99")); // replayed
      say(raw, seen.substring(0, seen.lastIndexOf('.')) + ".never", null, utf8("99"));

      Conformance.until(() -> one.dropped() == before + 2);
      assertEquals(9, square.run(3));
    }
  }

  /// A call and the word that nobody waits for it come on two ways: the second may be the first
  /// here. Others who serve the name hear that word too, and forget it.
  @Test
  void aCallThatWasGivenUpBeforeItCameIsNotBegun() throws Exception {
    List<Integer> begun = new ArrayList<>();
    try (Cluster one = join();
        Raw raw = raw();
        Served served =
            one.serve(
                "note",
                NUMBER,
                NUMBER,
                each -> {
                  begun.add(each);
                  return each;
                })) {
      say(raw, space + ".cancel.note", null, utf8("_INBOX.raw.first"));
      one.flush(); // it has been heard
      say(raw, space + ".call.note", "_INBOX.raw.first", utf8("1"));
      say(raw, space + ".call.note", "_INBOX.raw.second", utf8("2"));
      Conformance.until(() -> begun.contains(2)); // the other came before it
      for (int i = 0; i < 5_000; i++) { // far more than it remembers
        raw.connection().publish(space + ".cancel.note", utf8("_INBOX.raw.many" + i));
      }

      assertEquals(3, one.call("note", NUMBER, NUMBER).run(3));
      assertEquals(List.of(2, 3), begun);
    }
  }

  @Test
  void forgedHeadersOfACallAreIgnored() throws Exception {
    try (Cluster one = join();
        Raw raw = raw();
        Served served = one.serve("square", NUMBER, NUMBER, each -> each * each)) {
      for (String limit : List.of("", "-5", "soon", "99999999999999999999", "1e9")) {
        Headers headers = new Headers().put(Call.TIMEOUT, limit).put("X-Other", "1");
        Message asked =
            NatsMessage.builder()
                .subject(space + ".call.square")
                .headers(headers)
                .data("3")
                .build();

        Message answer = Loop.offload(() -> raw.connection().request(asked, Duration.ofMinutes(1)));

        assertEquals("9", new String(answer.getData(), StandardCharsets.UTF_8), limit);
      }
    }
  }

  @Test
  void aGiantPayloadIsRefused() throws Exception {
    try (Cluster one = Cluster.connect(options().withLargestValue(1000), server.url());
        Raw raw = raw();
        Served served = one.serve("size", Codec.bytes(), NUMBER, each -> each.length)) {
      Message answer =
          Loop.offload(
              () ->
                  raw.connection()
                      .request(space + ".call.size", new byte[900_000], Duration.ofMinutes(1)));

      assertTrue(answer.getHeaders().containsKey(Call.FAILURE));
      assertTrue(
          new String(answer.getData(), StandardCharsets.UTF_8).contains("at most 1000 bytes"));
      assertEquals(7, one.call("size", Codec.bytes(), NUMBER).run(new byte[7]));
    }
  }

  /// A type that can hold anything.
  public record Anything(Object value) {}

  @Test
  void bombsOfJsonAreRefused() {
    Codec<Anything> codec = Codec.json(Anything.class);
    String deep = "{\"value\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    String digits = "{\"value\":" + "9".repeat(100_000) + "}";
    String name = "{\"" + "n".repeat(100_000) + "\":1}";
    for (String bomb : List.of(deep, digits, name, "{\"value\":1} {\"value\":2}", "null", "")) {
      Coding<Anything> coding = new Coding<>(codec, "a test", 1 << 20);
      CodecException told = assertThrows(CodecException.class, () -> coding.decode(utf8(bomb)));
      assertTrue(told.getMessage().length() < 2000, "the message repeats the bomb");
    }
  }

  /// Text that names a class makes none.
  @Test
  void noClassIsNamedByText() throws Exception {
    Codec<Anything> codec = Codec.json(Anything.class);

    Anything made =
        codec.decode(
            utf8(
                "{\"value\":[\"javax.script.ScriptEngineManager\",{\"@class\":\"java.net.URL\"}],"
                    + "\"@type\":\"java.util.ArrayList\"}"));

    assertEquals(
        List.of("javax.script.ScriptEngineManager", Map.of("@class", "java.net.URL")),
        made.value());
  }

  @Test
  void nonsenseInAQueueIsADeadLetter() throws Exception {
    try (Cluster one = join();
        Raw raw = raw();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER);
        WorkQueue<Integer> dead = queue.dead()) {
      Headers headers = new Headers().put("Couv-Due", "whenever");
      say(raw, space + ".queue.numbers", null, utf8("{\"no\":"));
      say(raw, space + ".queue.numbers", null, headers, utf8("4"));
      queue.put(5);

      Job<Integer> four = queue.receive();
      Job<Integer> five = queue.receive();

      assertEquals(List.of(4, 5), List.of(four.value(), five.value()));
      four.ack();
      five.ack();
      Conformance.until(() -> dead.size() == 1 && queue.size() == 0);
    }
  }

  /// Words that are none, tasks that are none, answers that nobody asked for.
  /// It would be refused among the dead letters, and come again for ever.
  @Test
  void whatFillsAMessageToItsEndIsADeadLetterAllTheSame() throws Exception {
    try (Cluster one = join();
        Raw raw = raw();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER);
        WorkQueue<Integer> dead = queue.dead()) {
      int most = (int) raw.connection().getMaxPayload();
      say(raw, space + ".queue.numbers", null, null, new byte[most]);
      Coroutine<Job<Integer>> nobody = Coroutine.spawn(queue::receive);

      Job<Integer> letter = dead.receive();

      assertTrue(letter.reason().startsWith("cut, of " + most + " bytes"), letter.reason());
      letter.ack();
      nobody.cancel();
      Await.settle(nobody);
    }
  }

  @Test
  void timesThatAreNoneDoNotStandInTheWay() throws Exception {
    try (Cluster one = join();
        Raw raw = raw();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER)) {
      Headers never = new Headers().put("Couv-Due", Long.toString(Long.MAX_VALUE));
      Headers longAgo = new Headers().put("Couv-Due", Long.toString(Long.MIN_VALUE));
      say(raw, space + ".queue.numbers", null, never, utf8("3"));
      say(raw, space + ".queue.numbers", null, longAgo, utf8("4"));

      Job<Integer> four = Time.timeout(Duration.ofSeconds(20), queue::receive);

      assertEquals(4, four.value());
      four.ack();
      assertEquals(1, queue.size());
    }
  }

  @Test
  void nonsenseInAPoolIsIgnored() throws Exception {
    String subject = space + ".pool.squares";
    try (Cluster one = join();
        Cluster other = join();
        Raw raw = raw();
        Working working = one.work("squares", NUMBER, NUMBER, 1, each -> each * each);
        WorkerPool<Integer, Integer> pool = other.pool("squares", NUMBER, NUMBER)) {
      Subscription stolen = raw.connection().subscribe(space + ".queue.payments");
      for (byte[] nonsense : List.of(new byte[0], new byte[] {-1}, utf8("hello"))) {
        say(raw, subject, "_INBOX.forged", nonsense);
        raw.give(subject, nonsense);
      }
      raw.give(subject, new TaskBytes(space + ".queue.payments", utf8("3")).encode());
      raw.give(subject, new TaskBytes("_INBOX.nobody", utf8("no number")).encode());
      Conformance.until(() -> raw.taken() >= 5); // each of them, or some more often
      spoil(raw);

      assertEquals(9, pool.run(3));

      Loop.offload(raw::flushed);
      assertNull(Loop.offload(() -> stolen.nextMessage(Duration.ofMillis(100))));
    }
  }

  /// Whoever says anything to anybody's inbox hears nonsense from a third.
  private static void spoil(Raw raw) throws Exception {
    raw.connection()
        .createDispatcher(
            message -> {
              String from = message.getReplyTo();
              if (from != null && from.startsWith("_INBOX.") && message.getData().length > 0) {
                raw.connection().publish(from, utf8("nonsense"));
                raw.connection().publish(from, Frame.of(Frame.Word.WORKING));
                raw.connection().publish(message.getSubject(), utf8("nonsense"));
              }
            })
        .subscribe("_INBOX.>");
    Loop.offload(raw::flushed);
  }

  @Test
  void nonsenseInATopicIsPassedOver() throws Exception {
    try (Cluster one = join();
        Raw raw = raw()) {
      ClusterTopic<Integer> topic = one.topic("news", NUMBER);
      try (TopicReceiver<Integer> receiver = topic.subscribe()) {
        say(raw, space + ".topic.news", "_INBOX.x", utf8("[["));
        topic.publish(3);

        assertEquals(3, receiver.receive());
      }
    }
  }

  /// What is claimed to be a delivery of a queue, and comes from somebody else.
  @Test
  void aForgedDeliveryIsIgnored() throws Exception {
    try (Cluster one = join();
        Raw raw = raw();
        WorkQueue<Integer> queue = one.queue("numbers", NUMBER)) {
      Dispatcher spy =
          raw.connection()
              .createDispatcher(
                  message -> {
                    String to = String.valueOf(message.getReplyTo());
                    raw.connection().publish(to, "$JS.ACK.forged", utf8("6"));
                    raw.connection().publish(to, "$JS.ACK.a.b.x.y.z.1.2", utf8("6"));
                    raw.connection().publish(to, utf8("6"));
                  });
      spy.subscribe("$JS.API.CONSUMER.MSG.NEXT." + space + "_queue_numbers.>");
      Loop.offload(raw::flushed);
      Coroutine<Job<Integer>> receiving = Coroutine.spawn(queue::receive);
      one.flush();
      queue.put(7);

      Job<Integer> job = receiving.await();

      assertEquals(7, job.value());
      job.ack();
    }
  }
}
