// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.testing.InLoop;
import dev.couv.time.Ticker;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// An object belongs to its loop: anybody else is refused at once, and nothing changes.
final class TcpOwnershipTest {
  /// Everything that can be called on the two. The accepted stream matters: it has not been named yet.
  private static List<Executable> calls(TcpStream stream, TcpListener listener, Ticker ticker) {
    List<Executable> calls =
        new ArrayList<>(
            List.of(
                () -> stream.read(),
                () -> stream.read(ByteBuffer.allocate(1)),
                () -> stream.readFully(ByteBuffer.allocate(1)),
                () -> stream.write(ByteBuffer.allocate(1)),
                () -> stream.write(),
                () -> stream.tryWrite(ByteBuffer.allocate(1)),
                () -> stream.shutdown(),
                () -> stream.pending(),
                () -> stream.local(),
                () -> stream.remote(),
                () -> stream.noDelay(true),
                () -> stream.keepAlive(null)));
    calls.add(stream::close);
    calls.add(listener::accept);
    calls.add(listener::close);
    calls.add(ticker::next);
    calls.add(ticker::close);
    return calls;
  }

  private static void assertAllRefused(List<Executable> calls) {
    for (Executable call : calls) {
      IllegalStateException thrown = assertThrows(IllegalStateException.class, call);
      assertTrue(thrown.getMessage().contains("another loop"), thrown.getMessage());
    }
  }

  @InLoop
  @Test
  void otherThreadIsRefused() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        TcpPair pair = TcpPair.through(listener);
        Ticker ticker = Ticker.every(Duration.ofMillis(1))) {
      Loop.offload(
          () -> {
            assertAllRefused(calls(pair.server(), listener, ticker));
            assertTrue(pair.server().isOpen());
            assertTrue(pair.server().toString().startsWith("tcp 127.0.0.1:"));
            return null;
          });

      assertStillUsable(pair, listener, ticker);
    }
  }

  @InLoop
  @Test
  void coroutineOfAnotherLoopIsRefused() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        TcpPair pair = TcpPair.through(listener);
        Ticker ticker = Ticker.every(Duration.ofMillis(1))) {
      Loop.offload(
          () -> {
            Loop.run(() -> assertAllRefused(calls(pair.server(), listener, ticker)));
            return null;
          });

      assertStillUsable(pair, listener, ticker);
    }
  }

  @Test
  void coroutineOfAnotherLoopOnTheSameThreadIsRefused() throws Exception {
    TcpPair[] pair = new TcpPair[1];
    TcpListener[] listener = new TcpListener[1];
    Ticker[] ticker = new Ticker[1];
    try (Loop one = Loop.open();
        Loop two = Loop.open()) {
      one.spawn(
          () -> {
            listener[0] = Tcp.listen(TcpPair.address("127.0.0.1", 0));
            pair[0] = TcpPair.through(listener[0]);
            ticker[0] = Ticker.every(Duration.ofMillis(1));
          });
      one.run(Mode.LOOP);
      List<String> story = new ArrayList<>();
      two.spawn(
          () -> {
            assertAllRefused(calls(pair[0].server(), listener[0], ticker[0]));
            story.add("refused");
          });
      two.run(Mode.LOOP);
      one.spawn(
          () -> {
            assertStillUsable(pair[0], listener[0], ticker[0]);
            story.add("usable");
          });
      one.run(Mode.LOOP);

      assertEquals(List.of("refused", "usable"), story);
    }
  }

  @Test
  void objectsOfAClosedLoopAreClosed() throws Exception {
    TcpListener listener;
    TcpPair[] pair = new TcpPair[1];
    try (Loop loop = Loop.open()) {
      TcpListener[] opened = new TcpListener[1];
      loop.spawn(
          () -> {
            opened[0] = Tcp.listen(TcpPair.address("127.0.0.1", 0));
            pair[0] = TcpPair.through(opened[0]);
          });
      loop.run(Mode.LOOP);
      listener = opened[0];
    }

    assertThrows(ClosedChannelException.class, listener::accept);
    assertThrows(ClosedChannelException.class, () -> pair[0].server().read());
    assertThrows(
        ClosedChannelException.class, () -> pair[0].client().write(ByteBuffer.allocate(1)));
    listener.close();
    pair[0].close();
  }

  private static void assertStillUsable(TcpPair pair, TcpListener listener, Ticker ticker)
      throws Exception {
    pair.client().write(ByteBuffer.wrap(new byte[] {1}));
    assertEquals(1, pair.server().read(ByteBuffer.allocate(1)));
    pair.server().write(ByteBuffer.wrap(new byte[] {2}));
    assertEquals(1, pair.client().read(ByteBuffer.allocate(1)));
    Coroutine<TcpStream> acceptor = Coroutine.spawn(listener::accept);
    Tcp.connect(listener.local()).close();
    acceptor.await().close();
    ticker.next();
  }
}
