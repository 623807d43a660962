// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.Patience;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The seeds' rendezvous: ends that meet, and values that go both ways.
class ChanSyncTest {
  private final List<Object> log = Collections.synchronizedList(new ArrayList<>());

  @InLoop
  @ParameterizedTest
  @CsvSource({"IN,OUT", "OUT,IN", "IN,ANY", "ANY,IN", "OUT,ANY", "ANY,OUT", "ANY,ANY"})
  @Behaviour({"CH03", "CH12"})
  void endsThatFitExchangeValues(Endpoint one, Endpoint other) throws Exception {
    Chan<String> chan = Chan.create(0);
    assertNull(chan.trySync(other, "too early"));
    Coroutine<String> waiting = Coroutine.spawn(() -> chan.sync(one, "from the first"));
    Coroutine.pause();

    assertEquals("from the first", chan.sync(other, "from the second"));

    assertEquals("from the second", waiting.await());
    assertNull(chan.trySync(other, "too late"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"IN", "OUT"})
  void endsThatDoNotFitWaitInLine(Endpoint end) throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(0);
          List<Coroutine<?>> waiting = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            int number = i;
            waiting.add(Coroutine.spawn(() -> log.add(chan.sync(end, number))));
          }
          Coroutine.pause();
          assertEquals(Status.SUSPENDED, waiting.getFirst().status());
          for (int i = 0; i < 3; i++) {
            assertEquals(i, chan.sync(Endpoint.ANY, 10 + i));
          }
        });

    assertEquals(List.of(10, 11, 12), log);
  }

  /// Two coroutines, two loops, two threads, in every mixture.
  @ParameterizedTest
  @CsvSource({
    "coroutine,loop",
    "coroutine,thread",
    "loop,coroutine",
    "loop,loop",
    "loop,thread",
    "thread,coroutine",
    "thread,loop",
    "thread,thread"
  })
  @Behaviour({"CH12", "CH13"})
  void allPartiesMix(String one, String other) throws Exception {
    Chan<List<Object>> chan = Chan.create(0);
    List<Object> long200 = List.copyOf(IntStream.range(0, 200).boxed().toList());
    List<Object> text = List.of("x".repeat(6000), Double.NEGATIVE_INFINITY, true);
    try (Loops all = new Loops()) {
      start(all, one, chan, Endpoint.OUT, long200);
      start(all, one, chan, Endpoint.OUT, null);
      Patience.until(() -> chan.stats().senders() == 2);
      start(all, other, chan, Endpoint.IN, text);
      start(all, other, chan, Endpoint.IN, null);
    }

    log.removeIf("null"::equals);
    assertEquals(2, log.size());
    assertEquals(true, log.containsAll(List.of(long200, text)));
    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
  }

  private void start(
      Loops all, String kind, Chan<List<Object>> chan, Endpoint end, List<Object> value) {
    switch (kind) {
      case "coroutine" ->
          all.loop(() -> Coroutine.spawn(() -> log.add(orNull(chan.sync(end, value)))).await());
      case "loop" -> all.loop(() -> log.add(orNull(chan.sync(end, value))));
      default -> all.thread(() -> log.add(orNull(chan.sync(end, value))));
    }
  }

  private static Object orNull(Object value) {
    return value == null ? "null" : value;
  }

  @Test
  @Behaviour("CH04")
  void oneMeetingEndsOneWait() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(0);
          Coroutine<?> twice =
              Coroutine.spawn(
                  () -> {
                    log.add(chan.sync(Endpoint.ANY, null));
                    log.add(chan.sync(Endpoint.ANY, null));
                  });
          Coroutine.pause();
          assertNotNull(chan.trySync(Endpoint.ANY, 1));
          assertNull(chan.trySync(Endpoint.ANY, 2));
          Coroutine.pause();
          assertNotNull(chan.trySync(Endpoint.ANY, 3));
          twice.await();
        });

    assertEquals(List.of(1, 3), log);
  }

  @InLoop
  @Test
  @Behaviour("CH05")
  void aResumeEndsTheWait() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> waiting =
        Coroutine.spawn(
            () -> assertThrows(Resumed.class, () -> chan.sync(Endpoint.ANY, 1)).values());
    Coroutine.pause();
    waiting.resume("a", "b");
    assertEquals(List.of("a", "b"), waiting.await());
    assertNull(chan.trySync(Endpoint.ANY, 1));
  }

  @InLoop
  @Test
  @Behaviour({"CH07", "CH08"})
  void whatWasMetAndNotTakenIsForTheNextAndTheFirstPartnerHasSucceeded() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> waiting =
        Coroutine.spawn(
            () -> {
              assertThrows(Resumed.class, () -> chan.sync(Endpoint.IN, null));
              log.add(chan.sync(Endpoint.IN, null));
              assertThrows(Resumed.class, () -> chan.sync(Endpoint.IN, null));
            });
    Coroutine.pause();
    assertNotNull(chan.trySync(Endpoint.OUT, 123));

    waiting.resume(); // it awaits again, and finds the value there

    assertEquals(List.of(123), log);
    waiting.resume();
    assertNull(chan.trySync(Endpoint.OUT, 456));
    assertEquals(Status.DONE, waiting.status());
  }

  @InLoop
  @Test
  @Behaviour("CH21")
  void aCoroutineMayFailAfterAMeetingOrACancel() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> failing =
        Coroutine.spawn(
            () -> {
              chan.sync(Endpoint.ANY, 1);
              throw new IllegalStateException("on purpose");
            });
    Coroutine<?> cancelled = Coroutine.spawn(() -> chan.sync(Endpoint.IN, 1));
    Coroutine.pause();
    assertEquals(Status.READY, failing.status());
    cancelled.cancel();
    assertEquals(2, Await.settle(failing, cancelled).size());
    assertThrows(IllegalStateException.class, failing::await);
  }

  @ParameterizedTest
  @ValueSource(strings = {"i", "o", "input", "output", "", "IN"})
  @Behaviour("CH15")
  void otherEndsAreRefused(String end) {
    assertThrows(IllegalArgumentException.class, () -> Endpoint.of(end));
    assertEquals(Endpoint.IN, Endpoint.of("in"));
    assertEquals(Endpoint.OUT, Endpoint.of("out"));
    assertEquals(Endpoint.ANY, Endpoint.of("any"));
  }

  @InLoop
  @Test
  void sendAndReceiveMeetSyncToo() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> sender = Coroutine.spawn(() -> chan.send(1));
    Coroutine.pause();
    assertEquals(1, chan.sync(Endpoint.IN, 99));
    sender.await();
    Coroutine<Integer> receiver = Coroutine.spawn(chan::receive);
    Coroutine.pause();
    assertNull(chan.sync(Endpoint.ANY, 2));
    assertEquals(2, receiver.await());
  }

  @Test
  void aChannelWithACapacityHasNoMeetings() throws Exception {
    Chan<Integer> chan = Chan.create(1);
    assertThrows(IllegalStateException.class, () -> chan.sync(Endpoint.ANY, 1));
    assertThrows(IllegalStateException.class, () -> chan.trySync(Endpoint.ANY, 1));
  }

  @Test
  @Behaviour("CH11")
  void oneWhoseLoopHasEndedIsNotMet() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Loop.run(
        () -> {
          Coroutine<?> waiting = Coroutine.spawn(() -> chan.sync(Endpoint.ANY, 1));
          Coroutine.pause();
          waiting.cancel();
          assertThrows(CancellationException.class, waiting::await);
        });

    assertNull(chan.trySync(Endpoint.ANY, 1));
  }
}
