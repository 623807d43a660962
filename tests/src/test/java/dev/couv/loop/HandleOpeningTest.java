// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.couv.coro.Action;
import dev.couv.coro.Loop;
import dev.couv.fs.Watch;
import dev.couv.net.ListenOptions;
import dev.couv.net.Local;
import dev.couv.net.LocalStream;
import dev.couv.net.Tcp;
import dev.couv.net.TcpOptions;
import dev.couv.net.Udp;
import dev.couv.poll.Poll;
import dev.couv.poll.Readiness;
import dev.couv.process.Command;
import dev.couv.process.Stdio;
import dev.couv.signal.Signal;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// An `Error` where libuv was to make a handle, of every kind: it is thrown as it is, the loop has nothing of
/// which libuv does not know, and ends. libuv aborts the process where it is told to close what it has not
/// made.
final class HandleOpeningTest {
  private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

  @RegisterExtension final TestLoop test = new TestLoop();

  static Stream<Arguments> kinds() {
    TcpOptions socket = TcpOptions.DEFAULT.withSendBuffer(10_000);
    return Stream.of(
        kind("uv_tcp_init", "connect", () -> Tcp.connect(ANY)),
        kind("uv_tcp_init", "listen", () -> Tcp.listen(ANY)),
        kind("uv_tcp_init_ex", "connect", () -> Tcp.connect(ANY, socket)),
        kind(
            "uv_tcp_init_ex",
            "listen",
            () -> Tcp.listen(ANY, ListenOptions.DEFAULT.withReusePort(true))),
        kind("uv_udp_init_ex", "bind", () -> Udp.bind(ANY)),
        kind("uv_pipe_init", "pair", LocalStream::pair),
        kind("uv_pipe_init", "listen", () -> Local.listenAbstract("couv-" + System.nanoTime())),
        kind("uv_pipe_init", "pipe", () -> Command.of("true").stdin(Stdio.pipe()).start()),
        kind("uv_poll_init", "poll", () -> Poll.on(0, Readiness.READABLE)),
        kind("uv_poll_init", "watch", () -> Watch.path(Path.of("."))),
        kind("uv_poll_init", "child", () -> Command.of("true").start()),
        kind("uv_fs_poll_init", "watch", () -> Watch.poll(Path.of("."), Duration.ofSeconds(1))),
        kind("uv_signal_init", "signal", () -> Signal.watch(Signal.WINCH)),
        kind("uv_async_init", "signal", () -> Signal.watch(Signal.INT)));
  }

  @InLoop
  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("kinds")
  void whatLibuvDoesNotKnowIsNotTheLoops(String call, String what, Action opening)
      throws Exception {
    Error planted = new StackOverflowError("planted");

    int before = Loop.current().stats().handles();
    try (var _ = NativeCalls.replace(call, throwing(call, planted))) {
      assertSame(planted, assertThrows(Error.class, opening::run));
    }
    assertEquals(before, Loop.current().stats().handles());
  }

  @Test
  void anObjectWhoseInitialisationThrowsIsNone() {
    TcpHandle handle = new TcpHandle(test.loop(), "handle");
    Error planted = new StackOverflowError("planted");

    try (var _ = NativeCalls.replace("uv_tcp_init", throwing("uv_tcp_init", planted))) {
      assertSame(planted, assertThrows(Error.class, handle::init));
    }

    assertEquals(List.of(), test.blocks());
    assertEquals(0, test.stats().openHandles());
    handle.close();
    assertEquals(0, test.stats().closingHandles());
    assertEquals(0, handle.init(), "another attempt");
    assertEquals(1, test.stats().openHandles());
  }

  @ParameterizedTest
  @MethodSource("timerCalls")
  void aCoroutineHandleWhoseStartThrowsIsClosedOrNone(String call) {
    TestWaiter waiter = new TestWaiter(test.loop());
    Error planted = new StackOverflowError("planted");

    try (var _ = NativeCalls.replace(call, throwing(call, planted))) {
      TimerOperation refused = new TimerOperation("timer", 1);
      assertSame(planted, assertThrows(Error.class, () -> waiter.await(refused)));
    }
    test.turnUntilQuiet();

    assertEquals(List.of(), test.blocks());
    waiter.await(new TimerOperation("timer", 1));
    test.turnUntil(() -> waiter.completions() == 1);
  }

  static Stream<String> timerCalls() {
    return Stream.of("uv_timer_init", "uv_timer_start");
  }

  private static Arguments kind(String call, String what, Action opening) {
    return arguments(call, what, opening);
  }

  private static MethodHandle throwing(String call, Error planted) {
    return MethodHandles.dropArguments(
        MethodHandles.throwException(int.class, Error.class).bindTo(planted),
        0,
        NativeCalls.type(call).parameterList());
  }
}
