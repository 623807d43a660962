// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.UvException;
import dev.couv.loop.CallCount;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every function of libuv and of the system that TCP is made of fails once, at its first, second and
/// later calls, in a program that uses all of it. The failure is told with call and subject, or does
/// not matter; nothing stays open, and no memory is left, which the check after each test sees.
final class TcpEveryCallTest {
  /// Calls whose failure the program does not notice: what they are for is done without.
  private static final List<String> DISPENSABLE =
      List.of("uv_tcp_getpeername", "getrlimit", "uv_pipe", "uv_fileno", "dup");

  /// More than the kernel takes at once.
  private static final int SIZE = 400_000;

  static Stream<String> calls() {
    return Stream.of(
        "uv_tcp_init",
        "uv_tcp_init_ex",
        "uv_tcp_bind",
        "uv_tcp_connect",
        "uv_tcp_nodelay",
        "uv_tcp_keepalive",
        "uv_tcp_simultaneous_accepts",
        "uv_tcp_getsockname",
        "uv_tcp_getpeername",
        "uv_tcp_close_reset",
        "uv_send_buffer_size",
        "uv_recv_buffer_size",
        "uv_listen",
        "uv_accept",
        "epoll_create1",
        "epoll_ctl",
        "eventfd",
        "recv",
        "send",
        "uv_write",
        "uv_shutdown",
        "uv_fileno",
        "uv_pipe",
        "getrlimit",
        "setsockopt");
  }

  @ParameterizedTest
  @MethodSource("calls")
  void programEndsCleanlyWhicheverCallFails(String function) throws Exception {
    int calls;
    try (CallCount count = new CallCount(function)) {
      Loop.run(TcpEveryCallTest::useEverything);
      calls = count.get();
    }
    assertTrue(calls > 0, "the program does not call it");

    int failures = 0;
    for (int nth = 1; nth <= Math.min(calls, 3); nth++) {
      int code = UvErrors.code("ENOMEM");
      try (var _ = NativeCalls.replace(function, NativeCalls.failing(function, code, nth))) {
        Loop.run(TcpEveryCallTest::useEverything);
      } catch (UvException | UncheckedIOException failure) {
        UvException told =
            (UvException) (failure instanceof UvException ? failure : failure.getCause());
        assertEquals("ENOMEM", told.code());
        assertTrue(told.getMessage().startsWith(told.call() + " " + told.subject() + ": "));
        failures++;
      }
    }
    assertTrue(failures > 0 || DISPENSABLE.contains(function), "no failure was told");
  }

  /// What fails is not cleaned up: the loop does that.
  private static void useEverything() throws Exception {
    TcpListener listener =
        Tcp.listen(TcpPair.address("127.0.0.1", 0), ListenOptions.DEFAULT.withReusePort(true));
    TcpListener plain = Tcp.listen(TcpPair.address("127.0.0.1", 0));
    plain.simultaneousAccepts(true);
    Coroutine<?> serving =
        Coroutine.spawn(
            () -> {
              for (TcpStream peer : listener) {
                serve(peer);
              }
            });
    for (int i = 0; i < 2; i++) {
      TcpOptions options =
          TcpOptions.DEFAULT
              .withNoDelay(true)
              .withKeepAlive(Duration.ofSeconds(3))
              .withSendBuffer(32_768)
              .withFrom(TcpPair.address("127.0.0.1", 0));
      talk(Tcp.connect("127.0.0.1", listener.local().getPort(), options));
    }
    talk(Tcp.connect("twice", List.of(listener.local(), listener.local()), TcpOptions.DEFAULT));
    Coroutine<TcpStream> accepting = Coroutine.spawn(plain::accept);
    TcpStream last = Tcp.connect(plain.local());
    accepting.await().reset();
    last.close();
    listener.close();
    serving.await();
    plain.close();
  }

  private static void serve(TcpStream peer) throws java.io.IOException {
    peer.noDelay(true);
    peer.remote();
    peer.local();
    peer.readFully(ByteBuffer.allocate(SIZE));
    peer.write(ByteBuffer.allocate(1));
    peer.shutdown();
    peer.close();
  }

  private static void talk(TcpStream stream) throws java.io.IOException {
    stream.local();
    stream.receiveBuffer();
    stream.sendBuffer();
    stream.write(ByteBuffer.allocate(SIZE));
    stream.shutdown();
    stream.readFully(ByteBuffer.allocate(1));
    stream.close();
  }
}
