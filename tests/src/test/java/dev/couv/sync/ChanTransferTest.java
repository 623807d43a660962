// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.check.TransferCheck;
import dev.couv.coro.Await;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.ClosedException;
import dev.couv.net.Tcp;
import dev.couv.net.Udp;
import dev.couv.pool.LoopPool;
import dev.couv.pool.Worker;
import dev.couv.pool.WorkerStatus;
import dev.couv.process.Command;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What belongs to a loop and is sent to another, under `-Dcouv.check=transfer`.
class ChanTransferTest {
  @BeforeEach
  void check() {
    TransferCheck.check(true);
  }

  @AfterEach
  void uncheck() {
    TransferCheck.check(false);
  }

  @InLoop
  @Test
  @Behaviour("TA101")
  void isRefusedWhereOthersUseTheChannel() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Thread other = Thread.ofPlatform().start(() -> chan.send("anything"));
    other.join();
    assertEquals("anything", chan.receive());
    Mutex mutex = new Mutex();
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> chan.send(mutex));
    assertTrue(refused.getMessage().contains("belongs to its loop"), refused::getMessage);
    assertThrows(IllegalArgumentException.class, () -> chan.trySend(Coroutine.current()));
    assertThrows(IllegalArgumentException.class, () -> chan.sending(Coroutine.current().scope()));
    assertEquals(0, chan.stats().values());
  }

  /// Others will use it, however late.
  @InLoop
  @Test
  void isRefusedByASharedChannelBeforeAnybodyElseHasCome() throws Exception {
    Chan<Object> chan = Chan.create(ChanOptions.of(4).withShared(true));
    Mutex mutex = new Mutex();
    assertThrows(IllegalArgumentException.class, () -> chan.send(mutex));
    assertThrows(IllegalArgumentException.class, () -> chan.trySend(mutex));
    assertThrows(IllegalArgumentException.class, () -> chan.sending(mutex));
    assertEquals(0, chan.stats().values());
    chan.send("anything else");
  }

  @InLoop
  @Test
  void staysInTheChannelIfItIsAnotherWhoReceives() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Mutex mutex = new Mutex();
    chan.send(mutex);
    Thread other =
        Thread.ofPlatform().start(() -> assertThrows(IllegalStateException.class, chan::receive));
    other.join();
    assertSame(mutex, chan.receive());
  }

  @InLoop
  @Test
  void staysInTheChannelIfItIsAnotherWhoSelects() throws Exception {
    Chan<Object> chan = Chan.create(1);
    Chan<Object> awaited = Chan.create(1);
    Mutex mutex = new Mutex();
    chan.send(mutex);
    refuseSelect(chan).join();
    assertSame(mutex, Await.any(List.of(chan.receiving())));

    Thread waiting =
        select(
            () -> {
              Coroutine.spawn(() -> awaited.send(mutex));
              return Await.any(List.of(awaited.receiving())); // waits first
            });
    waiting.join();
    assertSame(mutex, awaited.receive());
  }

  @InLoop
  @Test
  @Behaviour("TA101")
  void isRefusedIfThoseWhoWaitForItAreOfAnotherLoop() throws Exception {
    Chan<Object> chan = Chan.create(0);
    Promise<Object> received = new Promise<>();
    try (Loops others = new Loops()) {
      others.loop(() -> received.complete(chan.receive()));
      while (chan.stats().receivers() == 0) {
        Coroutine.pause();
      }
      assertThrows(IllegalArgumentException.class, () -> chan.send(new Mutex()));
      assertThrows(IllegalArgumentException.class, () -> chan.trySend(new Mutex()));
      assertThrows(IllegalArgumentException.class, () -> chan.sync(Endpoint.OUT, new Mutex()));
      chan.send("anything");
      assertEquals("anything", received.await());
    }
  }

  private static Thread refuseSelect(Chan<Object> chan) {
    return select(() -> Await.any(List.of(chan.receiving())));
  }

  private static Thread select(Body<Object> selecting) {
    return Thread.ofPlatform()
        .start(() -> assertThrows(IllegalStateException.class, () -> Loop.run(selecting)));
  }

  @InLoop
  @Test
  void isFreeToGoWithinTheLoop() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Mutex mutex = new Mutex();
    chan.send(mutex);
    assertSame(mutex, chan.receive());
  }

  @Test
  void isNotLookedAtWithoutTheCheck() throws Exception {
    TransferCheck.check(false);
    Chan<Object> chan = Chan.create(4);
    Loop.run(() -> chan.send(new Mutex()));
    assertTrue(chan.receive() instanceof Mutex);
  }

  @InLoop
  @Test
  void isAnySocketListenerOrChild() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Thread other = Thread.ofPlatform().start(() -> chan.send("anything"));
    other.join();
    InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    chan.receive();
    try (var listener = Tcp.listen(anywhere);
        var socket = Udp.bind(anywhere);
        var stream = Tcp.connect(listener.local());
        var child = Command.of("true").start()) {
      for (Object bound : new Object[] {listener, socket, stream, child}) {
        assertThrows(IllegalArgumentException.class, () -> chan.send(bound));
      }
      try (var moving = stream.detach()) {
        chan.send(moving);
        assertSame(moving, chan.receive());
      }
      child.await();
    }
  }

  @Test
  void isNotBroughtByAPromiseEither() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      Promise<Mutex> made = pool.submit(() -> new Mutex());
      for (Body<Mutex> awaiting : List.<Body<Mutex>>of(made::await, () -> Loop.run(made::await))) {
        IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> awaiting.run());
        assertTrue(refused.getMessage().contains("another loop"), refused::getMessage);
      }
      assertEquals("free", pool.submit(() -> made.await().isLocked() ? "locked" : "free").await());
    }
  }

  @InLoop
  @Test
  @Behaviour("TA101")
  void isNoItemOfAPoolThatMaps() throws Exception {
    try (LoopPool pool = LoopPool.open(1)) {
      List<Mutex> items = List.of(new Mutex());
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> pool.map(items, item -> 1));
      assertTrue(refused.getMessage().contains("a pool cannot"), refused::getMessage);
      ClosedException closed =
          assertThrows(
              ClosedException.class,
              () -> pool.mapUnordered(items, item -> 1).forEach(result -> {}));
      assertInstanceOf(IllegalStateException.class, closed.getCause());
    }
  }

  @InLoop
  @Test
  @Behaviour("TA101")
  void isNotGivenToAWorkerNorTakenFromOne() throws Exception {
    Worker<Object, Object> echo = Worker.create(first -> Worker.yield(first));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> echo.resume(new Mutex()));
    assertTrue(refused.getMessage().contains("a worker"), refused::getMessage);
    assertEquals(WorkerStatus.SUSPENDED, echo.status());
    assertEquals("anything", echo.resume("anything"));
    echo.close();

    Worker<Object, Object> maker =
        Worker.create(first -> Loop.run(() -> (Object) Coroutine.current()));
    assertThrows(IllegalStateException.class, () -> maker.resume("anything"));
  }
}
