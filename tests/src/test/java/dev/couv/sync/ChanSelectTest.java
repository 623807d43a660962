// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.coro.Resumed;
import dev.couv.coro.Selected;
import dev.couv.coro.Status;
import dev.couv.error.ClosedException;
import dev.couv.strand.ProbeSeat;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Ends of channels that are awaited together with other things.
class ChanSelectTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  void onlyTheWinnerTakes() throws Exception {
    Chan<String> one = Chan.create(1);
    Chan<String> other = Chan.create(1);
    one.send("first");
    other.send("second");
    Awaitable<String> fromOne = one.receiving();
    Awaitable<String> fromOther = other.receiving();

    Selected<String> won = Await.select(fromOne, fromOther);

    assertSame(fromOne, won.source());
    assertEquals("first", won.value());
    assertEquals(1, other.stats().values());
    assertSame(fromOther, Await.select(fromOne, fromOther).source());
    assertEquals(new ChanStats(1, 0, 0, 0, false), one.stats());
    assertEquals(new ChanStats(1, 0, 0, 0, false), other.stats());
  }

  @InLoop
  @Test
  void onlyTheWinnerGives() throws Exception {
    Chan<String> one = Chan.create(0);
    Chan<String> other = Chan.create(0);
    Coroutine<?> selecting =
        Coroutine.spawn(() -> Await.select(one.sending("a"), other.sending("b")));
    Coroutine.pause();

    assertEquals("b", other.receive());

    assertNull(one.tryReceive());
    selecting.await();
  }

  @Test
  void aTimerMayWin() throws Exception {
    new TestClock()
        .run(
            () -> {
              Chan<String> orders = Chan.create(0);
              var timer = Time.after(Duration.ofMillis(50));
              assertSame(timer, Await.select(timer, orders.receiving()).source());
              assertEquals(0, orders.stats().receivers());
              assertTrue(!orders.trySend("late"));
            });
  }

  @InLoop
  @Test
  void aSelectDoesNotMeetItself() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<Selected<Object>> both =
        Coroutine.spawn(() -> Await.select(chan.receiving(), chan.sending(1)));
    Coroutine.pause();
    assertEquals(Status.SUSPENDED, both.status());
    chan.send(2);
    assertEquals(2, both.await().value());
  }

  @InLoop
  @Test
  void twoSelectsMeet() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<Selected<Object>> one =
        Coroutine.spawn(() -> Await.select(chan.receiving(), chan.sending(1)));
    Coroutine<Selected<Object>> other =
        Coroutine.spawn(() -> Await.select(chan.receiving(), chan.sending(2)));
    List<Object> values = new ArrayList<>();
    values.add(one.await().value());
    values.add(other.await().value());
    assertEquals(1, values.stream().filter(value -> value == null).count());
    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
  }

  @InLoop
  @Test
  void aCloseEndsTheSelect() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Chan<Integer> other = Chan.create(0);
    Coroutine<?> selecting =
        Coroutine.spawn(() -> Await.select(chan.receiving(), other.sending(1)));
    Coroutine.pause();
    chan.close();
    assertThrows(ClosedException.class, selecting::await);
    assertEquals(0, other.stats().senders());
    assertThrows(ClosedException.class, () -> Await.select(chan.sending(1), other.receiving()));
  }

  @InLoop
  @Test
  @Behaviour("TA71")
  void anEndThatIsDroppedTakesNothing() throws Exception {
    Chan<Integer> chan = Chan.create(1);
    assertFalse(ProbeSeat.finds(chan.receiving()));
    chan.send(1);
    assertEquals(1, chan.receive());
    chan.receiving();
    chan.close();
  }

  @InLoop
  @Test
  void aSelectThatIsResumedHandsOnWhatItHadWon() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> first =
        Coroutine.spawn(
            () ->
                assertThrows(
                    Resumed.class,
                    () -> Await.select(chan.receiving(), Chan.create(0).receiving())));
    Coroutine<Integer> second = Coroutine.spawn(chan::receive);
    Coroutine.pause();
    chan.send(1);
    first.resume();
    assertEquals(1, second.await());
    first.await();
  }

  @InLoop
  @Test
  void anEndIsAwaitedAloneToo() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    Coroutine<?> sender = Coroutine.spawn(() -> chan.sending(1).await());
    assertEquals(1, chan.receiving().await());
    sender.await();
    Coroutine.spawn(() -> chan.send(2));
    Coroutine.spawn(() -> chan.send(3));
    assertEquals(List.of(2, 3), Await.all(chan.receiving(), chan.receiving()));
  }

  /// Selecting senders and receivers on several channels; each value comes through once.
  @Test
  void amongManyEachValueComesThroughOnce() throws Exception {
    for (int seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      List<Integer> given = new ArrayList<>();
      List<Integer> taken = new ArrayList<>();
      Loop.run(
          LoopOptions.DEFAULT.withShuffle(seed),
          () -> {
            List<Chan<Integer>> chans = List.of(Chan.create(0), Chan.create(1), Chan.create(0));
            List<Coroutine<?>> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              int base = i * 1000;
              senders.add(
                  Coroutine.spawn(
                      () -> {
                        for (int n = 0; n < 30; n++) {
                          Chan<Integer> a = chans.get(random.nextInt(3));
                          Chan<Integer> b = chans.get(random.nextInt(3));
                          Awaitable<Void> first = a.sending(base + 2 * n);
                          var won = Await.select(first, b.sending(base + 2 * n + 1));
                          given.add(base + 2 * n + (won.source() == first ? 0 : 1));
                        }
                      }));
              Coroutine.spawn(
                  () -> {
                    try {
                      while (true) {
                        taken.add(
                            Await.select(
                                    chans.get(0).receiving(),
                                    chans.get(1).receiving(),
                                    chans.get(2).receiving())
                                .value());
                      }
                    } catch (ClosedException end) {
                      log.add(end);
                    }
                  });
            }
            for (Coroutine<?> sender : senders) {
              sender.await();
            }
            Coroutine.pause();
            chans.forEach(Chan::close);
            chans.forEach(chan -> taken.addAll(chan.drain()));
          });
      Collections.sort(given);
      Collections.sort(taken);
      assertEquals(given, taken, "seed " + seed);
    }
  }
}
