// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/// Channels among the coroutines of one loop.
class ChanTest {
  private final List<Object> log = new ArrayList<>();

  // ---- rendezvous

  @Test
  @Behaviour("TA58")
  void aReceiverThatFindsASenderGoesOnBeforeTheSendReturns() throws Exception {
    Loop.run(
        () -> {
          Chan<String> chan = Chan.create(0);
          Coroutine.spawn(
              () -> {
                chan.send("bread");
                log.add("sent");
              });
          Coroutine.pause();
          log.add(chan.receive());
        });

    assertEquals(List.of("bread", "sent"), log);
  }

  @InLoop
  @Test
  void aSenderThatFindsAReceiverDoesNotWait() throws Exception {
    Chan<String> chan = Chan.create(0);
    Coroutine<String> receiver = Coroutine.spawn(chan::receive);
    Coroutine.pause();

    chan.send("bread");

    assertEquals(Status.READY, receiver.status());
    assertEquals("bread", receiver.await());
  }

  @InLoop
  @Test
  @Behaviour("TA59")
  void withoutCapacityNothingIsSentUnlessSomebodyWaits() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    assertFalse(chan.trySend(1));
    assertNull(chan.tryReceive());
    Coroutine<Integer> receiver = Coroutine.spawn(chan::receive);
    Coroutine.pause();

    assertTrue(chan.trySend(2));
    assertFalse(chan.trySend(3));

    assertEquals(2, receiver.await());
    Coroutine.spawn(() -> chan.send(4));
    Coroutine.pause();
    assertEquals(4, chan.tryReceive());
  }

  // ---- buffered

  @InLoop
  @Test
  void sendersWaitWhenItIsFullAndComeInInTheirOrder() throws Exception {
    Chan<Integer> chan = Chan.create(2);
    for (int i = 0; i < 5; i++) {
      int value = i;
      Coroutine.spawn(
          () -> {
            chan.send(value);
            log.add("sent " + value);
          });
    }
    Coroutine.pause();
    assertEquals(List.of("sent 0", "sent 1"), log);
    assertEquals(new ChanStats(2, 2, 3, 0, false), chan.stats());

    assertEquals(0, chan.receive());
    assertEquals(new ChanStats(2, 2, 2, 0, false), chan.stats());
    Coroutine.pause();

    assertEquals(List.of("sent 0", "sent 1", "sent 2"), log);
    assertEquals(
        List.of(1, 2, 3, 4),
        List.of(chan.receive(), chan.receive(), chan.receive(), chan.receive()));
  }

  @Test
  void receiversAreServedInTheirOrder() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(3);
          for (String name : List.of("a", "b", "c")) {
            Coroutine.spawn(() -> log.add(name + chan.receive()));
          }
          Coroutine.pause();

          for (int i = 0; i < 3; i++) {
            assertTrue(chan.trySend(i));
          }
        });

    assertEquals(List.of("a0", "b1", "c2"), log);
  }

  @Test
  void withoutALimitItMustBeAskedFor() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> Chan.create(-1));
    assertThrows(IllegalArgumentException.class, () -> Chan.create(Integer.MAX_VALUE));

    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(ChanOptions.unbounded());
          for (int i = 0; i < 100_000; i++) {
            chan.send(i);
          }
          assertEquals(100_000, chan.drain().size());
        });
  }

  @InLoop
  @Test
  void nullCannotBeSent() throws Exception {
    Chan<String> chan = Chan.create(1);
    assertThrows(NullPointerException.class, () -> chan.send(null));
    assertThrows(NullPointerException.class, () -> chan.trySend(null));
    assertEquals(0, chan.stats().values());
  }

  @Test
  void aBusySenderLetsOthersRun() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(ChanOptions.unbounded());
          Coroutine<?> other = Coroutine.spawn(() -> log.add(chan.stats().values()));
          for (int i = 0; i < 1000; i++) {
            chan.send(i);
          }
          other.await();
        });

    assertTrue((int) log.getFirst() < 100, log::toString);
  }

  // ---- iteration and closing

  @Test
  void iterationEndsWhenItIsClosed() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(2);
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 5; i++) {
                  chan.send(i);
                }
                chan.close();
              });
          for (int value : chan) {
            log.add(value);
          }
          var values = chan.iterator();
          assertFalse(values.hasNext());
          assertThrows(NoSuchElementException.class, values::next);
        });

    assertEquals(List.of(0, 1, 2, 3, 4), log);
  }

  @Test
  @Behaviour("TA70")
  void iterationOverAChannelClosedForAReasonThrowsItAtTheEnd() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(2);
          Exception reason = new Exception("the kitchen burns");
          Coroutine.spawn(
              () -> {
                chan.send(1);
                chan.close(reason);
              });
          ClosedException end = assertThrows(ClosedException.class, () -> chan.forEach(log::add));
          assertSame(reason, end.getCause());
          assertSame(reason, chan.closeReason());
        });

    assertEquals(List.of(1), log);
  }

  @InLoop
  @Test
  void whatIsLeftAtTheCloseCanStillBeReceived() throws Exception {
    Chan<Integer> chan = Chan.create(3);
    chan.send(1);
    chan.send(2);
    chan.close();
    chan.close();

    assertTrue(chan.isClosed());
    assertThrows(ClosedException.class, () -> chan.send(3));
    assertThrows(ClosedException.class, () -> chan.trySend(3));
    assertEquals(1, chan.receive());
    assertEquals(List.of(2), chan.drain());
    assertThrows(ClosedException.class, chan::receive);
    assertThrows(ClosedException.class, chan::tryReceive);
    assertEquals(List.of(), chan.drain());
  }

  @InLoop
  @Test
  @Behaviour("TA66")
  void aCloseRefusesTheSendersThatWaitAndWhatTheyWouldHaveGiven() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> sender =
        Coroutine.spawn(() -> assertThrows(ClosedException.class, () -> chan.send(1)));
    Coroutine.pause();
    chan.close();
    assertThrows(ClosedException.class, chan::receive);
    sender.await();
  }

  @InLoop
  @Test
  @Behaviour("TA67")
  void aCloseDoesNotUndoWhatWasTaken() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<Void> sender = Coroutine.spawn(() -> chan.send(1));
    Coroutine.pause();

    assertEquals(1, chan.receive());
    chan.close();

    sender.await();
  }

  @InLoop
  @Test
  @Behaviour("TA69")
  void aCloseLeavesAReceiverItsValueAndRefusesTheOthers() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<Integer> first = Coroutine.spawn(chan::receive);
    Coroutine<Integer> second = Coroutine.spawn(chan::receive);
    Coroutine.pause();
    chan.send(1);
    chan.close();

    assertEquals(1, first.await());
    assertThrows(ClosedException.class, second::await);
  }
}
