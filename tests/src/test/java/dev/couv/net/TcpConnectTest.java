// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.UvException;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.UvErrors;
import dev.couv.world.AddressText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TcpConnectTest {
  /// An address at which nobody listens: none of the ports that the system gives to whoever asks.
  private static InetSocketAddress deserted(String literal) throws IOException {
    return TcpPair.address(literal, 1);
  }

  private static void pauseUntilNothingIsLeft() {
    while (Loop.current().stats().closingHandles() + Loop.current().stats().requests() > 0) {
      Coroutine.pause();
    }
    assertEquals(0, Loop.current().stats().handles());
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  @Behaviour("ST17")
  void bothEndsKnowEachOther(String literal) throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address(literal, 0));
        TcpPair pair = TcpPair.through(listener)) {
      assertEquals(listener.local(), pair.client().remote());
      assertEquals(listener.local(), pair.server().local());
      assertEquals(pair.client().local(), pair.server().remote());
      String text = AddressText.of(listener.local());
      assertEquals("tcp " + text, pair.client().toString());
      assertTrue(pair.client().isOpen() && pair.server().isOpen());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  @Behaviour("ST18")
  void refusedConnectIsAConnectException(String literal) throws Exception {
    InetSocketAddress nobody = deserted(literal);

    ConnectException thrown = assertThrows(ConnectException.class, () -> Tcp.connect(nobody));

    UvException cause = assertInstanceOf(UvException.class, thrown.getCause());
    assertEquals("ECONNREFUSED", cause.code());
    assertEquals(-UvErrors.UV_ECONNREFUSED, cause.errno());
    assertEquals("connect", cause.call());
    assertEquals(AddressText.of(nobody), cause.subject());
    assertTrue(thrown.getMessage().contains(cause.subject()), thrown.getMessage());
    pauseUntilNothingIsLeft();
  }

  @InLoop
  @Test
  void connectThatTheSystemRefusesAtOnceLeavesNothingBehind() throws Exception {
    InetSocketAddress broadcast = TcpPair.address("255.255.255.255", 9);

    Exception thrown = assertThrows(IOException.class, () -> Tcp.connect(broadcast));

    UvException failure =
        assertInstanceOf(
            UvException.class, thrown instanceof UvException ? thrown : thrown.getCause());
    assertEquals("connect", failure.call());
    assertEquals("255.255.255.255:9", failure.subject());
    pauseUntilNothingIsLeft();
  }

  @InLoop
  @Test
  @Behaviour("ST16")
  void connectToNullIsRefused() throws Exception {
    assertThrows(NullPointerException.class, () -> Tcp.connect(null));
    pauseUntilNothingIsLeft();
  }

  @InLoop
  @Test
  @Behaviour("ST20")
  void cancelledConnectClosesTheAttempt() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<TcpStream> connecting = Coroutine.spawn(() -> Tcp.connect(listener.local()));
      Coroutine.pause();
      assertEquals(Status.SUSPENDED, connecting.status());
      connecting.cancel();

      assertThrows(CancellationException.class, connecting::await);
      // The system had connected it: the listener finds a stream at its end.
      try (TcpStream accepted = listener.accept()) {
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
      }
    }
    pauseUntilNothingIsLeft();
  }

  @InLoop
  @Test
  @Behaviour({"ST21", "ST22"})
  void resumedConnectCanBeRepeatedAtOnce() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<TcpStream> connecting =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < 3; i++) {
                  Resumed resumed =
                      assertThrows(Resumed.class, () -> Tcp.connect(listener.local()));
                  assertEquals(List.of(i, "again"), resumed.values());
                }
                return Tcp.connect(listener.local());
              });
      Coroutine.pause();
      for (int i = 0; i < 3; i++) {
        connecting.resume(i, "again");
      }
      for (int i = 0; i < 3; i++) {
        try (TcpStream accepted = listener.accept()) {
          assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
        }
      }
      TcpStream client = connecting.await();
      TcpStream server = listener.accept();

      assertEquals(client.local(), server.remote());
      client.close();
      server.close();
    }
  }

  @InLoop
  @Test
  void connectionThatMeetsAResumeIsClosed() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<?> connecting =
          Coroutine.spawn(() -> assertThrows(Resumed.class, () -> Tcp.connect(listener.local())));
      Coroutine.pause();
      Coroutines.pauseUntilReady(connecting);
      connecting.resume();

      assertEquals(Status.DONE, connecting.status());
      try (TcpStream accepted = listener.accept()) {
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
      }
    }
    pauseUntilNothingIsLeft();
  }

  @InLoop
  @Test
  void cancelledCoroutineDoesNotConnect() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<?> connecting =
          Coroutine.spawn(
              () -> {
                Coroutine.current().cancel();
                assertThrows(Cancelled.class, () -> Tcp.connect(listener.local()));
                assertThrows(Cancelled.class, listener::accept);
              });
      connecting.await();
    } catch (CancellationException expected) {
      // It has ended as what it was told to be.
    }
    pauseUntilNothingIsLeft();
  }

  @Test
  void connectThatNobodyAnswersTimesOut() throws Exception {
    // A full backlog: the system drops what comes.
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
      List<SocketChannel> filling = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(address);
        filling.add(channel);
      }
      Loop.run(
          () -> {
            assertThrows(
                TimeoutException.class,
                () -> Time.timeout(Duration.ofMillis(30), () -> Tcp.connect(address)));
            Coroutine<?> stuck = Coroutine.spawn(() -> Tcp.connect(address));
            Coroutine.pause();
            stuck.cancel();
            assertThrows(CancellationException.class, stuck::await);
            pauseUntilNothingIsLeft();
          });
      for (SocketChannel channel : filling) {
        channel.close();
      }
    }
  }

  @Test
  @Behaviour("NW29")
  void loopThatEndsCancelsAConnectInFlight() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      InetSocketAddress address = (InetSocketAddress) full.getLocalSocketAddress();
      List<String> story = new ArrayList<>();
      try (Loop loop = Loop.open()) {
        for (int i = 0; i < 5; i++) {
          loop.spawn(
              () -> {
                try {
                  Tcp.connect(address);
                  Coroutine.halt();
                } catch (Cancelled cancelled) {
                  story.add("told");
                  throw cancelled;
                }
              });
        }
        loop.run(Mode.READY);
      }

      assertEquals(List.of("told", "told", "told", "told", "told"), story);
    }
  }

  @Test
  @Behaviour("ST37")
  void failureAfterAResumedConnectIsTheResumers() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(
          () -> {
            InetSocketAddress nobody = deserted("127.0.0.1");
            Coroutine<?> connecting =
                Coroutine.spawn(
                    () -> {
                      try {
                        Tcp.connect(nobody);
                      } catch (Resumed resumed) {
                        throw new IllegalStateException("after the cancel", resumed);
                      }
                    });
            Coroutine.pause();
            assertThrows(IllegalStateException.class, connecting::resume);
          });

      assertFalse(loop.run(Mode.LOOP));
      assertEquals(0, loop.stats().handles());
    }
  }

  @InLoop
  @Test
  void connectingToAWildcardReachesThisMachine() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        TcpStream client = Tcp.connect(TcpPair.address("0.0.0.0", listener.local().getPort()));
        TcpStream server = listener.accept()) {
      assertEquals(client.local(), server.remote());
    }
  }
}
