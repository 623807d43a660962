// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Await;
import dev.couv.coro.Awaitable;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Whoever makes values only when they are wanted is told when somebody begins to wait.
@InLoop
class ChanOnWaitTest {
  private final List<ChanStats> told = new ArrayList<>();
  private Chan<Integer> chan;

  private void make(int capacity) {
    chan = Chan.create(ChanOptions.of(capacity).withOnWait(() -> told.add(chan.stats())));
  }

  @Test
  void aReceiverThatWaitsIsToldAndCounted() throws Exception {
    make(0);
    Coroutine<Integer> receiving = Coroutine.spawn(chan::receive);
    Coroutine.pause();

    assertEquals(List.of(new ChanStats(0, 0, 0, 1, false)), told);
    chan.send(1);
    assertEquals(1, receiving.await());
    assertEquals(1, told.size());
  }

  @Test
  void aSenderThatWaitsIsToldToo() throws Exception {
    make(0);
    Coroutine<Void> sending = Coroutine.spawn(() -> chan.send(1));
    Coroutine.pause();

    assertEquals(List.of(new ChanStats(0, 0, 1, 0, false)), told);
    assertEquals(1, chan.receive());
    sending.await();
  }

  @Test
  void aMemberOfASelectIsToldEachTime() throws Exception {
    make(0);
    Chan<Integer> other = Chan.create(1);
    var ends = List.of(chan.receiving(), other.receiving());
    for (int i = 1; i <= 3; i++) {
      Coroutine<Integer> selecting = Coroutine.spawn(() -> Await.any(ends));
      Coroutine.pause();
      assertEquals(i, told.size());
      other.send(i);
      assertEquals(i, selecting.await());
    }
  }

  @Test
  void whoeverFindsWhatTheyCameForDoesNotWait() {
    make(1);
    chan.send(1);
    chan.receive();
    chan.tryReceive();

    assertEquals(List.of(), told);
  }

  @Test
  void nullIsRefused() {
    assertThrows(NullPointerException.class, () -> ChanOptions.of(0).withOnWait(null));
  }

  @Test
  void whoIsToldMayGiveWhatIsWaitedFor() throws Exception {
    chan = Chan.create(ChanOptions.of(0).withOnWait(() -> chan.trySend(7)));

    assertEquals(7, chan.receive());
    assertEquals(7, Time.timeout(Duration.ofHours(1), chan::receive));
  }

  @Test
  void whoIsToldMayTakeWhatIsGiven() throws Exception {
    List<Integer> taken = new ArrayList<>();
    chan = Chan.create(ChanOptions.of(0).withOnWait(() -> taken.add(chan.tryReceive())));

    chan.send(7);

    assertEquals(List.of(7), taken);
  }

  @Test
  void whoIsToldMayCloseIt() {
    chan = Chan.create(ChanOptions.of(0).withOnWait(() -> chan.close()));

    assertThrows(ClosedException.class, () -> chan.receive());
  }

  @Test
  void aThreadMayBeGivenWhatItWaitsFor() throws Exception {
    chan = Chan.create(ChanOptions.of(0).withOnWait(() -> chan.trySend(7)));

    assertEquals(7, Loop.offload(chan::receive));
  }

  @Test
  void nobodyIsInLineIfTellingFails() {
    chan =
        Chan.create(
            ChanOptions.of(0)
                .withOnWait(
                    () -> {
                      throw new IllegalStateException("told");
                    }));

    assertThrows(IllegalStateException.class, () -> chan.receive());
    assertThrows(IllegalStateException.class, () -> Loop.offload(chan::receive));
    assertFalse(chan.trySend(1));
  }

  @Test
  void aMemberOfASelectMayBeGivenWhatItWaitsFor() throws Exception {
    chan = Chan.create(ChanOptions.of(0).withShared(true).withOnWait(() -> chan.trySend(7)));
    Chan<Integer> silent = Chan.create(0);

    assertEquals(7, Await.any(List.of(chan.receiving(), silent.receiving())));
    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
  }

  @Test
  void noMemberOfASelectIsInLineIfTellingFails() throws Exception {
    AtomicBoolean gives = new AtomicBoolean();
    chan =
        Chan.create(
            ChanOptions.of(0)
                .withShared(true)
                .withOnWait(
                    () -> {
                      if (gives.get()) {
                        chan.trySend(7);
                      }
                      throw new IllegalStateException("told");
                    }));
    Chan<Integer> silent = Chan.create(0);
    List<Awaitable<Integer>> members = List.of(silent.receiving(), chan.receiving());

    assertThrows(IllegalStateException.class, () -> Await.any(members));
    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
    assertEquals(new ChanStats(0, 0, 0, 0, false), silent.stats());

    gives.set(true);
    assertThrows(IllegalStateException.class, () -> Await.any(members));
    assertEquals(7, chan.tryReceive()); // once
    assertEquals(new ChanStats(0, 0, 0, 0, false), chan.stats());
    assertEquals(new ChanStats(0, 0, 0, 0, false), silent.stats());
  }
}
