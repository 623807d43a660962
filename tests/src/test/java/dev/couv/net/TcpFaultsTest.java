// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopStats;
import dev.couv.coro.Scope;
import dev.couv.error.UvException;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.RefusedWrites;
import dev.couv.uv.UvErrors;
import dev.couv.world.AddressText;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Every call of libuv that these packages make is refused once: the failure names call and subject,
/// the object is closed or usable as before, and its memory is free.
final class TcpFaultsTest {
  private static final int ENOMEM = UvErrors.code("ENOMEM");
  private static final int EIO = UvErrors.code("EIO");

  /// The failure of `call` while the C function always answers `code`.
  private static UvException fault(String function, int code, Executable call) {
    try (var _ = NativeCalls.replace(function, NativeCalls.failing(function, code))) {
      IOException thrown = assertThrows(IOException.class, call);
      return assertInstanceOf(
          UvException.class, thrown instanceof UvException ? thrown : thrown.getCause());
    }
  }

  private static void assertFailure(UvException failure, int code, String call, String subject) {
    assertEquals(UvErrors.name(code), failure.code());
    assertEquals(-code, failure.errno());
    assertEquals(call, failure.call());
    assertEquals(subject, failure.subject());
    assertTrue(failure.getMessage().startsWith(call + " " + subject + ": "), failure::toString);
  }

  /// After a suspension, by which a coroutine gives up the block of its last request.
  private static LoopStats settled() {
    Time.sleep(Duration.ofNanos(1));
    while (Loop.current().stats().closingHandles() + Loop.current().stats().requests() > 0) {
      Coroutine.pause();
    }
    return Loop.current().stats();
  }

  /// Nothing more is open than before, and no native block in use.
  private static void assertNothingLeft(LoopStats before) {
    LoopStats after = settled();
    assertEquals(before.handles(), after.handles());
    assertEquals(before.nativeBlocks(), after.nativeBlocks());
  }

  private static void assertEchoes(TcpPair pair) throws Exception {
    pair.client().write(ByteBuffer.wrap(new byte[] {42}));
    ByteBuffer one = ByteBuffer.allocate(1);
    pair.server().readFully(one);
    assertEquals(42, one.get(0));
    pair.server().write(one.flip());
    pair.client().readFully(one.clear());
  }

  @InLoop
  @Test
  void listenLeavesNothingBehindWhicheverCallFails() throws Exception {
    InetSocketAddress at = TcpPair.address("127.0.0.1", 0);
    LoopStats before = settled();

    assertFailure(
        fault("uv_tcp_init", ENOMEM, () -> Tcp.listen(at)), ENOMEM, "listen", "127.0.0.1:0");
    assertFailure(fault("uv_tcp_bind", EIO, () -> Tcp.listen(at)), EIO, "bind", "127.0.0.1:0");
    assertFailure(fault("uv_listen", EIO, () -> Tcp.listen(at)), EIO, "listen", "127.0.0.1:0");
    assertFailure(
        fault("uv_tcp_getsockname", EIO, () -> Tcp.listen(at)), EIO, "getsockname", "127.0.0.1:0");

    assertNothingLeft(before);
  }

  @InLoop
  @Test
  void connectLeavesNothingBehindWhicheverCallFails() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      String subject = AddressText.of(listener.local());
      LoopStats before = settled();

      assertFailure(
          fault("uv_tcp_init", ENOMEM, () -> Tcp.connect(listener.local())),
          ENOMEM,
          "connect",
          subject);
      assertFailure(
          fault("uv_tcp_connect", EIO, () -> Tcp.connect(listener.local())),
          EIO,
          "connect",
          subject);

      assertNothingLeft(before);
      TcpPair.through(listener).close();
    }
  }

  @InLoop
  @Test
  void failuresThatTheJdkHasATypeForAreOfThatType() throws Exception {
    InetSocketAddress at = TcpPair.address("127.0.0.1", 0);
    assertMapped(ConnectException.class, "uv_tcp_connect", "ETIMEDOUT", at);
    assertMapped(ConnectException.class, "uv_tcp_connect", "ECONNREFUSED", at);
    assertMapped(NoRouteToHostException.class, "uv_tcp_connect", "EHOSTUNREACH", at);
    assertMapped(NoRouteToHostException.class, "uv_tcp_connect", "ENETUNREACH", at);
    assertMapped(UvException.class, "uv_tcp_connect", "EACCES", at);
    assertMapped(BindException.class, "uv_tcp_bind", "EACCES", at);
    assertMapped(BindException.class, "uv_tcp_bind", "EADDRINUSE", at);
    assertMapped(BindException.class, "uv_listen", "EADDRINUSE", at);
    assertMapped(UvException.class, "uv_listen", "ENOBUFS", at);
  }

  private static void assertMapped(
      Class<? extends IOException> type, String function, String code, InetSocketAddress at) {
    int number = UvErrors.code(code);
    try (var _ = NativeCalls.replace(function, NativeCalls.failing(function, number))) {
      Executable call =
          function.equals("uv_tcp_connect") ? () -> Tcp.connect(at) : () -> Tcp.listen(at);
      IOException thrown = assertThrows(IOException.class, call);
      assertSame(type, thrown.getClass());
      UvException failure =
          (UvException) (thrown instanceof UvException ? thrown : thrown.getCause());
      assertEquals(code, failure.code());
      assertEquals(failure.getMessage(), thrown.getMessage());
    }
  }

  @InLoop
  @Test
  void acceptTellsThatThereIsNoRoomForAStreamAndTheNextGetsTheConnection() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      LoopStats before = settled();
      SocketChannel client = RawPeer.dial(listener);

      UvException failure = fault("uv_tcp_init", ENOMEM, listener::accept);

      assertFailure(failure, ENOMEM, "accept", listener.toString());
      assertNothingLeft(before);
      try (TcpStream accepted = listener.accept()) {
        assertEquals(client.getLocalAddress(), accepted.remote());
      }
      TcpPair.through(listener).close();
      client.close();
    }
  }

  @InLoop
  @Test
  void acceptThatLibuvRefusesIsToldAndTheNextGetsTheConnection() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      LoopStats before = settled();
      SocketChannel client = RawPeer.dial(listener);

      UvException failure = fault("uv_accept", EIO, listener::accept);

      assertFailure(failure, EIO, "accept", listener.toString());
      assertNothingLeft(before);
      try (TcpStream accepted = listener.accept()) {
        assertEquals(client.getLocalAddress(), accepted.remote());
      }
      TcpPair.through(listener).close();
      client.close();
    }
  }

  @InLoop
  @Test
  void failedConnectionThatNobodyWaitedForIsToldToTheNextAcceptor() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      SocketChannel client = RawPeer.dial(listener);
      try (var _ = NativeCalls.replace("uv_tcp_init", NativeCalls.failing("uv_tcp_init", ENOMEM))) {
        for (int i = 0; i < 600; i++) {
          Coroutine.pause();
        }
      }

      UvException failure = assertThrows(UvException.class, listener::accept);

      assertFailure(failure, ENOMEM, "accept", listener.toString());
      try (TcpStream accepted = listener.accept()) {
        assertEquals(client.getLocalAddress(), accepted.remote());
      }
      client.close();
    }
  }

  @InLoop
  @Test
  void readThatTheSystemRefusesLeavesTheStreamUsable() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      LoopStats before = settled();
      ByteBuffer buffer = ByteBuffer.allocate(4).position(1);

      UvException failure = fault("epoll_ctl", EIO, () -> pair.client().read(buffer));

      assertFailure(failure, EIO, "read", pair.client().toString());
      assertEquals(1, buffer.position());
      assertNothingLeft(before);
      assertEchoes(pair);
    }
  }

  @InLoop
  @Test
  void writeThatTheSystemRefusesMovesNoPositionAndLeavesTheStreamUsable() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      LoopStats before = settled();
      ByteBuffer buffer = ByteBuffer.allocate(4).position(1);
      String subject = pair.client().toString();

      UvException write = fault("send", EIO, () -> pair.client().write(buffer));
      UvException tryWrite = fault("send", EIO, () -> pair.client().tryWrite(buffer));
      UvException several = fault("uv_try_write", EIO, () -> pair.client().write(buffer, buffer));

      assertFailure(write, EIO, "write", subject);
      assertFailure(tryWrite, EIO, "write", subject);
      assertFailure(several, EIO, "write", subject);
      assertEquals(1, buffer.position());
      assertNothingLeft(before);
      assertEchoes(pair);
    }
  }

  @InLoop
  @Test
  void queuedWriteThatLibuvRefusesMovesNoPositionAndLeavesTheStreamUsable() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      LoopStats before = settled();
      ByteBuffer buffer = ByteBuffer.allocate(4).position(1);
      Coroutine<?> writer;
      // Nothing is taken at once, so that a request is needed.
      try (var _ = new RefusedWrites()) {
        UvException failure = fault("uv_write", ENOMEM, () -> pair.client().write(buffer));
        assertFailure(failure, ENOMEM, "write", pair.client().toString());
        assertEquals(1, buffer.position());

        writer = Coroutine.spawn(() -> pair.client().write(buffer));
        Coroutine.pause();
      }
      writer.await();
      assertEquals(4, buffer.position());
      pair.server().readFully(ByteBuffer.allocate(3));
      assertNothingLeft(before);
      assertEchoes(pair);
    }
  }

  @InLoop
  @Test
  void shutdownThatLibuvRefusesLeavesTheStreamUsable() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      LoopStats before = settled();

      UvException failure = fault("uv_shutdown", ENOMEM, () -> pair.client().shutdown());

      assertFailure(failure, ENOMEM, "shutdown", pair.client().toString());
      assertNothingLeft(before);
      assertEchoes(pair);
      pair.client().shutdown();
    }
  }

  @InLoop
  @Test
  void aPeerThatTheSystemDidNotNameIsAskedForAgain() throws Exception {
    TcpPair pair;
    var failing = NativeCalls.failing("uv_tcp_getpeername", EIO);
    try (var _ = NativeCalls.replace("uv_tcp_getpeername", failing)) {
      pair = TcpPair.open();
      UvException failure = assertThrows(UvException.class, () -> pair.server().remote());
      assertFailure(failure, EIO, "getpeername", "tcp");
    }
    try (pair) {
      assertEquals(pair.client().local(), pair.server().remote());
    }
  }

  @InLoop
  @Test
  void optionThatTheSystemRefusesLeavesTheStreamUsable() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      TcpStream stream = pair.client();
      String subject = stream.toString();

      assertFailure(
          fault("uv_tcp_nodelay", EIO, () -> stream.noDelay(true)), EIO, "nodelay", subject);
      assertFailure(
          fault("uv_tcp_keepalive", EIO, () -> stream.keepAlive(Duration.ofSeconds(1))),
          EIO,
          "keepalive",
          subject);
      assertFailure(fault("uv_tcp_getsockname", EIO, stream::local), EIO, "getsockname", subject);
      assertEchoes(pair);
      assertEquals(stream.local(), pair.server().remote());
    }
  }

  @Test
  void everyCallFailsOnceInAWholeConversation() throws Exception {
    for (String function :
        List.of(
            "uv_tcp_init",
            "uv_tcp_bind",
            "uv_listen",
            "uv_tcp_getsockname",
            "uv_tcp_connect",
            "uv_accept",
            "recv",
            "send",
            "uv_write",
            "uv_shutdown",
            "uv_tcp_nodelay",
            "uv_tcp_keepalive")) {
      UvException first = assertThrows(UvException.class, () -> converseWithFault(function, 1));
      assertEquals("ENOMEM", first.code());
      for (int nth = 2; nth <= 4; nth++) {
        try {
          converseWithFault(function, nth);
        } catch (UvException later) {
          assertEquals("ENOMEM", later.code()); // where there is a call with that number
        }
      }
    }
  }

  private static void converseWithFault(String function, int nth) throws Exception {
    try (var _ = NativeCalls.replace(function, NativeCalls.failing(function, ENOMEM, nth))) {
      Loop.run(TcpFaultsTest::converse);
    }
  }

  /// Uses everything once or twice. What fails is not cleaned up: the loop does that.
  @SuppressWarnings(
      "try") // the close of a scope waits, and tells of an interruption as of any failure
  private static void converse() throws Exception {
    TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
    for (int i = 0; i < 2; i++) {
      try (Scope scope = Scope.open()) {
        scope.spawn(
            () -> {
              TcpStream stream = listener.accept();
              stream.noDelay(true);
              stream.keepAlive(Duration.ofSeconds(3));
              stream.readFully(ByteBuffer.allocate(1 << 22));
              stream.write(ByteBuffer.allocate(1));
              stream.shutdown();
            });
        scope.spawn(
            () -> {
              TcpStream stream = Tcp.connect(listener.local());
              stream.noDelay(true);
              stream.write(ByteBuffer.allocate(1 << 22));
              stream.readFully(ByteBuffer.allocate(1));
              stream.shutdown();
            });
      }
    }
  }
}
