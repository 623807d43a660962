// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static dev.couv.Utf8.bytes;
import static dev.couv.net.Datagrams.bound;
import static dev.couv.net.Datagrams.received;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.uv.NativeCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Options of datagram sockets. Everything stays on the loopback interface.
@InLoop
final class UdpMulticastTest {
  private static final InetAddress GROUP = InetAddress.ofLiteral("239.255.41.7");

  private static NetworkInterface loopback() throws Exception {
    return NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
  }

  @Test
  void memberOfAGroupGetsWhatIsSentToItUntilItLeaves() throws Exception {
    try (UdpSocket member = Udp.bind(TcpPair.address("0.0.0.0", 0));
        UdpSocket sender = Udp.bind(TcpPair.address("0.0.0.0", 0))) {
      InetSocketAddress to = new InetSocketAddress(GROUP, member.local().getPort());
      member.join(GROUP, loopback());
      sender.multicastInterface(loopback());
      sender.multicastTtl(1);
      sender.multicastLoop(true);

      sender.send(bytes("to all"), to);
      assertEquals("to all", received(member));

      member.leave(GROUP, loopback());
      sender.send(bytes("not any more"), to);
      sender.send(bytes("to one"), TcpPair.address("127.0.0.1", to.getPort()));
      assertEquals("to one", received(member));
    }
  }

  /// Refused, and no access to address 0, which would end the VM.
  @Test
  void withoutNativeMemoryNobodyJoins() throws Exception {
    try (UdpSocket member = Udp.bind(TcpPair.address("0.0.0.0", 0))) {
      for (int nth = 1; nth <= 2; nth++) {
        try (var _ = NativeCalls.replace("malloc", NativeCalls.failing("malloc", 0, nth))) {
          assertThrows(OutOfMemoryError.class, () -> member.join(GROUP, loopback()));
        }
      }
      member.join(GROUP, loopback());
    }
  }

  /// Linux has no route for IPv6 groups through its loopback interface, so only membership is shown, which
  /// the system keeps a list of.
  @Test
  void socketOfIpv6IsAMemberUntilItLeaves() throws Exception {
    // One of this process alone: the list is the whole machine's.
    String own = "%08x".formatted(ProcessHandle.current().pid());
    String listed = "ff1200000000000000004107" + own;
    InetAddress group =
        InetAddress.ofLiteral("ff12::4107:" + own.substring(0, 4) + ":" + own.substring(4));
    InetAddress source = InetAddress.ofLiteral("::1");
    try (UdpSocket member = Udp.bind(TcpPair.address("::", 0))) {
      assertFalse(memberships().contains(listed));
      member.join(group, loopback());
      member.multicastInterface(loopback());
      assertTrue(memberships().contains(listed));

      member.leave(group, loopback());
      assertFalse(memberships().contains(listed));
      assertThrows(UvException.class, () -> member.leave(group, loopback()));
      member.join(group, loopback(), source);
      member.leave(group, loopback(), source);
    }
  }

  private static String memberships() throws Exception {
    return Files.readString(Path.of("/proc/net/igmp6"));
  }

  @Test
  void twoMembersAtOneAddressBothGetIt() throws Exception {
    UdpOptions shared = UdpOptions.DEFAULT.withReuseAddress(true);
    try (UdpSocket one = Udp.bind(TcpPair.address("0.0.0.0", 0), shared);
        UdpSocket two = Udp.bind(one.local(), shared);
        UdpSocket sender = bound()) {
      one.join(GROUP, loopback());
      two.join(GROUP, loopback());
      sender.multicastInterface(loopback());

      sender.send(bytes("both"), new InetSocketAddress(GROUP, one.local().getPort()));

      assertEquals("both", received(one));
      assertEquals("both", received(two));
    }
  }

  @Test
  void memberBySourceHearsThatSourceOnly() throws Exception {
    InetAddress source = InetAddress.ofLiteral("127.0.0.1");
    InetAddress other = InetAddress.ofLiteral("127.0.0.2");
    InetAddress group = InetAddress.ofLiteral("232.1.41.7");
    try (UdpSocket member = Udp.bind(TcpPair.address("0.0.0.0", 0));
        UdpSocket heard = Udp.bind(new InetSocketAddress(source, 0));
        UdpSocket ignored = Udp.bind(new InetSocketAddress(other, 0))) {
      InetSocketAddress to = new InetSocketAddress(group, member.local().getPort());
      heard.multicastInterface(loopback());
      ignored.multicastInterface(loopback());
      member.join(group, loopback(), source);

      ignored.send(bytes("other"), to);
      heard.send(bytes("source"), to);

      assertEquals("source", received(member));
      member.leave(group, loopback(), source);
    }
  }

  @Test
  @Behaviour("NW11")
  void leavingAGroupThatWasNotJoinedFails() throws Exception {
    try (UdpSocket socket = Udp.bind(TcpPair.address("0.0.0.0", 0))) {
      UvException thrown = assertThrows(UvException.class, () -> socket.leave(GROUP, loopback()));
      assertEquals("leave", thrown.call());
      assertTrue(thrown.subject().startsWith("239.255.41.7"), thrown.subject());

      socket.join(GROUP, loopback());
      assertEquals(
          "EADDRINUSE",
          assertThrows(UvException.class, () -> socket.join(GROUP, loopback())).code());
      socket.leave(GROUP, loopback());
      socket.multicastInterface(null);
    }
  }

  @Test
  void onlyGroupsCanBeJoined() throws Exception {
    try (UdpSocket socket = Udp.bind(TcpPair.address("0.0.0.0", 0))) {
      InetAddress host = InetAddress.ofLiteral("127.0.0.1");
      assertThrows(IllegalArgumentException.class, () -> socket.join(host));
      assertThrows(
          IllegalArgumentException.class,
          () -> socket.join(GROUP, null, InetAddress.ofLiteral("::1")));
      assertThrows(NullPointerException.class, () -> socket.join(null));
    }
  }

  @Test
  @Behaviour({"NW07", "NW08"})
  void broadcastMustBeAllowed() throws Exception {
    try (UdpSocket socket = bound();
        UdpSocket other = Udp.bind(TcpPair.address("0.0.0.0", 0))) {
      InetSocketAddress everybody = TcpPair.address("127.255.255.255", other.local().getPort());
      UvException thrown =
          assertThrows(UvException.class, () -> socket.send(bytes("x"), everybody));
      assertEquals("EACCES", thrown.code());

      socket.broadcast(true);
      socket.send(bytes("everybody"), everybody);
      assertEquals("everybody", received(other));

      socket.broadcast(false);
      assertThrows(UvException.class, () -> socket.send(bytes("x"), everybody));
      socket.multicastLoop(false);
      socket.multicastLoop(true);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 255})
  @Behaviour("NW09")
  void hopsAreFromOneTo255(int hops) throws Exception {
    try (UdpSocket socket = bound()) {
      socket.ttl(hops);
      socket.multicastTtl(hops);
      for (int wrong : new int[] {-1, 0, 256}) {
        assertThrows(IllegalArgumentException.class, () -> socket.ttl(wrong));
        assertThrows(IllegalArgumentException.class, () -> socket.multicastTtl(wrong));
      }
    }
  }

  @Test
  void buffersHaveASize() throws Exception {
    UdpSocket closed;
    try (UdpSocket socket = bound()) {
      socket.sendBuffer(50_000);
      socket.receiveBuffer(60_000);
      assertTrue(socket.sendBuffer() >= 50_000);
      assertTrue(socket.receiveBuffer() >= 60_000);
      assertThrows(IllegalArgumentException.class, () -> socket.sendBuffer(0));
      assertThrows(IllegalArgumentException.class, () -> socket.receiveBuffer(-1));
      closed = socket;
    }
    assertThrows(ClosedChannelException.class, () -> closed.broadcast(true));
    assertThrows(ClosedChannelException.class, () -> closed.join(GROUP));
    assertThrows(ClosedChannelException.class, closed::pending);
  }
}
