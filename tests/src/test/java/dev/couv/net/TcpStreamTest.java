// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Loop;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.world.AddressText;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TcpStreamTest {
  @InLoop
  @Test
  @Behaviour("NW28")
  void noDelayIsTurnedOnAndOff() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().noDelay(true);
      pair.client().noDelay(false);
      pair.server().noDelay(true);
    }
  }

  @InLoop
  @Test
  @Behaviour("NW27")
  void keepAliveTakesFromOneSecondToTheMostTheSystemKnows() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      TcpStream stream = pair.client();
      stream.keepAlive(Duration.ofSeconds(1));
      stream.keepAlive(Duration.ofSeconds(32_767));
      stream.keepAlive(null);

      for (Duration wrong :
          new Duration[] {
            Duration.ZERO,
            Duration.ofSeconds(-1),
            Duration.ofMillis(999),
            Duration.ofSeconds(32_768),
            Duration.ofSeconds(Long.MAX_VALUE)
          }) {
        IllegalArgumentException thrown =
            assertThrows(IllegalArgumentException.class, () -> stream.keepAlive(wrong));
        assertTrue(thrown.getMessage().contains(wrong.toString()), thrown.getMessage());
      }
    }
  }

  @InLoop
  @Test
  void addressesThatWereAskedForAreKnownAfterTheClose() throws Exception {
    TcpPair pair = TcpPair.open();
    InetSocketAddress local = pair.server().local();
    InetSocketAddress remote = pair.server().remote();
    String name = pair.server().toString();
    pair.close();

    assertEquals(local, pair.server().local());
    assertEquals(remote, pair.server().remote());
    assertEquals(name, pair.server().toString());
    assertThrows(ClosedChannelException.class, () -> pair.client().local());
    assertFalse(pair.server().isOpen());
  }

  @InLoop
  @Test
  void streamThatPeerHasLeftStillHasAName() throws Exception {
    try (RawPeer peer = RawPeer.open()) {
      peer.reset();

      assertTrue(peer.stream().toString().startsWith("tcp"), peer.stream().toString());
    }
  }

  @Test
  void addressesAreWrittenWithoutAskingAnybodyForNames() throws Exception {
    InetSocketAddress four =
        new InetSocketAddress(InetAddress.getByAddress("named", new byte[] {10, 0, 0, 7}), 80);
    InetSocketAddress six =
        new InetSocketAddress(InetAddress.getByName("2001:db8:0:0:0:0:0:1"), 65_535);

    assertEquals("10.0.0.7:80", AddressText.of(four));
    assertEquals("[2001:db8:0:0:0:0:0:1]:65535", AddressText.of(six));
  }

  @Test
  void addressesOfBothFamiliesSurviveTheWayToTheSystemAndBack() throws Exception {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 16; i++) {
      bytes[i] = (byte) (0xf0 + i);
    }
    Loop.run(
        () -> {
          dev.couv.loop.EventLoop loop = dev.couv.strand.Suspension.loop("test");
          for (InetSocketAddress address :
              new InetSocketAddress[] {
                TcpPair.address("255.254.253.252", 65_535),
                TcpPair.address("0.0.0.0", 0),
                TcpPair.address("127.0.0.1", 256),
                TcpPair.address("::", 1),
                new InetSocketAddress(Inet6Address.getByAddress(null, bytes, 7), 258),
                new InetSocketAddress(InetAddress.getByAddress(bytes), 0x8001),
              }) {
            long at = dev.couv.host.NativeAddresses.write(loop.scratch(), address);
            InetSocketAddress read = dev.couv.host.NativeAddresses.read(at);

            assertEquals(address, read);
            if (address.getAddress() instanceof Inet6Address v6) {
              assertEquals(v6.getScopeId(), ((Inet6Address) read.getAddress()).getScopeId());
            }
          }
        });
  }
}
