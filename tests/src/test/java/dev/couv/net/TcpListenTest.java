// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.UvErrors;
import dev.couv.world.AddressText;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TcpListenTest {
  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void portZeroIsReplacedByOneOfTheSystems(String literal) throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address(literal, 0));
        TcpListener other = Tcp.listen(TcpPair.address(literal, 0))) {
      assertNotEquals(0, listener.local().getPort());
      assertNotEquals(listener.local().getPort(), other.local().getPort());
      assertEquals(TcpPair.address(literal, 0).getAddress(), listener.local().getAddress());
      assertTrue(listener.isOpen());
    }
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void takenAddressIsABindException(String literal) throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address(literal, 0))) {
      BindException thrown = assertThrows(BindException.class, () -> Tcp.listen(listener.local()));

      UvException cause = assertInstanceOf(UvException.class, thrown.getCause());
      assertEquals("EADDRINUSE", cause.code());
      assertEquals("listen", cause.call());
      assertEquals(AddressText.of(listener.local()), cause.subject());
      assertEquals(-UvErrors.UV_EADDRINUSE, cause.errno());
      assertTrue(thrown.getMessage().contains(cause.subject()), thrown.getMessage());
      TcpPair.through(listener).close();
    }
  }

  @InLoop
  @Test
  void addressOfAnotherMachineIsABindException() throws Exception {
    // Reserved for documentation: nobody's.
    InetSocketAddress foreign = TcpPair.address("203.0.113.7", 0);

    BindException thrown = assertThrows(BindException.class, () -> Tcp.listen(foreign));

    UvException cause = assertInstanceOf(UvException.class, thrown.getCause());
    assertEquals("EADDRNOTAVAIL", cause.code());
    assertEquals("bind", cause.call());
    assertEquals("203.0.113.7:0", cause.subject());
  }

  @InLoop
  @Test
  void unresolvedAddressIsRefusedAtOnce() throws Exception {
    InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
    int handles = Loop.current().stats().handles();

    IllegalArgumentException listen =
        assertThrows(IllegalArgumentException.class, () -> Tcp.listen(unresolved));
    IllegalArgumentException connect =
        assertThrows(IllegalArgumentException.class, () -> Tcp.connect(unresolved));

    assertTrue(listen.getMessage().contains("nowhere.invalid"), listen.getMessage());
    assertTrue(connect.getMessage().contains("nowhere.invalid"), connect.getMessage());
    assertEquals(handles, Loop.current().stats().handles());
  }

  @InLoop
  @Test
  void addressIsFreeAgainAfterTheClose() throws Exception {
    TcpListener first = Tcp.listen(TcpPair.address("127.0.0.1", 0));
    TcpPair.through(first).close();
    first.close();

    try (TcpListener second = Tcp.listen(first.local())) {
      assertEquals(first.local(), second.local());
      TcpPair.through(second).close();
    }
  }

  @InLoop
  @Test
  void wildcardListenerServesBothFamiliesUnlessToldNotTo() throws Exception {
    try (TcpListener both = Tcp.listen(TcpPair.address("::", 0))) {
      TcpStream client = Tcp.connect(TcpPair.address("127.0.0.1", both.local().getPort()));
      TcpStream server = both.accept();

      assertInstanceOf(Inet4Address.class, server.remote().getAddress());
      client.close();
      server.close();
    }
    ListenOptions only = ListenOptions.DEFAULT.withIpv6Only(true);
    try (TcpListener six = Tcp.listen(TcpPair.address("::", 0), only)) {
      InetSocketAddress four = TcpPair.address("127.0.0.1", six.local().getPort());
      InetSocketAddress same = TcpPair.address("::1", six.local().getPort());

      assertThrows(ConnectException.class, () -> Tcp.connect(four));
      Tcp.connect(same).close();
      six.accept().close();
    }
  }

  @InLoop
  @Test
  void ipv6OptionOnAnIpv4AddressIsRefused() throws Exception {
    ListenOptions only = ListenOptions.DEFAULT.withIpv6Only(true);

    UvException thrown =
        assertThrows(UvException.class, () -> Tcp.listen(TcpPair.address("127.0.0.1", 0), only));

    assertEquals("EINVAL", thrown.code());
    assertEquals("bind", thrown.call());
  }

  @Test
  @Behaviour("ST05")
  void backlogIsCheckedBeforeAnythingIsOpened() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> ListenOptions.DEFAULT.withBacklog(-1));
    assertEquals(7, ListenOptions.DEFAULT.withBacklog(7).backlog());
    Loop.run(
        () -> {
          for (int backlog : new int[] {0, 1, Integer.MAX_VALUE}) {
            ListenOptions options = ListenOptions.DEFAULT.withBacklog(backlog);
            try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0), options)) {
              TcpPair.through(listener).close();
            }
          }
        });
  }

  @InLoop
  @Test
  @Behaviour({"ST02", "ST04"})
  void closedListenerRefusesAcceptAndCanBeClosedAgain() throws Exception {
    TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
    InetSocketAddress local = listener.local();
    listener.close();
    listener.close();

    ClosedChannelException thrown = assertThrows(ClosedChannelException.class, listener::accept);

    assertTrue(thrown.getMessage().contains(AddressText.of(local)));
    assertFalse(listener.isOpen());
    assertEquals(local, listener.local());
  }

  @Test
  @Behaviour({"ST01", "ST14"})
  void listenerWithoutAnAcceptorKeepsNoLoopRunning() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.spawn(() -> Tcp.listen(TcpPair.address("127.0.0.1", 0)));

      assertFalse(loop.run(Mode.LOOP));
    }
    Loop.run(() -> Tcp.listen(TcpPair.address("127.0.0.1", 0)));
  }

  @Test
  void listenOutsideACoroutineIsRefusedByName() throws Exception {
    InetSocketAddress any = TcpPair.address("127.0.0.1", 0);

    IllegalStateException listen = assertThrows(IllegalStateException.class, () -> Tcp.listen(any));
    IllegalStateException connect =
        assertThrows(IllegalStateException.class, () -> Tcp.connect(any));

    assertTrue(listen.getMessage().contains("Tcp.listen"), listen.getMessage());
    assertTrue(connect.getMessage().contains("Tcp.connect"), connect.getMessage());
  }
}
