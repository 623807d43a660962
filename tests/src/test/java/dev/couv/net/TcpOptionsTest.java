// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.testing.InLoop;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What can be set on connections and listeners.
final class TcpOptionsTest {
  @Test
  void valuesThatMakeNoSenseAreRefused() throws Exception {
    TcpOptions options = TcpOptions.DEFAULT;
    assertThrows(IllegalArgumentException.class, () -> options.withSendBuffer(-1));
    assertThrows(IllegalArgumentException.class, () -> options.withReceiveBuffer(-1));
    assertThrows(IllegalArgumentException.class, () -> options.withKeepAlive(Duration.ofMillis(9)));
    assertThrows(IllegalArgumentException.class, () -> options.withKeepAlive(Duration.ofDays(9)));
    assertThrows(
        IllegalArgumentException.class, () -> options.withAttemptDelay(Duration.ofMillis(-1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> options.withFrom(InetSocketAddress.createUnresolved("localhost", 0)));
    assertEquals(options, options.withNoDelay(false).withNoDelay(true));
    assertEquals(options, options.withKeepAlive(Duration.ofSeconds(1)).withKeepAlive(null));
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void everythingIsSetBeforeTheStreamIsConnected(String literal) throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address(literal, 0))) {
      TcpOptions options =
          TcpOptions.DEFAULT
              .withNoDelay(true)
              .withKeepAlive(Duration.ofSeconds(5))
              .withSendBuffer(30_000)
              .withReceiveBuffer(20_000)
              .withFrom(TcpPair.address(literal, 0));
      try (TcpStream stream = Tcp.connect(listener.local(), options);
          TcpStream peer = listener.accept()) {
        // Linux says twice what was asked for.
        assertEquals(60_000, stream.sendBuffer());
        assertEquals(40_000, stream.receiveBuffer());
        peer.write(ByteBuffer.wrap(new byte[] {1}));
        stream.readFully(ByteBuffer.allocate(1));
      }
    }
  }

  @InLoop
  @Test
  void buffersAreSetLaterToo() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().sendBuffer(8192);
      pair.client().receiveBuffer(16384);
      pair.client().simultaneousAccepts(false);

      assertEquals(2 * 8192, pair.client().sendBuffer());
      assertEquals(2 * 16384, pair.client().receiveBuffer());
      assertThrows(IllegalArgumentException.class, () -> pair.client().sendBuffer(0));
      assertThrows(IllegalArgumentException.class, () -> pair.client().receiveBuffer(-1));
      pair.client().close();
      assertThrows(ClosedChannelException.class, () -> pair.client().sendBuffer());
      assertThrows(ClosedChannelException.class, () -> pair.client().receiveBuffer(1));
      assertThrows(ClosedChannelException.class, () -> pair.client().simultaneousAccepts(true));
    }
  }

  @InLoop
  @Test
  void streamIsConnectedFromTheAddressThatWasAskedFor() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      TcpOptions options = TcpOptions.DEFAULT.withFrom(TcpPair.address("127.0.0.9", 0));
      try (TcpStream stream = Tcp.connect(listener.local(), options);
          TcpStream peer = listener.accept()) {
        assertEquals("127.0.0.9", peer.remote().getAddress().getHostAddress());
        assertEquals(stream.local(), peer.remote());
      }
      TcpOptions taken = TcpOptions.DEFAULT.withFrom(listener.local());
      assertThrows(BindException.class, () -> Tcp.connect(listener.local(), taken));
    }
  }

  @InLoop
  @Test
  void listenersThatSayItShareAPort() throws Exception {
    ListenOptions shared = ListenOptions.DEFAULT.withReusePort(true).withBacklog(40);
    try (TcpListener one = Tcp.listen(TcpPair.address("127.0.0.1", 0), shared);
        TcpListener two = Tcp.listen(one.local(), shared)) {
      assertTrue(two.reusePort());
      assertFalse(two.ipv6Only());
      assertEquals(40, two.backlog());
      two.simultaneousAccepts(true);
      int[] accepted = new int[2];
      Coroutine.spawn(() -> one.forEach(stream -> count(stream, accepted, 0)));
      Coroutine.spawn(() -> two.forEach(stream -> count(stream, accepted, 1)));
      for (int i = 0; i < 64; i++) {
        try (TcpStream stream = Tcp.connect(one.local())) {
          assertEquals(-1, stream.read(ByteBuffer.allocate(1)));
        }
      }
      assertEquals(64, accepted[0] + accepted[1]);
      assertTrue(accepted[0] > 0 && accepted[1] > 0, "one of them got all");
    }
  }

  private static void count(TcpStream stream, int[] accepted, int who) {
    accepted[who]++;
    stream.close();
  }

  @InLoop
  @Test
  void portIsNotSharedWithWhoDoesNotSayIt() throws Exception {
    ListenOptions shared = ListenOptions.DEFAULT.withReusePort(true);
    try (TcpListener one = Tcp.listen(TcpPair.address("::1", 0), shared);
        TcpListener other = Tcp.listen(TcpPair.address("::1", 0))) {
      assertThrows(BindException.class, () -> Tcp.listen(one.local()));
      assertThrows(BindException.class, () -> Tcp.listen(other.local(), shared));
      assertFalse(other.reusePort());
    }
  }

  @InLoop
  @Test
  void resetIsSeenByThePeerAndWakesBothSides() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<Integer> own = Coroutine.spawn(() -> pair.client().read(ByteBuffer.allocate(1)));
      Coroutine<Integer> peers = Coroutine.spawn(() -> pair.server().read(ByteBuffer.allocate(1)));
      Coroutine.pause();

      pair.client().reset();

      assertThrows(AsynchronousCloseException.class, own::await);
      assertEquals("ECONNRESET", assertThrows(UvException.class, peers::await).code());
      assertFalse(pair.client().isOpen());
      pair.client().reset();
      pair.client().close();
    }
  }

  @InLoop
  @Test
  void resetDropsWhatIsQueuedAndWakesTheWriter() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> writing =
          Coroutine.spawn(() -> pair.client().write(ByteBuffer.allocate(32 << 20)));
      while (pair.client().pending() == 0) {
        Coroutine.pause();
      }

      pair.client().reset();

      assertThrows(AsynchronousCloseException.class, writing::await);
      assertThrows(UvException.class, () -> pair.server().readFully(ByteBuffer.allocate(32 << 20)));
    }
  }

  @InLoop
  @Test
  void resetWhileAShutdownIsUnderWayStillCloses() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?> writing =
          Coroutine.spawn(() -> pair.client().write(ByteBuffer.allocate(32 << 20)));
      while (pair.client().pending() == 0) {
        Coroutine.pause();
      }
      writing.cancel();
      Coroutine<?> ending = Coroutine.spawn(() -> pair.client().shutdown());
      Coroutine.pause();
      Coroutine.pause();

      pair.client().reset();

      assertThrows(AsynchronousCloseException.class, ending::await);
      assertFalse(pair.client().isOpen());
      assertThrows(UvException.class, () -> pair.server().readFully(ByteBuffer.allocate(32 << 20)));
    }
  }
}
