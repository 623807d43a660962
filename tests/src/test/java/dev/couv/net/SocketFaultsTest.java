// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.net.Datagrams.bound;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.error.UvException;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every native call of local and datagram sockets fails once: it is reported with call and subject, what
/// was being made is closed, and the leak check finds nothing. The next attempt works.
@InLoop
final class SocketFaultsTest {
  private static NativeCalls.Replacement failing(String function, int nth) {
    return NativeCalls.replace(function, NativeCalls.failing(function, UvErrors.UV_ENOMEM, nth));
  }

  private static UvException failureOf(String function, int nth, Executable attempt) {
    try (var _ = failing(function, nth)) {
      IOException thrown = assertThrows(IOException.class, attempt, function);
      UvException failure =
          assertInstanceOf(
              UvException.class, thrown instanceof UvException ? thrown : thrown.getCause());
      assertEquals("ENOMEM", failure.code(), function);
      assertFalse(failure.subject().isEmpty(), function);
      return failure;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "uv_udp_init_ex, 1, bind",
    "uv_udp_bind, 1, bind",
    "uv_udp_getsockname, 1, getsockname"
  })
  void datagramSocketThatCannotBeMadeIsGone(String function, int nth, String call)
      throws Exception {
    Executable bind = () -> bound().close();
    assertEquals(call, failureOf(function, nth, bind).call());
    bound().close();
  }

  @Test
  void datagramSocketOutlivesCallsThatFail() throws Exception {
    InetAddress group = InetAddress.ofLiteral("239.255.41.8");
    try (UdpSocket here = bound()) {
      failureOf("uv_udp_connect", 1, () -> here.connect(here.local()));
      failureOf("uv_udp_connect", 1, () -> Udp.connect(here.local()).close());
      failureOf("uv_udp_try_send", 1, () -> here.send(bytes("x"), here.local()));
      failureOf("uv_udp_set_broadcast", 1, () -> here.broadcast(true));
      failureOf("uv_udp_set_ttl", 1, () -> here.ttl(1));
      failureOf("uv_udp_set_membership", 1, () -> here.join(group));
      failureOf(
          "uv_udp_set_source_membership",
          1,
          () -> here.join(group, null, InetAddress.ofLiteral("127.0.0.1")));
      failureOf("uv_udp_set_multicast_loop", 1, () -> here.multicastLoop(true));
      failureOf("uv_udp_set_multicast_ttl", 1, () -> here.multicastTtl(1));
      failureOf("uv_udp_set_multicast_interface", 1, () -> here.multicastInterface(null));
      failureOf("uv_send_buffer_size", 1, here::sendBuffer);
      failureOf("uv_recv_buffer_size", 1, here::receiveBuffer);
      assertEquals(
          "receive",
          failureOf("uv_udp_recv_start", 1, () -> here.receive(ByteBuffer.allocate(1))).call());
      try (var _ =
          NativeCalls.replace(
              "uv_udp_try_send", NativeCalls.failing("uv_udp_try_send", UvErrors.UV_EAGAIN, 1))) {
        failureOf("uv_udp_send", 1, () -> here.send(bytes("x"), here.local()));
      }

      here.send(bytes("fine"), here.local());
      ByteBuffer buffer = ByteBuffer.allocate(10);
      assertEquals(4, here.receive(buffer).length());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "uv_socketpair, 1",
    "uv_pipe_init, 1",
    "uv_pipe_init, 2",
    "uv_pipe_open, 1",
    "uv_pipe_open, 2"
  })
  void pairThatCannotBeMadeIsGone(String function, int nth) throws Exception {
    failureOf(function, nth, () -> LocalStream.pair().close());
    LocalStream.pair().close();
  }

  @ParameterizedTest
  @CsvSource({"uv_pipe_init, 1", "uv_pipe_bind, 1", "uv_listen, 1"})
  void localListenerThatCannotBeMadeIsGone(String function, int nth, @TempDir Path folder)
      throws Exception {
    Path path = folder.resolve("socket");
    UvException failure = failureOf(function, nth, () -> Local.listen(path).close());
    assertEquals(path.toString(), failure.subject());
    try (LocalListener listener = Local.listen(path)) {
      failureOf("uv_pipe_init", 1, () -> Local.connect(path).close());
      failureOf("uv_pipe_chmod", 1, () -> listener.chmod(true, true));
      try (LocalStream client = Local.connect(path)) {
        failureOf("uv_pipe_getsockname", 1, client::local);
        failureOf("uv_pipe_getpeername", 1, client::remote);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"socket, 1", "bind, 1", "uv_pipe_open, 1", "uv_listen, 1"})
  void abstractListenerThatCannotBeMadeIsGone(String function, int nth) throws Exception {
    String name = "couv-faults-" + ProcessHandle.current().pid();
    failureOf(function, nth, () -> Local.listenAbstract(name).close());
    try (LocalListener listener = Local.listenAbstract(name)) {
      failureOf("socket", 1, () -> Local.connectAbstract(name).close());
      failureOf("connect", 1, () -> Local.connectAbstract(name).close());
      failureOf("uv_pipe_open", 1, () -> Local.connectAbstract(name).close());
      assertEquals("local listener @" + name, listener.toString());
    }
  }

  @Test
  void streamOutlivesAPassingThatFails() throws Exception {
    try (Pair pair = LocalStream.pair();
        Pair inner = LocalStream.pair()) {
      failureOf("uv_try_write2", 1, () -> pair.first().send(bytes("x"), inner.first()));
      try (var _ =
          NativeCalls.replace(
              "uv_try_write2", NativeCalls.failing("uv_try_write2", UvErrors.UV_EAGAIN, 1))) {
        failureOf("uv_write2", 1, () -> pair.first().send(bytes("x"), inner.first()));
      }
      for (String function : new String[] {"uv_pipe_init", "uv_accept"}) {
        Coroutine<Received> receiver =
            Coroutine.spawn(() -> pair.second().receive(ByteBuffer.allocate(9)));
        Coroutine.pause();
        try (var _ = failing(function, 1)) {
          pair.first().send(bytes("y"), inner.first());
          UvException thrown = assertThrows(UvException.class, receiver::await);
          assertEquals("receive", thrown.call());
        }
      }
      // What could not be taken before comes with the next bytes.
      pair.first().send(bytes("z"), inner.first());
      Received received = pair.second().receive(ByteBuffer.allocate(9));
      assertEquals(1, received.bytes());
      received.handle().close();
    }
  }

  @Test
  void listenerThatCannotBeTakenOverLeavesTheSocket() throws Exception {
    try (Pair pair = LocalStream.pair();
        TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      pair.first().send(bytes("x"), listener);
      Received received = pair.second().receive(ByteBuffer.allocate(9));
      for (String function : new String[] {"uv_tcp_init", "dup", "uv_tcp_open", "uv_listen"}) {
        failureOf(function, 1, received::listener);
      }
      received.listener().close();
      assertFalse(received.handle().isOpen());
    }
  }
}
