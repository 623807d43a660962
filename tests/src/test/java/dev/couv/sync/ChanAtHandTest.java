// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.testing.InLoop;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Values that find a place in a channel, or are there already: nobody waits, and all else is as for those who do.
@InLoop
class ChanAtHandTest {
  private final Chan<Integer> channel = Chan.create(100);

  @Test
  void whoIsCancelledGivesNothingAndTakesNothing() throws Exception {
    channel.send(1);
    Coroutine<?> giving = Coroutine.spawn(() -> cancelledFirst(() -> channel.send(2)));
    Coroutine<?> taking = Coroutine.spawn(() -> cancelledFirst(channel::receive));

    assertThrows(CancellationException.class, giving::await);
    assertThrows(CancellationException.class, taking::await);
    assertEquals(List.of(1), channel.drain());
  }

  private static void cancelledFirst(Runnable then) {
    Coroutine.current().cancel();
    then.run();
  }

  @Test
  void whoIsResumedWhileTheOthersHaveTheirTurnLosesNoValue() throws Exception {
    for (int i = 0; i < 100; i++) {
      channel.send(i);
    }
    int[] taken = new int[1];
    boolean[] resumed = new boolean[1];
    Coroutine<?> taking =
        Coroutine.spawn(
            () -> {
              while (taken[0] < 100) {
                try {
                  assertEquals(taken[0], channel.receive());
                  taken[0]++;
                } catch (Resumed here) {
                  resumed[0] = true;
                }
              }
            });
    while (!resumed[0] && taken[0] < 100) {
      Coroutine.pause();
      if (taken[0] > 0 && taken[0] < 100) {
        taking.resume("now");
      }
    }

    taking.await();

    assertTrue(resumed[0], "never resumed in between");
    assertEquals(100, taken[0]);
    assertNull(channel.tryReceive());
  }

  @Test
  void whoTakesWhatIsAtHandLetsTheOthersRun() throws Exception {
    int[] others = new int[1];
    Coroutine<?> other =
        Coroutine.spawn(
            () -> {
              while (true) {
                others[0]++;
                Coroutine.pause();
              }
            });

    for (int i = 0; i < 1_000; i++) {
      channel.send(i);
      channel.receive();
    }

    assertTrue(others[0] >= 10, others[0] + " turns");
    other.cancel();
  }

  @Test
  void aPlaceThatIsFreeGoesToWhoWaitsForItFirst() throws Exception {
    Chan<Integer> small = Chan.create(1);
    small.send(1);
    Coroutine<?> waiting = Coroutine.spawn(() -> small.send(2));
    Loop.awaitIdle();

    assertEquals(1, small.receive());
    Coroutine<?> later = Coroutine.spawn(() -> small.send(3));
    Loop.awaitIdle();

    assertEquals(List.of(2, 3), List.of(small.receive(), small.receive()));
    waiting.await();
    later.await();
  }

  @Test
  void aValueGoesToWhoWaitsAndNotToTheOthers() throws Exception {
    Coroutine<Integer> selecting = Coroutine.spawn(() -> Await.any(channel.receiving()));
    Loop.awaitIdle();

    channel.send(7);

    assertEquals(7, selecting.await());
    assertEquals(0, channel.stats().values());
  }

  @Test
  void whatIsInAClosedChannelIsTakenAndNothingIsPutThere() {
    channel.send(1);
    channel.close();

    assertThrows(ClosedException.class, () -> channel.send(2));
    assertEquals(1, channel.receive());
    assertThrows(ClosedException.class, channel::receive);
  }
}
