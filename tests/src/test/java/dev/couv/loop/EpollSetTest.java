// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.net.LocalStream;
import dev.couv.net.Pair;
import dev.couv.net.Tcp;
import dev.couv.net.TcpPair;
import dev.couv.net.TcpStream;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A loop that waits in the kernel by itself.
final class EpollSetTest {
  private static final long MILLI = 1_000_000;

  @RegisterExtension final TestLoop test = new TestLoop();

  @Test
  void deadlinesAreNeverMetEarlyAndTakeATurnEach() {
    long before = test.stats().polls();

    for (int i = 0; i < 20; i++) {
      long deadline = System.nanoTime() + 3 * MILLI + i * 100_000;
      AtomicBoolean due = new AtomicBoolean();
      test.loop()
          .timers()
          .add(
              TimerEntry.of(
                  () -> {
                    due.set(true);
                    assertTrue(System.nanoTime() - deadline >= 0, "early");
                  }),
              deadline);
      test.turnUntil(due::get);
    }

    long polls = test.stats().polls() - before;
    assertTrue(polls <= 25, () -> polls + " turns for 20 deadlines");
  }

  @Test
  void aLimitEndsAWaitThatNothingElseWould() {
    long limit = System.nanoTime() + 5 * MILLI;

    while (System.nanoTime() - limit < 0) {
      test.loop().pollUntil(limit, true);
    }

    assertTrue(test.stats().polls() <= 3, () -> test.stats().toString());
  }

  @Test
  void aSignalInTheMiddleOfAWaitIsATurnThatBroughtNothing() {
    test.turn();
    try (var _ =
        NativeCalls.replace("epoll_wait", NativeCalls.failing("epoll_wait", UvErrors.UV_EINTR))) {
      test.loop().poll(true, true); // would last for ever
    }
    test.turn();
  }

  /// Somebody has closed its descriptor: it does not turn for ever.
  @Test
  void aWaitThatFailsIsTold() {
    AssertionError thrown;
    try (var _ =
        NativeCalls.replace(
            "epoll_wait", NativeCalls.failing("epoll_wait", UvErrors.code("EBADF")))) {
      thrown = assertThrows(AssertionError.class, () -> test.loop().poll(true, true));
    }
    assertTrue(thrown.getMessage().contains("epoll_wait"), thrown::getMessage);
    test.turn();
  }

  /// The kernel refuses what hundreds of loops watch, and libuv would end the process.
  @InLoop
  @Test
  void aListenerThatLibuvCannotWaitForIsRefused() throws Exception {
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
    try (var _ =
        NativeCalls.replace(
            "epoll_ctl", NativeCalls.failing("epoll_ctl", UvErrors.code("EINVAL")))) {
      UvException thrown = assertThrows(UvException.class, () -> Tcp.listen(any));
      assertEquals("EINVAL", thrown.code());
      assertEquals("listen", thrown.call());
    }
    Tcp.listen(any).close();
  }

  @InLoop
  @Test
  void anIdleLoopDoesNotTurn() throws Exception {
    try (TcpPair pair = TcpPair.open();
        Pair local = LocalStream.pair()) {
      Coroutine<?> one = Coroutine.spawn(() -> pair.server().read());
      Coroutine<?> two = Coroutine.spawn(() -> local.first().read());
      Time.sleep(Duration.ofMillis(20));
      long before = Loop.current().stats().iterations();

      Time.sleep(Duration.ofMillis(100));

      long turns = Loop.current().stats().iterations() - before;
      assertTrue(turns <= 5, () -> turns + " turns");
      one.cancel();
      two.cancel();
    }
  }

  /// What has come and is not read wakes nobody for ever.
  @InLoop
  @Test
  void norDoesOneWhoseSocketsHaveWhatNobodyReads() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write("one");
      assertEquals("one", text(pair.server().read()));
      pair.client().write("two");
      Time.sleep(Duration.ofMillis(20));
      long before = Loop.current().stats().iterations();

      Time.sleep(Duration.ofMillis(100));

      long turns = Loop.current().stats().iterations() - before;
      assertTrue(turns <= 5, () -> turns + " turns");
      assertEquals("two", text(pair.server().read()));
    }
  }

  /// More than are told of at once.
  @InLoop
  @Test
  void aThousandSocketsThatAreReadyTogetherAreAllRead() throws Exception {
    int count = 1000;
    List<TcpPair> pairs = new ArrayList<>();
    List<Coroutine<ByteBuffer>> readers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      TcpPair pair = TcpPair.open();
      pairs.add(pair);
      readers.add(Coroutine.spawn(() -> pair.server().read()));
    }
    Coroutine.pause();
    for (int i = 0; i < count; i++) {
      pairs.get(i).client().write("x" + i);
    }

    for (int i = 0; i < count; i++) {
      assertEquals("x" + i, text(readers.get(i).await()));
    }
    pairs.forEach(TcpPair::close);
  }

  /// A copy of the descriptor keeps the socket in the kernel: the loop must not hear of it any more.
  @InLoop
  @Test
  void aSocketThatWasTakenOffTheLoopIsToldOfNoMore() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().write("one");
      assertEquals("one", text(pair.server().read()));
      try (var loose = pair.server().detach()) {
        pair.client().write("two");
        Time.sleep(Duration.ofMillis(20));
        long before = Loop.current().stats().iterations();

        Time.sleep(Duration.ofMillis(50));

        long turns = Loop.current().stats().iterations() - before;
        assertTrue(turns <= 5, () -> turns + " turns");
        try (TcpStream again = loose.adopt()) {
          assertEquals("two", text(again.read()));
        }
      }
    }
  }

  /// Sockets that are passed come with bytes that libuv reads: also if the loop was to tell of them before.
  @InLoop
  @Test
  void aLocalSocketThatIsReadIsReadByLibuvFromWhenSocketsAreAskedFor() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair passed = LocalStream.pair()) {
      pair.first().write("one");
      assertEquals("one", text(pair.second().read()));
      Coroutine<ByteBuffer> reading = Coroutine.spawn(() -> pair.second().read());
      Coroutine.pause();

      pair.second().acceptSockets(true);
      pair.first().write("two");
      assertEquals("two", text(reading.await()));
      pair.first().send(ByteBuffer.wrap("x".getBytes(UTF_8)), passed.second());

      var received = pair.second().receive(ByteBuffer.allocate(9));
      assertEquals(1, received.bytes());
      try (ByteStream through = received.handle()) {
        through.write("through it");
        assertEquals("through it", text(passed.first().read()));
      }
    }
  }

  @InLoop
  @Test
  void aReadThatTheSystemFailsIsTold() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      Coroutine<ByteBuffer> reading = Coroutine.spawn(() -> pair.server().read());
      Coroutine.pause();
      UvException thrown;
      try (var _ = NativeCalls.replace("recv", NativeCalls.failing("recv", UvErrors.code("EIO")))) {
        pair.client().write("x");
        thrown = assertThrows(UvException.class, reading::await);
      }
      assertEquals("EIO", thrown.code());
      assertEquals("read", thrown.call());
    }
  }

  @InLoop
  @Test
  void aReadThatFindsNoMemoryToBeginLeavesTheStreamUsable() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      MethodHandle exhausted =
          MethodHandles.throwException(int.class, OutOfMemoryError.class)
              .bindTo(new OutOfMemoryError("planted"));
      MethodHandle call =
          MethodHandles.dropArguments(exhausted, 0, NativeCalls.type("epoll_ctl").parameterList());
      try (var _ = NativeCalls.replace("epoll_ctl", call)) {
        assertThrows(OutOfMemoryError.class, () -> pair.server().read());
      }
      pair.client().write("x");

      assertEquals("x", text(pair.server().read()));
    }
  }

  private static String text(ByteBuffer bytes) {
    return UTF_8.decode(bytes).toString();
  }
}
