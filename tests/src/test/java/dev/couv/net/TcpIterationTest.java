// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.error.BusyException;
import dev.couv.error.UvException;
import dev.couv.host.Listening;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// A listener as the connections that come to it, for one coroutine or several in turn.
@InLoop
final class TcpIterationTest {
  @Test
  void connectionsComeUntilTheListenerIsClosed() throws Exception {
    TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
    Coroutine<Integer> serving =
        Coroutine.spawn(
            () -> {
              int count = 0;
              for (TcpStream peer : listener) {
                peer.close();
                count++;
              }
              return count;
            });
    for (int i = 0; i < 5; i++) {
      Tcp.connect(listener.local()).close();
    }
    while (Loop.current().stats().handles() > 1) {
      Coroutine.pause();
    }
    listener.close();

    assertEquals(5, serving.await());
    Iterator<TcpStream> over = listener.iterator();
    assertFalse(over.hasNext());
    assertThrows(NoSuchElementException.class, over::next);
  }

  @Test
  void severalCoroutinesIterateInTurns() throws Exception {
    TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
    List<String> served = new ArrayList<>();
    List<Coroutine<?>> servers = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      servers.add(
          Coroutine.spawn(
              () -> {
                for (TcpStream peer : listener) {
                  served.add(name);
                  peer.close();
                }
              }));
    }
    for (int i = 1; i <= 7; i++) {
      Tcp.connect(listener.local()).close();
      while (served.size() < i) {
        Coroutine.pause();
      }
    }
    listener.close();
    for (Coroutine<?> server : servers) {
      server.await();
    }

    assertEquals(List.of("a", "b", "c", "a", "b", "c", "a"), served);
  }

  @Test
  void acceptIsRefusedWhileAnotherIteratesAndTheIterationGoesOn() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Iterator<TcpStream> connections = listener.iterator();
      Coroutine<TcpStream> iterating = Coroutine.spawn(connections::next);
      Coroutine.pause();

      assertThrows(BusyException.class, listener::accept);

      Tcp.connect(listener.local()).close();
      iterating.await().close();
    }
  }

  @Test
  void whoLeavesItsTurnLeavesItToTheNextAndNoConnectionIsLost() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      List<Coroutine<TcpStream>> waiting = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        waiting.add(Coroutine.spawn(() -> listener.iterator().next()));
      }
      Coroutine.pause();
      waiting.get(0).cancel(); // has the turn
      waiting.get(2).cancel(); // waits for it
      assertThrows(CancellationException.class, waiting.get(0)::await);
      assertThrows(CancellationException.class, waiting.get(2)::await);
      TcpStream first = Tcp.connect(listener.local());
      TcpStream second = Tcp.connect(listener.local());

      try (TcpStream one = waiting.get(1).await();
          TcpStream two = waiting.get(3).await()) {
        assertNotSame(one, two);
        assertEquals(first.local(), one.remote());
        assertEquals(second.local(), two.remote());
      }
      first.close();
      second.close();
    }
  }

  @Test
  void aLackOfDescriptorsDoesNotEndTheIteration() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<TcpStream> serving = Coroutine.spawn(() -> listener.iterator().next());
      Coroutine.pause();
      Listening.tell(listener.socket(), UvErrors.UV_EMFILE);
      Coroutine.pause();
      assertEquals(Status.SUSPENDED, serving.status());
      SocketChannel client = RawPeer.dial(listener);

      serving.await().close();

      client.close();
    }
  }

  @Test
  void anyOtherFailureIsToldUnchecked() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      SocketChannel client = RawPeer.dial(listener);
      int code = UvErrors.code("ENOMEM");
      try (var _ = NativeCalls.replace("uv_tcp_init", NativeCalls.failing("uv_tcp_init", code))) {
        UncheckedIOException failure =
            assertThrows(UncheckedIOException.class, listener.iterator()::hasNext);
        assertInstanceOf(UvException.class, failure.getCause());
      }

      assertTrue(listener.iterator().hasNext());
      client.close();
    }
  }
}
