// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static dev.couv.Patience.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.sync.Chan;
import dev.couv.sync.ChanOptions;
import dev.couv.sync.Promise;
import dev.couv.testing.Behaviour;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Threads of a pool that leave, and come back.
class PoolResizeTest {
  /// On the only thread: the taker has been given a task and does not know yet, because `holds` keeps
  /// the thread.
  private final AtomicBoolean holds = new AtomicBoolean(true);

  private Promise<Integer> givenTask(LoopPool pool) {
    Chan<Integer> start = Chan.create(0);
    AtomicBoolean held = new AtomicBoolean();
    pool.submit(
        () -> {
          start.receive();
          held.set(true);
          while (holds.get()) {
            Thread.onSpinWait();
          }
        });
    until(() -> pool.stats().suspended() == 1);
    pool.submit(() -> {}); // when this has run, the taker waits again or is about to
    until(() -> pool.stats().ended() == 1);
    start.send(1);
    until(held::get);
    return pool.submit(() -> 7);
  }

  @Test
  void aTaskThatALeavingThreadHandsBackIsStillTheFirst() throws Exception {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Integer> given = givenTask(pool);
      var _ = given.toFuture().thenRun(() -> order.add("given"));
      pool.resize(0);
      Promise<?> later = pool.submit(() -> order.add("later"));
      holds.set(false);
      until(() -> pool.stats().threads() == 0);
      pool.resize(1);
      later.await();
      given.await();
    }

    assertEquals(List.of("given", "later"), order);
  }

  @Test
  void aTaskThatWasGivenToALeavingThreadRuns() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Integer> given = givenTask(pool);
      pool.resize(0);
      pool.resize(1);
      holds.set(false);
      assertEquals(7, given.await());
    }
  }

  @Test
  void aTaskThatWasGivenToALeavingThreadRunsAlthoughThePoolIsClosed() throws Exception {
    Promise<Integer> given;
    try (LoopPool pool = LoopPool.open(1)) {
      given = givenTask(pool);
      pool.resize(0);
      pool.resize(1);
      Thread.ofPlatform()
          .start(
              () -> {
                until(() -> pool.stats().threads() == 1);
                holds.set(false);
              });
    }
    assertEquals(7, given.await());
  }

  @Test
  void aThreadThatHasTasksLeftComesBackWhenThePoolGrows() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    try (LoopPool pool = LoopPool.open(3)) {
      List<Promise<Thread>> waiting = new ArrayList<>();
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 6; i++) {
          waiting.add(
              pool.submit(
                  () -> {
                    chan.receive();
                    return Thread.currentThread();
                  }));
        }
        int tasks = waiting.size();
        until(() -> pool.stats().suspended() == tasks);
        pool.resize(1 + round % 2);
        pool.resize(3);
        assertTrue(pool.stats().threads() <= 3, pool.stats().toString());
      }
      for (int i = 0; i < waiting.size(); i++) {
        chan.send(i);
      }
      for (Promise<Thread> task : waiting) {
        task.await();
      }
      pool.resize(1);
      until(() -> pool.stats().threads() == 1);
    }
  }

  /// Whichever it is: each of three in turn has nothing to do while the others have a task that waits.
  @Test
  void threadsThatHaveNothingToDoGoFirst() throws Exception {
    for (int idle = 0; idle < 3; idle++) {
      Chan<Integer> chan = Chan.create(ChanOptions.of(0).withShared(true));
      try (LoopPool pool = LoopPool.open(3)) {
        List<AtomicBoolean> spinning = new ArrayList<>();
        List<Promise<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          AtomicBoolean spins = new AtomicBoolean(true);
          spinning.add(spins);
          boolean ends = i == idle;
          tasks.add(
              pool.submit(
                  () -> {
                    while (spins.get()) {
                      Thread.onSpinWait(); // so that each has a thread of its own
                    }
                    return ends ? 0 : chan.receive();
                  }));
          int begun = i + 1;
          until(() -> pool.stats().running() == begun);
        }
        spinning.forEach(spins -> spins.set(false));
        until(() -> pool.stats().suspended() == 2 && pool.stats().ended() == 1);

        pool.resize(2);

        until(() -> pool.stats().threads() == 2);
        assertEquals(2, pool.stats().suspended());
        chan.send(1);
        chan.send(2);
        for (Promise<Integer> task : tasks) {
          task.await();
        }
      }
    }
  }

  @Test
  void aThreadThatIsCalledBackBeforeItHasBegunLeavesLikeAnother() throws Exception {
    for (int round = 0; round < 40; round++) {
      try (LoopPool pool = LoopPool.open(1)) {
        pool.resize(0);
        Promise<Integer> task = pool.submit(() -> 7);
        pool.resize(1);
        assertEquals(7, task.await());
        pool.resize(0);
        until(() -> pool.stats().threads() == 0);
      }
    }
  }

  @Test
  void aThreadThatIsBusyIsNotFloodedByChangesOfTheSize() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      AtomicBoolean held = new AtomicBoolean();
      Promise<Integer> coroutines =
          pool.submit(
              () -> {
                held.set(true);
                while (holds.get()) {
                  Thread.onSpinWait();
                }
                long before = Loop.current().stats().iterations();
                while (Loop.current().stats().iterations() == before) {
                  Coroutine.pause(); // until the loop looks at what was posted
                }
                return Loop.current().stats().coroutines();
              });
      until(held::get);
      List<Promise<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        pool.resize(0);
        tasks.add(pool.submit(() -> 7));
        pool.resize(1);
      }
      holds.set(false);
      for (Promise<Integer> task : tasks) {
        assertEquals(7, task.await());
      }
      assertTrue(coroutines.await() < 100, coroutines.toString());
      pool.resize(0);
      until(() -> pool.stats().threads() == 0);
    }
  }

  @Test
  void aServerServesOnAThreadThatCameBack() throws Exception {
    Chan<Integer> chan = Chan.create(0);
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Integer> waiting = pool.submit(chan::receive);
      until(() -> pool.stats().suspended() == 1);
      try (PoolServer server =
          pool.serve(new InetSocketAddress("127.0.0.1", 0), stream -> stream.write(hello()))) {
        pool.resize(0);
        pool.resize(1);
        assertEquals('h', readFrom(server));
        assertEquals(1, pool.stats().threads());
      }
      chan.send(1);
      assertEquals(1, waiting.await());
    }
  }

  private static ByteBuffer hello() {
    return ByteBuffer.wrap(new byte[] {'h'});
  }

  /// Until somebody listens again, nobody answers.
  private static int readFrom(PoolServer server) throws Exception {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (var socket = new Socket(server.local().getAddress(), server.local().getPort())) {
        int read = socket.getInputStream().read();
        if (read >= 0) {
          return read;
        }
      } catch (IOException refused) {
        assertTrue(System.nanoTime() - limit < 0, "nobody serves");
      }
    }
  }

  @Test
  @Behaviour("TP16")
  void aTaskThatComesRightAfterTheLastThreadWasSentAwayWaits() throws Exception {
    for (int i = 0; i < 50; i++) {
      try (LoopPool pool = LoopPool.open(1)) {
        pool.submit(() -> 0).await(); // its thread waits for the next
        pool.resize(0);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Promise<?> first = pool.submit(() -> order.add("first"));
        Promise<?> second = pool.submit(() -> order.add("second"));

        until(() -> pool.stats().threads() == 0);
        assertEquals(2, pool.stats().pending());
        assertEquals(List.of(), order);
        pool.resize(1);
        first.await();
        second.await();
        assertEquals(List.of("first", "second"), order);
      }
    }
  }
}
