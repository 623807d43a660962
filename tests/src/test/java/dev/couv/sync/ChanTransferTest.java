// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.net.Udp;
import dev.couv.pool.LoopPool;
import dev.couv.process.Command;
import dev.couv.testing.Behaviour;
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
    Transfer.check(true);
  }

  @AfterEach
  void uncheck() {
    Transfer.check(false);
  }

  @Test
  @Behaviour("TA101")
  void isRefusedWhereOthersUseTheChannel() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Thread other = Thread.ofPlatform().start(() -> chan.send("anything"));
    other.join();
    Loop.run(
        () -> {
          assertEquals("anything", chan.receive());
          Mutex mutex = new Mutex();
          IllegalArgumentException refused =
              assertThrows(IllegalArgumentException.class, () -> chan.send(mutex));
          assertTrue(refused.getMessage().contains("belongs to its loop"), refused::getMessage);
          assertThrows(IllegalArgumentException.class, () -> chan.trySend(Coroutine.current()));
          assertThrows(
              IllegalArgumentException.class, () -> chan.sending(Coroutine.current().scope()));
          assertEquals(0, chan.stats().values());
        });
  }

  @Test
  void staysInTheChannelIfItIsAnotherWhoReceives() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Loop.run(
        () -> {
          Mutex mutex = new Mutex();
          chan.send(mutex);
          Thread other =
              Thread.ofPlatform()
                  .start(() -> assertThrows(IllegalStateException.class, chan::receive));
          other.join();
          assertSame(mutex, chan.receive());
        });
  }

  @Test
  void staysInTheChannelIfItIsAnotherWhoSelects() throws Exception {
    Chan<Object> chan = Chan.create(1);
    Chan<Object> awaited = Chan.create(1);
    Loop.run(
        () -> {
          Mutex mutex = new Mutex();
          chan.send(mutex);
          refuseSelect(chan).join();
          assertSame(mutex, Await.any(List.of(chan.receiving())));

          Thread waiting = refuseSelect(awaited);
          while (awaited.stats().receivers() == 0) {
            Coroutine.pause();
          }
          awaited.send(mutex);
          waiting.join();
          assertSame(mutex, awaited.receive());
        });
  }

  private static Thread refuseSelect(Chan<Object> chan) {
    return Thread.ofPlatform()
        .start(
            () ->
                assertThrows(
                    IllegalStateException.class,
                    () -> Loop.run(() -> Await.any(List.of(chan.receiving())))));
  }

  @Test
  void isFreeToGoWithinTheLoop() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Loop.run(
        () -> {
          Mutex mutex = new Mutex();
          chan.send(mutex);
          assertSame(mutex, chan.receive());
        });
  }

  @Test
  void isNotLookedAtWithoutTheCheck() throws Exception {
    Transfer.check(false);
    Chan<Object> chan = Chan.create(4);
    Loop.run(() -> chan.send(new Mutex()));
    assertTrue(chan.receive() instanceof Mutex);
  }

  @Test
  void isAnySocketListenerOrChild() throws Exception {
    Chan<Object> chan = Chan.create(4);
    Thread other = Thread.ofPlatform().start(() -> chan.send("anything"));
    other.join();
    InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Loop.run(
        () -> {
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
        });
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
}
