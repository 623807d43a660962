// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.net.Datagrams.bound;
import static dev.couv.net.Datagrams.received;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import dev.couv.world.AddressText;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@InLoop
final class UdpSendTest {
  /// The system has no room for the next `count` datagrams that are tried.
  private static NativeCalls.Replacement full(int count) {
    return NativeCalls.replace(
        "uv_udp_try_send", NativeCalls.failing("uv_udp_try_send", UvErrors.UV_EAGAIN, count));
  }

  @Test
  @Behaviour({"NW03", "NW05"})
  void socketKnowsWhereItIs() throws Exception {
    try (UdpSocket v4 = bound();
        UdpSocket v6 = Udp.bind(TcpPair.address("::1", 0))) {
      assertEquals("127.0.0.1", v4.local().getAddress().getHostAddress());
      assertTrue(v4.local().getPort() > 0);
      assertTrue(v6.local().getAddress().isLoopbackAddress());
      assertNull(v4.remote());
      assertEquals("udp socket " + AddressText.of(v6.local()), v6.toString());
    }
  }

  @Test
  @Behaviour({"NW01", "NW04"})
  void addressesAreOfTheSocketsFamily() throws Exception {
    try (UdpSocket v4 = bound();
        UdpSocket v6Only =
            Udp.bind(TcpPair.address("::1", 0), UdpOptions.DEFAULT.withIpv6Only(true))) {
      assertThrows(IllegalArgumentException.class, () -> v4.send(bytes("x"), v6Only.local()));
      assertThrows(IllegalArgumentException.class, () -> v6Only.send(bytes("x"), v4.local()));
      assertThrows(IllegalArgumentException.class, () -> v4.connect(v6Only.local()));
    }
    InetSocketAddress unresolved = InetSocketAddress.createUnresolved("localhost", 1);
    assertThrows(IllegalArgumentException.class, () -> Udp.bind(unresolved));
    assertThrows(IllegalArgumentException.class, () -> Udp.connect(unresolved));
    assertThrows(NullPointerException.class, () -> Udp.bind(null));
  }

  @Test
  void socketOfBothFamiliesTalksToBoth() throws Exception {
    try (UdpSocket both = Udp.bind(TcpPair.address("::", 0));
        UdpSocket v4 = bound();
        UdpSocket v6 = Udp.bind(TcpPair.address("::1", 0))) {
      both.send(bytes("to four"), v4.local());
      both.send(bytes("to six"), v6.local());
      assertEquals("to four", received(v4));
      assertEquals("to six", received(v6));

      v4.send(bytes("from four"), TcpPair.address("127.0.0.1", both.local().getPort()));
      assertEquals(v4.local(), both.receive(ByteBuffer.allocate(20)).from());
    }
  }

  @Test
  void takenAddressIsABindException() throws Exception {
    try (UdpSocket first = bound()) {
      BindException thrown = assertThrows(BindException.class, () -> Udp.bind(first.local()));

      UvException cause = assertInstanceOf(UvException.class, thrown.getCause());
      assertEquals("EADDRINUSE", cause.code());
      assertEquals("bind", cause.call());
      assertEquals(AddressText.of(first.local()), cause.subject());
    }
    assertThrows(BindException.class, () -> Udp.bind(TcpPair.address("192.0.2.77", 0)));
  }

  @Test
  void addressCanBeSharedByThoseWhoAgree() throws Exception {
    UdpOptions shared = UdpOptions.DEFAULT.withReuseAddress(true);
    try (UdpSocket first = Udp.bind(TcpPair.address("127.0.0.1", 0), shared);
        UdpSocket second = Udp.bind(first.local(), shared)) {
      assertEquals(first.local(), second.local());
    }
  }

  @Test
  @Behaviour("NW21")
  void unconnectedSendNeedsAnAddressAndAConnectedOneTakesNone() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      assertThrows(IllegalStateException.class, () -> here.send(bytes("x")));
      assertThrows(IllegalStateException.class, () -> here.trySend(bytes("x")));

      here.connect(there.local());

      assertEquals(there.local(), here.remote());
      assertThrows(IllegalStateException.class, () -> here.send(bytes("x"), there.local()));
      here.send(bytes("connected"));
      assertEquals("connected", received(there));
      assertTrue(here.trySend(bytes("tried")));
      assertEquals("tried", received(there));
    }
  }

  @Test
  void connectedSocketHearsItsPeerOnlyUntilItIsDisconnected() throws Exception {
    try (UdpSocket peer = bound();
        UdpSocket stranger = bound();
        UdpSocket here = Udp.connect(peer.local())) {
      stranger.send(bytes("stranger"), here.local());
      peer.send(bytes("peer"), here.local());
      assertEquals("peer", received(here));

      InetSocketAddress local = here.local();
      here.connect(stranger.local());
      stranger.send(bytes("now me"), here.local());
      assertEquals("now me", received(here));

      here.disconnect();
      here.disconnect();
      assertNull(here.remote());
      assertEquals(local.getPort(), here.local().getPort());
      here.send(bytes("to anybody"), peer.local());
      assertEquals("to anybody", received(peer));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void positionMovesBehindWhatWasSent(boolean direct) throws Exception {
    try (UdpSocket here = bound()) {
      ByteBuffer buffer =
          (direct ? ByteBuffer.allocateDirect(10) : ByteBuffer.allocate(10))
              .put("..middle..".getBytes(UTF_8))
              .position(2)
              .limit(8);

      here.send(buffer, here.local());

      assertEquals(8, buffer.position());
      assertEquals("middle", received(here));
    }
  }

  @Test
  void tooLongADatagramIsAFailureWithItsAddress() throws Exception {
    try (UdpSocket here = bound()) {
      for (int size : new int[] {65508, 65536, 100_000}) {
        for (ByteBuffer buffer :
            List.of(ByteBuffer.allocate(size), ByteBuffer.allocateDirect(size))) {
          UvException thrown =
              assertThrows(UvException.class, () -> here.send(buffer, here.local()));
          assertEquals("EMSGSIZE", thrown.code());
          assertEquals(AddressText.of(here.local()), thrown.subject());
          assertEquals(0, buffer.position());
        }
      }
      here.send(bytes("fits"), here.local());
      assertEquals("fits", received(here));
    }
  }

  @Test
  void sendThatTheSystemHasNoRoomForWaits() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      try (var _ = full(1)) {
        there.send(bytes("queued"), here.local());
      }
      assertEquals("queued", received(here));
      try (var _ = full(1)) {
        assertFalse(there.trySend(bytes("refused"), here.local()));
      }
      assertEquals(0, there.pending());
    }
  }

  @Test
  @Behaviour({"NW24", "NW25"})
  void cancelledSendsStillGoInOrder() throws Exception {
    try (UdpSocket here = bound();
        UdpSocket there = bound()) {
      ByteBuffer first = bytes("first");
      Coroutine<Void> cancelled;
      Coroutine<Void> resumed;
      try (var _ = full(1);
          var _ = full(1)) {
        cancelled = Coroutine.spawn(() -> there.send(first, here.local()));
        resumed =
            Coroutine.spawn(
                () -> {
                  assertThrows(Resumed.class, () -> there.send(bytes("second"), here.local()));
                });
        Coroutine.pause();
        first.clear().put("XXXXX".getBytes(UTF_8)); // its bytes are not looked at any more
        resumed.resume();
        cancelled.cancel();
        there.send(bytes("third"), here.local());
      }

      assertThrows(CancellationException.class, cancelled::await);
      assertEquals("first", received(here));
      assertEquals("second", received(here));
      assertEquals("third", received(here));
    }
  }

  @Test
  void closingEndsTheSendsThatWait() throws Exception {
    try (UdpSocket here = bound()) {
      UdpSocket there = bound();
      Coroutine<Void> first;
      Coroutine<Void> second;
      try (var _ = full(1);
          var _ = full(1)) {
        first = Coroutine.spawn(() -> there.send(bytes("lost"), here.local()));
        second = Coroutine.spawn(() -> there.send(bytes("lost"), here.local()));
        Coroutine.pause();
        there.close();
      }

      assertThrows(AsynchronousCloseException.class, first::await);
      assertThrows(AsynchronousCloseException.class, second::await);
      assertThrows(ClosedChannelException.class, () -> there.send(bytes("x"), here.local()));
    }
  }

  @Test
  @Behaviour("NW31")
  void failureOfACoroutineAfterASendIsItsOwn() throws Exception {
    try (UdpSocket here = bound()) {
      Coroutine<Void> failing =
          Coroutine.spawn(
              () -> {
                here.send(bytes("x"), here.local());
                received(here);
                throw new IllegalStateException("mine");
              });
      assertEquals("mine", assertThrows(IllegalStateException.class, failing::await).getMessage());
    }
  }
}
