// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.Utf8.text;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Body;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Status;
import dev.couv.error.BusyException;
import dev.couv.pool.LoopPool;
import dev.couv.stream.Coroutines;
import dev.couv.stream.Detached;
import dev.couv.sync.Promise;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// A connection moves from one loop to another.
class DetachTest {
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private interface Both {
    void with(TcpStream here, TcpStream peer) throws Exception;
  }

  private static void connected(Both body) throws Exception {
    Loop.run(
        () -> {
          try (TcpListener listener = Tcp.listen(ANYWHERE);
              TcpStream peer = Tcp.connect(listener.local());
              TcpStream here = listener.accept()) {
            body.with(here, peer);
          }
        });
  }

  /// On a loop and a thread of its own, while the caller's loop goes on.
  private static <T> T elsewhere(Body<T> body) throws Exception {
    Promise<T> end = Promise.outside(() -> {});
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                end.complete(Loop.run(body));
              } catch (Throwable failed) {
                end.fail(failed);
              }
            });
    return end.await();
  }

  private static String exactly(TcpStream stream, int count) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(count);
    stream.readFully(into);
    return text(into.flip());
  }

  @Test
  void theOtherLoopReadsAndWritesIt() throws Exception {
    connected(
        (here, peer) -> {
          InetSocketAddress local = here.local();
          InetSocketAddress remote = peer.local();
          Coroutine<?> reader =
              Coroutine.spawn(
                  () -> {
                    assertEquals("pong", exactly(peer, 4));
                    assertEquals(null, peer.read());
                    peer.shutdown();
                  });
          Detached<TcpStream> moving = here.detach();
          assertFalse(here.isOpen());
          assertThrows(ClosedChannelException.class, () -> here.write(bytes("x")));
          peer.write(bytes("ping"));
          String seen =
              elsewhere(
                  () -> {
                    try (TcpStream there = moving.adopt()) {
                      assertEquals(local, there.local());
                      assertEquals(remote, there.remote());
                      String got = exactly(there, 4);
                      there.write(bytes("pong"));
                      there.shutdown();
                      assertEquals(null, there.read());
                      return got;
                    }
                  });
          assertEquals("ping", seen);
          reader.await();
        });
  }

  @Test
  void whatWasReadAndNotTakenTravelsAlongInOrder() throws Exception {
    connected(
        (here, peer) -> {
          peer.write(bytes("abcdef"));
          assertEquals("abcd", exactly(here, 4));
          here.unread(bytes("CD"));
          Detached<TcpStream> moving = here.detach();
          assertEquals(
              "CDef",
              elsewhere(
                  () -> {
                    try (TcpStream there = moving.adopt()) {
                      return exactly(there, 4);
                    }
                  }));
        });
  }

  /// With bytes in the kernel, in the stream, and on their way, again and again.
  @Test
  void aConnectionThatMovesInTheMiddleOfAStreamLosesNothing() throws Exception {
    int hops = 40;
    int step = 5_000;
    byte[] sent = new byte[hops * step];
    new Random(1).nextBytes(sent);
    ByteBuffer got = ByteBuffer.allocate(sent.length);
    connected(
        (here, peer) -> {
          Coroutine<?> writer = Coroutine.spawn(() -> peer.write(ByteBuffer.wrap(sent)));
          Detached<TcpStream> moving = here.detach();
          try (LoopPool pool = LoopPool.open(2)) {
            for (int hop = 0; hop < hops; hop++) {
              Detached<TcpStream> arriving = moving;
              moving =
                  pool.submit(
                          () -> {
                            TcpStream there = arriving.adopt();
                            got.limit(got.position() + step);
                            there.readFully(got);
                            ByteBuffer more = got.duplicate().position(got.position() - 7);
                            got.position(got.position() - 7);
                            there.unread(more);
                            return there.detach();
                          })
                      .await();
              got.limit(got.position() + 7);
              Detached<TcpStream> back = moving;
              moving =
                  pool.submit(
                          () -> {
                            TcpStream there = back.adopt();
                            there.readFully(got);
                            return there.detach();
                          })
                      .await();
            }
            moving.close();
          }
          writer.await();
        });
    assertArrayEquals(sent, got.array());
  }

  @Test
  void anEndThatWasSeenIsSeenAgain() throws Exception {
    connected(
        (here, peer) -> {
          peer.reset();
          assertThrows(IOException.class, here::read);
          Detached<TcpStream> moving = here.detach();
          elsewhere(
              () -> {
                try (TcpStream there = moving.adopt()) {
                  return assertThrows(IOException.class, there::read);
                }
              });
        });
  }

  @Test
  void isRefusedWhileItIsRead() throws Exception {
    connected(
        (here, peer) -> {
          Coroutine<ByteBuffer> reader = Coroutine.spawn(() -> here.read());
          Coroutine.pause();
          assertThrows(BusyException.class, here::detach);
          peer.write(bytes("still here"));
          assertEquals("still here", text(reader.await()));
        });
  }

  @Test
  void waitsForThoseWhoWrite() throws Exception {
    connected(
        (here, peer) -> {
          ByteBuffer much = ByteBuffer.allocate(8 << 20);
          Coroutine<?> writer = Coroutine.spawn(() -> here.write(much));
          Coroutine.pause();
          assertEquals(Status.SUSPENDED, writer.status());
          Coroutine<Detached<TcpStream>> mover = Coroutine.spawn(() -> here.detach());
          Coroutine<Long> peerReader = Coroutine.spawn(() -> drained(peer));
          try (TcpStream again = mover.await().adopt()) {
            assertTrue(writer.status().isEnded());
            again.write(bytes("end"));
          }
          assertEquals((8L << 20) + 3, peerReader.await());
        });
  }

  private static long drained(TcpStream stream) throws IOException {
    long count = 0;
    for (ByteBuffer got; (got = stream.read()) != null; ) {
      count += got.remaining();
    }
    return count;
  }

  @Test
  void waitsForWhatACancelledWriteLeft() throws Exception {
    connected(
        (here, peer) -> {
          ByteBuffer much = ByteBuffer.allocate(8 << 20);
          Coroutine<?> writer = Coroutine.spawn(() -> here.write(much));
          Coroutine.pause();
          writer.cancel();
          Coroutine<Detached<TcpStream>> mover = Coroutine.spawn(() -> here.detach());
          Coroutine<Long> peerReader = Coroutine.spawn(() -> drained(peer));
          mover.await().adopt().close();
          assertEquals(much.position(), peerReader.await());
        });
  }

  @Test
  void cancelledItChangesNothing() throws Exception {
    connected(
        (here, peer) -> {
          ByteBuffer much = ByteBuffer.allocate(8 << 20);
          Coroutine<?> writer = Coroutine.spawn(() -> here.write(much));
          Coroutine.pause();
          Coroutine<Detached<TcpStream>> mover = Coroutine.spawn(() -> here.detach());
          Coroutine.pause();
          mover.cancel();
          Coroutine<Long> peerReader = Coroutine.spawn(() -> drained(peer));
          writer.await();
          assertEquals(Status.CANCELLED, mover.status());
          assertTrue(here.isOpen());
          here.close();
          assertEquals(8L << 20, peerReader.await());
        });
  }

  @Test
  void aStreamThatIsClosedMeanwhileIsNotDetached() throws Exception {
    connected(
        (here, peer) -> {
          ByteBuffer much = ByteBuffer.allocate(8 << 20);
          Coroutine<?> writer =
              Coroutine.spawn(
                  () -> assertThrows(ClosedChannelException.class, () -> here.write(much)));
          Coroutine<?> mover =
              Coroutine.spawn(() -> assertThrows(ClosedChannelException.class, here::detach));
          Coroutine.pause();
          here.close();
          writer.await();
          mover.await();
        });
  }

  @Test
  void isAdoptedOnceAndNotAfterAClose() throws Exception {
    connected(
        (here, peer) -> {
          Detached<TcpStream> moving = here.detach();
          try (TcpStream again = moving.adopt()) {
            assertThrows(IllegalStateException.class, moving::adopt);
            moving.close();
            again.write(bytes("x"));
            assertEquals("x", exactly(peer, 1));
            Detached<TcpStream> dropped = again.detach();
            dropped.close();
            dropped.close();
            assertThrows(ClosedChannelException.class, dropped::adopt);
          }
          assertEquals(null, peer.read());
        });
  }

  @Test
  void aFailedAdoptionLeavesTheSocketToBeAdopted() throws Exception {
    connected(
        (here, peer) -> {
          Detached<TcpStream> moving = here.detach();
          for (String call : new String[] {"uv_tcp_init", "uv_tcp_open"}) {
            try (var _ = NativeCalls.replace(call, NativeCalls.failing(call, -12))) {
              assertThrows(IOException.class, moving::adopt);
            }
          }
          try (TcpStream again = moving.adopt()) {
            peer.write(bytes("x"));
            assertEquals("x", exactly(again, 1));
          }
        });
  }

  @Test
  void aFailedDetachLeavesTheStreamAsItWas() throws Exception {
    connected(
        (here, peer) -> {
          peer.write(bytes("ab"));
          assertEquals("a", exactly(here, 1));
          here.unread(bytes("A"));
          try (var _ = NativeCalls.replace("dup", NativeCalls.failing("dup", -24))) {
            assertThrows(IOException.class, here::detach);
          }
          assertEquals("Ab", exactly(here, 2));
        });
  }

  @Test
  void needsACoroutineOnBothSides() throws Exception {
    AtomicReference<Detached<TcpStream>> moved = new AtomicReference<>();
    connected(
        (here, peer) -> {
          Thread foreign =
              Thread.ofPlatform().start(() -> assertThrows(RuntimeException.class, here::detach));
          foreign.join();
          moved.set(here.detach());
        });
    assertThrows(IllegalStateException.class, () -> moved.get().adopt());
    moved.get().close();
  }

  @InLoop
  @Test
  void aLocalStreamMovesLikewise() throws Exception {
    Pair pair = LocalStream.pair();
    try (LocalStream one = pair.first();
        LocalStream two = pair.second()) {
      two.write(bytes("question"));
      Detached<LocalStream> moving = one.detach();
      elsewhere(
          () -> {
            try (LocalStream there = moving.adopt()) {
              assertEquals("question", text(there.read()));
              there.write(bytes("answer"));
              return 0;
            }
          });
      assertEquals("answer", text(two.read()));
      assertEquals(null, two.read());
    }
  }

  @InLoop
  @Test
  void aLocalStreamKeepsTheSocketsThatCameThroughIt() throws Exception {
    Pair pair = LocalStream.pair();
    Pair sent = LocalStream.pair();
    try (pair;
        sent) {
      LocalStream two = pair.second();
      two.acceptSockets(true);
      pair.first().send(bytes("x"), sent.first());
      assertEquals("x", text(two.read()));
      assertThrows(IllegalStateException.class, two::detach);
      Received received = two.receive(ByteBuffer.allocate(1));
      received.handle().close();
      try (LocalStream again = two.detach().adopt()) {
        pair.first().send(bytes("y"), sent.first());
        assertEquals("y", text(again.read()));
        again.receive(ByteBuffer.allocate(1)).handle().close();
      }
    }
  }

  @InLoop
  @Test
  void aSocketThatComesWhileTheStreamWaitsToBeDetachedIsNotLost() throws Exception {
    Pair pair = LocalStream.pair();
    Pair sent = LocalStream.pair();
    try (pair;
        sent) {
      LocalStream one = pair.first();
      LocalStream two = pair.second();
      two.acceptSockets(true);
      int filled = 0;
      for (int taken; (taken = two.tryWrite(ByteBuffer.allocate(1 << 16))) > 0; ) {
        filled += taken;
      }
      Coroutine<?> writer = Coroutine.spawn(() -> two.write(bytes("end")));
      Coroutines.pauseUntilPending(two);
      Coroutine<Throwable> detaching =
          Coroutine.spawn(() -> assertThrows(IllegalStateException.class, two::detach));
      Coroutine.pause();
      one.send(bytes("x"), sent.first());
      sent.first().close();
      assertEquals("x", text(two.read()));

      one.readFully(ByteBuffer.allocate(filled + 3));
      writer.await();

      assertTrue(detaching.await().getMessage().contains("nobody has received"));
      try (var socket = two.receive(ByteBuffer.allocate(1)).handle()) {
        socket.write(bytes("alive"));
        assertEquals("alive", text(sent.second().read()));
      }
    }
  }
}
