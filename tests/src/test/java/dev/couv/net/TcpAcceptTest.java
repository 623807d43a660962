// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.error.BusyException;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class TcpAcceptTest {
  private static TcpListener listen() throws Exception {
    return Tcp.listen(TcpPair.address("127.0.0.1", 0));
  }

  /// The peer of an accepted stream is the one of these that has its port.
  private static int peerOf(TcpStream accepted, List<SocketChannel> clients) throws Exception {
    for (int i = 0; i < clients.size(); i++) {
      if (clients.get(i).getLocalAddress().equals(accepted.remote())) {
        return i;
      }
    }
    throw new AssertionError("none of the clients: " + accepted);
  }

  private static void closeAll(List<SocketChannel> clients) throws Exception {
    for (SocketChannel client : clients) {
      client.close();
    }
  }

  @InLoop
  @Test
  @Behaviour({"ST08", "ST17"})
  void acceptorGetsAsManyStreamsAsThereAreConnects() throws Exception {
    try (TcpListener listener = listen()) {
      Coroutine<Integer> acceptor =
          Coroutine.spawn(
              () -> {
                int accepted = 0;
                while (accepted < 3) {
                  listener.accept().close();
                  accepted++;
                }
                return accepted;
              });
      for (int i = 0; i < 3; i++) {
        Tcp.connect(listener.local()).close();
      }

      assertEquals(3, acceptor.await());
    }
  }

  @Test
  void fiftyConnectionsBeforeTheFirstAcceptAreAcceptedInOrder() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    Loop.run(
        () -> {
          try (TcpListener listener = listen()) {
            for (int i = 0; i < 50; i++) {
              clients.add(RawPeer.dial(listener));
              Coroutine.pause();
            }
            for (int i = 0; i < 600; i++) {
              Coroutine.pause(); // libuv has told of as many as it will
            }
            for (int i = 0; i < 50; i++) {
              try (TcpStream accepted = listener.accept()) {
                assertEquals(i, peerOf(accepted, clients));
              }
            }
          }
        });
    closeAll(clients);
  }

  @Test
  void acceptingGoesOnAfterMoreConnectionsThanAreKept() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    Loop.run(
        () -> {
          try (TcpListener listener = listen()) {
            for (int round = 0; round < 4; round++) {
              int first = clients.size();
              for (int i = 0; i < 30; i++) {
                clients.add(RawPeer.dial(listener));
              }
              for (int i = 0; i < 600; i++) {
                Coroutine.pause();
              }
              for (int i = 0; i < 30; i++) {
                try (TcpStream accepted = listener.accept()) {
                  assertEquals(first + i, peerOf(accepted, clients));
                }
              }
              assertThrows(
                  TimeoutException.class,
                  () -> Time.timeout(Duration.ofMillis(1), listener::accept));
            }
          }
        });
    closeAll(clients);
  }

  @Test
  void closedListenerClosesTheConnectionsNobodyAccepted() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    Loop.run(
        () -> {
          TcpListener listener = listen();
          for (int i = 0; i < 50; i++) {
            clients.add(RawPeer.dial(listener));
          }
          for (int i = 0; i < 600; i++) {
            Coroutine.pause();
          }
          listener.accept().close();
          assertTrue(Loop.current().stats().handles() > 10, "some are kept");
          listener.close();

          for (SocketChannel client : clients) {
            assertTrue(RawPeer.hearsTheEnd(client));
          }
          assertEquals(0, Loop.current().stats().handles());
        });
    closeAll(clients);
  }

  @Test
  void connectionsNobodyAcceptedEndWithTheLoop() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    Loop.run(
        () -> {
          TcpListener listener = listen();
          for (int i = 0; i < 40; i++) {
            clients.add(RawPeer.dial(listener));
          }
          for (int i = 0; i < 600; i++) {
            Coroutine.pause();
          }
        });

    for (SocketChannel client : clients) {
      assertTrue(RawPeer.hearsTheEnd(client));
    }
    closeAll(clients);
  }

  @InLoop
  @Test
  @Behaviour("ST09")
  void secondAcceptorIsRefusedAndTheFirstIsNotDisturbed() throws Exception {
    try (TcpListener listener = listen()) {
      Coroutine<TcpStream> first = Coroutine.spawn(listener::accept);
      Coroutine.pause();

      BusyException thrown = assertThrows(BusyException.class, listener::accept);

      assertTrue(thrown.getMessage().contains("tcp listener 127.0.0.1:"));
      Tcp.connect(listener.local()).close();
      first.await().close();
      TcpPair.through(listener).close();
    }
  }

  @InLoop
  @Test
  @Behaviour("ST10")
  void acceptorHandsTheListenerOverToAnotherCoroutine() throws Exception {
    try (TcpListener listener = listen()) {
      List<SocketChannel> clients = List.of(RawPeer.dial(listener), RawPeer.dial(listener));
      List<Integer> accepted = new ArrayList<>();
      Coroutine<?> second =
          Coroutine.spawn(
              () -> {
                Coroutine.halt();
                try (TcpStream stream = listener.accept()) {
                  accepted.add(peerOf(stream, clients));
                }
              });
      Coroutine<?> first =
          Coroutine.spawn(
              () -> {
                try (TcpStream stream = listener.accept()) {
                  accepted.add(peerOf(stream, clients));
                }
                second.resume();
              });
      first.await();
      second.await();

      assertEquals(List.of(0, 1), accepted);
      closeAll(clients);
    }
  }

  @InLoop
  @Test
  @Behaviour("ST12")
  void oneCoroutineServesTwoListenersInTurn() throws Exception {
    try (TcpListener one = listen();
        TcpListener two = listen()) {
      Coroutine<?> server =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 4; i++) {
                  (i % 2 == 0 ? one : two).accept().close();
                }
              });
      for (int i = 0; i < 4; i++) {
        Tcp.connect((i % 2 == 0 ? one : two).local()).close();
      }
      server.await();
    }
  }

  @InLoop
  @Test
  @Behaviour({"ST13", "OP15"})
  void closeWakesTheAcceptor() throws Exception {
    TcpListener listener = listen();
    Coroutine<?> acceptor = Coroutine.spawn(listener::accept);
    Coroutine.pause();
    listener.close();

    AsynchronousCloseException thrown =
        assertThrows(AsynchronousCloseException.class, acceptor::await);
    assertTrue(thrown.getMessage().contains("while it was accepting"), thrown.getMessage());
  }

  @Test
  @Behaviour({"ST14", "ST37"})
  void resumedAcceptLeavesTheLoopWithNothingToWaitFor() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            TcpListener listener = listen();
            Coroutine<?> acceptor =
                Coroutine.spawn(
                    () -> {
                      Resumed resumed = assertThrows(Resumed.class, listener::accept);
                      assertEquals(Arrays.asList(1, null, "x"), resumed.values());
                      throw new IllegalStateException("after the cancel");
                    });
            Coroutine.pause();
            assertThrows(IllegalStateException.class, () -> acceptor.resume(1, null, "x"));
          });

      assertFalse(loop.run(Mode.LOOP));
    }
  }

  @InLoop
  @Test
  void connectionThatCameBeforeTheCancelIsTheNextAcceptors() throws Exception {
    try (TcpListener listener = listen()) {
      Coroutine<?> acceptor = Coroutine.spawn(listener::accept);
      Coroutine.pause();
      SocketChannel client = RawPeer.dial(listener);
      acceptor.cancel();

      assertThrows(CancellationException.class, acceptor::await);
      try (TcpStream accepted = listener.accept()) {
        assertEquals(client.getLocalAddress(), accepted.remote());
      }
      client.close();
    }
  }

  @InLoop
  @Test
  void connectionThatMeetsAResumeIsTheNextAcceptorsAndStaysFirst() throws Exception {
    try (TcpListener listener = listen()) {
      Coroutine<?> acceptor = Coroutine.spawn(() -> assertThrows(Resumed.class, listener::accept));
      Coroutine.pause();
      List<SocketChannel> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        clients.add(RawPeer.dial(listener));
      }
      Coroutines.pauseUntilReady(acceptor);
      acceptor.resume();

      for (int i = 0; i < 3; i++) {
        try (TcpStream accepted = listener.accept()) {
          assertEquals(i, peerOf(accepted, clients));
        }
      }
      closeAll(clients);
    }
  }

  @InLoop
  @Test
  void connectionThatMeetsACancelIsTheAcceptors() throws Exception {
    try (TcpListener listener = listen()) {
      List<TcpStream> accepted = new ArrayList<>();
      Coroutine<?> acceptor =
          Coroutine.spawn(
              () -> {
                accepted.add(listener.accept());
                listener.accept();
              });
      Coroutine.pause();
      SocketChannel client = RawPeer.dial(listener);
      Coroutines.pauseUntilReady(acceptor);
      acceptor.cancel();

      assertThrows(CancellationException.class, acceptor::await);
      assertEquals(client.getLocalAddress(), accepted.getFirst().remote());
      accepted.getFirst().close();
      client.close();
    }
  }

  @InLoop
  @Test
  void connectionThatMeetsCloseAndResumeIsClosed() throws Exception {
    TcpListener listener = listen();
    Coroutine<?> acceptor = Coroutine.spawn(() -> assertThrows(Resumed.class, listener::accept));
    Coroutine.pause();
    SocketChannel client = RawPeer.dial(listener);
    Coroutines.pauseUntilReady(acceptor);
    listener.close();
    acceptor.resume();

    assertEquals(0, Loop.current().stats().handles());
    assertTrue(RawPeer.hearsTheEnd(client));
    client.close();
  }

  @InLoop
  @Test
  void connectionThatMeetsACloseIsTheAcceptors() throws Exception {
    TcpListener listener = listen();
    Coroutine<TcpStream> acceptor = Coroutine.spawn(listener::accept);
    Coroutine.pause();
    SocketChannel client = RawPeer.dial(listener);
    Coroutines.pauseUntilReady(acceptor);
    listener.close();

    try (TcpStream accepted = acceptor.await()) {
      accepted.write(ByteBuffer.wrap("hi".getBytes()));
      assertEquals(2, client.read(ByteBuffer.allocate(2)));
    }
    client.close();
  }

  @InLoop
  @Test
  void timedOutAcceptsLoseNoConnection() throws Exception {
    try (TcpListener listener = listen()) {
      for (int i = 0; i < 3; i++) {
        assertThrows(
            TimeoutException.class, () -> Time.timeout(Duration.ofMillis(1), listener::accept));
      }
      TcpPair.through(listener).close();
    }
  }

  @Test
  @Behaviour("ST06")
  void acceptOutsideACoroutineIsRefusedAndTheListenerStaysUsable() throws Exception {
    try (Loop loop = Loop.open()) {
      TcpListener[] listener = new TcpListener[1];
      loop.spawn(() -> listener[0] = listen());
      loop.run(Mode.LOOP);

      IllegalStateException thrown =
          assertThrows(IllegalStateException.class, () -> listener[0].accept());

      assertTrue(thrown.getMessage().contains("accept from tcp listener"), thrown.getMessage());
      loop.spawn(() -> TcpPair.through(listener[0]).close());
      assertFalse(loop.run(Mode.LOOP));
      listener[0].close();
    }
  }

  @InLoop
  @Test
  void clientThatIsGoneBeforeItIsAcceptedIsAStreamAtItsEnd() throws Exception {
    try (TcpListener listener = listen()) {
      RawPeer.dial(listener).close();

      try (TcpStream accepted = listener.accept()) {
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
      }
    }
  }
}
