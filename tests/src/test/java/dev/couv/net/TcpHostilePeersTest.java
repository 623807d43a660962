// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopStats;
import dev.couv.error.UvException;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.net.NoRouteToHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Peers that reset, trickle, come in crowds or vanish.
@InLoop
final class TcpHostilePeersTest {
  private static final int MEGABYTE = 1 << 20;

  /// Opens many connections at once, says so, and when told drops all of them at once.
  private static final String CROWD =
      """
      import select, socket, sys
      port, count = int(sys.argv[1]), int(sys.argv[2])
      peers = []
      for i in range(count):
          s = socket.socket()
          s.setblocking(False)
          s.connect_ex(('127.0.0.1', port))
          peers.append(s)
      print('called', flush=True)
      greeted = 0
      poll = select.epoll()
      by = {s.fileno(): s for s in peers}
      for s in peers:
          poll.register(s, select.EPOLLIN)
      while greeted < count:
          for fd, _ in poll.poll():
              if by[fd].recv(1) != b'x':
                  print('dropped', flush=True)
              greeted += 1
              poll.unregister(fd)
      print('greeted', greeted, flush=True)
      sys.stdin.readline()
      """;

  @Test
  @Tag("storm")
  void tenThousandConnectionsComeAtOnceAndAreDroppedAtOnce() throws Exception {
    int count = 10_000;
    try (TcpListener listener =
            Tcp.listen(TcpPair.address("127.0.0.1", 0), ListenOptions.DEFAULT.withBacklog(4096));
        TcpPair bystander = TcpPair.open();
        Program crowd =
            Program.start(
                "python3",
                "-c",
                CROWD,
                String.valueOf(listener.local().getPort()),
                String.valueOf(count))) {
      int[] ended = new int[1];
      Coroutine<?> accepting =
          Coroutine.spawn(
              () -> {
                for (TcpStream peer : listener) {
                  Coroutine.spawn(() -> greet(peer, ended));
                }
              });

      assertEquals("greeted " + count, Loop.offload(() -> crowd.line("greeted")));
      LoopStats idle = Loop.current().stats();
      // A handle's block each, and no buffer.
      assertTrue(idle.nativeBytes() < 600L * count + 2 * MEGABYTE, idle::toString);
      crowd.endInput();
      while (ended[0] < count) {
        Time.sleep(Duration.ofMillis(1));
      }

      bystander.client().write(ByteBuffer.wrap(new byte[] {5}));
      assertEquals(1, bystander.server().read(ByteBuffer.allocate(1)));
      accepting.cancel();
    }
  }

  private static void greet(TcpStream peer, int[] ended) {
    try (peer) {
      peer.write(ByteBuffer.wrap(new byte[] {'x'}));
      peer.read();
    } catch (java.io.IOException reset) {
      // dropped all the same
    } finally {
      ended[0]++;
    }
  }

  @Test
  @Behaviour("TA115")
  void resetInTheMiddleOfAWriteWakesTheWriterWhoseBufferTellsHowFarItCame() throws Exception {
    try (RawPeer peer = RawPeer.open();
        TcpPair bystander = TcpPair.open()) {
      ByteBuffer from = ByteBuffer.allocate(8 * MEGABYTE);
      Coroutine<?> writing = Coroutine.spawn(() -> peer.stream().write(from));
      Coroutine<UvException> reading =
          Coroutine.spawn(
              () ->
                  assertThrows(
                      UvException.class, () -> peer.stream().read(ByteBuffer.allocate(1))));
      Coroutines.pauseUntilPending(peer.stream());
      peer.receive(8192);
      peer.reset();

      UvException failure = assertThrows(UvException.class, writing::await);

      assertTrue(List.of("ECONNRESET", "EPIPE").contains(failure.code()), failure::code);
      assertEquals("write", failure.call());
      assertTrue(from.position() >= 8192 && from.hasRemaining(), from::toString);
      reading.await();
      assertThrows(UvException.class, () -> peer.stream().write(from));
      assertThrows(UvException.class, () -> peer.stream().read(ByteBuffer.allocate(1)));
      bystander.client().write(ByteBuffer.wrap(new byte[] {5}));
      assertEquals(1, bystander.server().read(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void aTricklingPeerKeepsNobodyWaitingButItsReader() throws Exception {
    byte[] sent = new byte[3000];
    new Random(1).nextBytes(sent);
    try (TcpPair slow = TcpPair.open();
        TcpPair quick = TcpPair.open()) {
      slow.client().noDelay(true);
      ByteBuffer received = ByteBuffer.allocate(sent.length);
      Coroutine<?> reading = Coroutine.spawn(() -> slow.server().readFully(received));
      Coroutine.spawn(
          () -> {
            for (byte each : sent) {
              slow.client().write(ByteBuffer.wrap(new byte[] {each}));
              Coroutine.pause();
            }
          });
      for (int i = 0; i < 100; i++) {
        quick.client().write(ByteBuffer.wrap(new byte[] {1}));
        quick.server().readFully(ByteBuffer.allocate(1));
      }
      reading.await();

      assertArrayEquals(sent, received.array());
    }
  }

  @Test
  @Tag("storm")
  void twoGigabytesPassThroughOneConnection() throws Exception {
    long total = 2L << 30;
    try (TcpPair pair = TcpPair.open()) {
      long start = System.nanoTime();
      Coroutine<?> writing =
          Coroutine.spawn(
              () -> {
                ByteBuffer block = ByteBuffer.allocateDirect(MEGABYTE);
                for (int i = 0; i < MEGABYTE / Long.BYTES; i++) {
                  block.putLong(i * Long.BYTES, i);
                }
                for (long written = 0; written < total; written += MEGABYTE) {
                  block.putLong(0, written);
                  pair.client().write(block.clear());
                }
                pair.client().shutdown();
              });
      ByteBuffer into = ByteBuffer.allocateDirect(MEGABYTE);
      long received = 0;
      for (; received < total; received += MEGABYTE) {
        pair.server().readFully(into.clear());
        assertEquals(received, into.getLong(0));
        assertEquals(MEGABYTE / 8 - 1, into.getLong(MEGABYTE - 8));
      }
      writing.await();

      assertEquals(-1, pair.server().read(into.clear()));
      long held = Loop.current().stats().nativeBytes();
      assertTrue(held < MEGABYTE, () -> held + " native bytes");
      System.out.printf(
          "2 GiB through one connection: %.1f s%n", (System.nanoTime() - start) / 1e9);
    }
  }

  @Test
  void aWriterToAPeerThatDoesNotReadWaitsAndMemoryStaysFlat() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<?>[] writers = new Coroutine<?>[20];
      ByteBuffer[] buffers = new ByteBuffer[20];
      for (int i = 0; i < writers.length; i++) {
        ByteBuffer buffer = ByteBuffer.allocate(8 * MEGABYTE);
        buffers[i] = buffer;
        writers[i] = Coroutine.spawn(() -> pair.client().write(buffer));
      }
      Coroutines.pauseUntilPending(pair.client());
      long pending = pair.client().pending();

      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(30), () -> writers[0].await()));

      assertTrue(pending > 0 && pair.client().pending() <= 1 << 16);
      assertTrue(Loop.current().stats().nativeBytes() < MEGABYTE);
      for (Coroutine<?> writer : writers) {
        writer.cancel();
        assertThrows(CancellationException.class, writer::await);
      }
      assertTrue(pair.client().pending() <= 1 << 16, "who gives up leaves no more behind");
      for (int i = 1; i < writers.length; i++) {
        assertEquals(0, buffers[i].position(), "it was never its turn");
      }
      Coroutine<?> ending = Coroutine.spawn(() -> pair.client().shutdown());
      int written = buffers[0].position();
      pair.server().readFully(ByteBuffer.allocate(written));
      assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)), "exactly that many");
      ending.await();
    }
  }

  @Test
  void anAddressToWhichThereIsNoWayIsTold() throws Exception {
    // The broadcast address of the loopback network: no connection leads there.
    NoRouteToHostException failure =
        assertThrows(
            NoRouteToHostException.class, () -> Tcp.connect(TcpPair.address("127.255.255.255", 9)));

    assertEquals("ENETUNREACH", ((UvException) failure.getCause()).code());
  }

  @Test
  @Behaviour("TA114")
  void aReadThatTimedOutIsFollowedByOneThatDoesNot() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      ByteBuffer into = ByteBuffer.allocate(4);
      assertThrows(
          TimeoutException.class,
          () -> Time.timeout(Duration.ofMillis(10), () -> peer.stream().read(into)));
      peer.send("data");
      assertEquals(4, peer.stream().read(into));
      peer.endOutput();
      for (int i = 0; i < 3; i++) {
        assertEquals(-1, peer.stream().read(into.clear()), "the end stays");
      }
    }
  }
}
