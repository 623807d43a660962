// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import dev.couv.strand.ProbeSeat;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Leaving a wait at a channel, at every moment: nothing is lost, nothing is there twice.
class ChanLeavingTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  @Behaviour({"OP17", "TA65"})
  void aCancelledSenderTakesItsValueBack() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> sender = Coroutine.spawn(() -> chan.send(1));
    Coroutine.pause();

    sender.cancel();

    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
    assertNull(chan.tryReceive());
    assertThrows(CancellationException.class, sender::await);
  }

  @InLoop
  @Test
  void aCancelledReceiverGetsNothing() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<Integer> first = Coroutine.spawn(chan::receive);
    Coroutine<Integer> second = Coroutine.spawn(chan::receive);
    Coroutine.pause();

    first.cancel();
    chan.send(1);

    assertEquals(1, second.await());
  }

  @Test
  void aCancelInTheMiddleOfTheLineKeepsTheOrderOfTheOthers() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(0);
          List<Coroutine<?>> receivers = new ArrayList<>();
          for (String name : List.of("a", "b", "c", "d", "e")) {
            receivers.add(Coroutine.spawn(() -> log.add(name + chan.receive())));
          }
          Coroutine.pause();
          receivers.get(2).cancel();
          for (int i = 0; i < 4; i++) {
            chan.send(i);
          }
        });

    assertEquals(List.of("a0", "b1", "d2", "e3"), log);
  }

  @Test
  void aCancelThatComesAfterTheValueIsTooLate() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(0);
          Coroutine<?> receiver =
              Coroutine.spawn(
                  () -> {
                    log.add(chan.receive());
                    assertThrows(Cancelled.class, chan::receive);
                    log.add("cancelled");
                  });
          Coroutine.pause();
          chan.send(1);

          receiver.cancel();

          receiver.await();
        });

    assertEquals(List.of(1, "cancelled"), log);
  }

  @InLoop
  @Test
  @Behaviour("TA61")
  void aReceiverThatIsResumedLeavesItsValueToTheOldestOther() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> first = Coroutine.spawn(() -> assertThrows(Resumed.class, chan::receive).values());
    Coroutine<Integer> second = Coroutine.spawn(chan::receive);
    Coroutine<Integer> third = Coroutine.spawn(chan::receive);
    Coroutine.pause();
    chan.send(1);
    assertEquals(Status.READY, first.status());

    first.resume("away");

    assertEquals(List.of("away"), first.await());
    assertEquals(1, second.await());
    chan.send(2);
    assertEquals(2, third.await());
  }

  @InLoop
  @Test
  @Behaviour("TA61")
  void withoutAnotherReceiverTheValueIsAtTheFrontAgain() throws Exception {
    Chan<Integer> chan = Chan.create(1);
    Coroutine<?> receiver = Coroutine.spawn(() -> assertThrows(Resumed.class, chan::receive));
    Coroutine.pause();
    chan.send(1);
    chan.send(2);

    receiver.resume();

    assertEquals(new ChanStats(1, 2, 0, 0, false), chan.stats());
    assertEquals(List.of(1, 2), chan.drain());
  }

  @InLoop
  @Test
  @Behaviour("TA63")
  void whatAWokenReceiverWasGivenNobodyElseCanTake() throws Exception {
    Chan<Integer> chan = Chan.create(1);
    Coroutine<Integer> first = Coroutine.spawn(chan::receive);
    Coroutine.pause();
    chan.send(1);

    assertNull(chan.tryReceive());
    assertFalse(ProbeSeat.finds(chan.receiving()));
    Coroutine<Integer> late = Coroutine.spawn(chan::receive);
    Coroutine.pause();
    Coroutine.pause();

    assertEquals(1, first.await());
    assertEquals(Status.SUSPENDED, late.status());
    late.cancel();
  }

  @InLoop
  @Test
  @Behaviour("TA62")
  void aSenderThatLeavesAWaitForAPlaceLetsTheNextHaveIt() throws Exception {
    Chan<Integer> chan = Chan.create(1);
    chan.send(0);
    Coroutine<?> first = Coroutine.spawn(() -> chan.send(1));
    Coroutine<?> second = Coroutine.spawn(() -> chan.send(2));
    Coroutine.pause();
    first.cancel();

    assertEquals(0, chan.receive());

    second.await();
    assertEquals(2, chan.receive());
  }

  @InLoop
  @Test
  void aSenderThatIsResumedAfterItsValueWasTakenHasGivenIt() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> sender = Coroutine.spawn(() -> assertThrows(Resumed.class, () -> chan.send(1)));
    Coroutine.pause();
    assertEquals(1, chan.receive());

    sender.resume();

    sender.await();
    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
  }

  @InLoop
  @Test
  void aCancelledCoroutineTakesNothingFromAFullChannel() throws Exception {
    Chan<Integer> chan = Chan.create(1);
    chan.send(1);
    Coroutine<Integer> receiver =
        Coroutine.spawn(
            () -> {
              Coroutine.current().cancel();
              return chan.receive();
            });

    assertThrows(CancellationException.class, receiver::await);

    assertEquals(1, chan.tryReceive());
  }

  @Test
  void aTimeoutEndsTheWaitAndNothingElse() throws Exception {
    new TestClock()
        .run(
            () -> {
              Chan<Integer> chan = Chan.create(0);
              assertThrows(
                  TimeoutException.class,
                  () -> Time.timeout(Duration.ofHours(1), () -> chan.receive()));
              assertThrows(
                  TimeoutException.class,
                  () -> Time.timeout(Duration.ofHours(1), () -> chan.send(1)));
              assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
            });
  }

  /// Random programs on a shuffled ready queue: what was sent successfully is what was received.
  @Test
  void whateverIsCancelledOrResumedEachValueIsReceivedOnceOrReportedUndelivered() throws Exception {
    eachIsReceivedOnce(1, 10);
  }

  @Tag("storm")
  @Test
  void soItIsInManyMoreOrders() throws Exception {
    eachIsReceivedOnce(11, 60);
  }

  private static void eachIsReceivedOnce(int first, int last) throws Exception {
    for (int seed = first; seed <= last; seed++) {
      ChanStorm storm = new ChanStorm(seed);
      Loop.run(LoopOptions.DEFAULT.withShuffle(seed), storm::run);
      storm.check();
    }
  }

  @Test
  void aCloseWhileItIsIteratedEndsTheIterationOfAll() throws Exception {
    Loop.run(
        () -> {
          Chan<Integer> chan = Chan.create(0);
          List<Coroutine<?>> all = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            all.add(Coroutine.spawn(() -> chan.forEach(log::add)));
          }
          Coroutine<?> plain = Coroutine.spawn(chan::receive);
          Coroutine.pause();
          chan.close();
          for (Coroutine<?> each : all) {
            each.await();
          }
          assertInstanceOf(
              ClosedException.class, assertThrows(ClosedException.class, plain::await));
        });

    assertTrue(log.isEmpty());
  }
}
