// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.UvException;
import dev.couv.testing.InLoop;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/// Who is at the other end of an accepted connection is known from the accept on.
@InLoop
final class TcpRemoteTest {
  @Test
  void aPeerThatResetTheConnectionIsStillKnown() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      var address = pair.client().local();
      pair.client().reset();

      UvException reset = assertThrows(UvException.class, () -> pair.server().read());

      assertEquals("ECONNRESET", reset.code());
      assertTrue(
          reset.getMessage().contains("tcp 127.0.0.1:" + address.getPort()), reset.getMessage());
      assertEquals(address, pair.server().remote());
    }
  }

  @Test
  void soIsOneThatDidSoBeforeItWasAccepted() throws Exception {
    try (var listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      // Without a turn of the loop in between: nobody has accepted it.
      var client = new Socket(listener.local().getAddress(), listener.local().getPort());
      var address = client.getLocalSocketAddress();
      client.setSoLinger(true, 0);
      client.close();
      try (var served = listener.accept()) {
        assertEquals(address, served.remote());
        var reset = assertThrows(UvException.class, served::read);
        assertTrue(reset.getMessage().contains("tcp 127.0.0.1:"), reset.getMessage());
      }
    }
  }

  @Test
  void soItIsAfterOurOwnClose() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      var address = pair.client().local();
      pair.server().close();

      assertEquals(address, pair.server().remote());
      var closed =
          assertThrows(
              ClosedChannelException.class, () -> pair.server().write(ByteBuffer.allocate(1)));
      assertEquals("tcp 127.0.0.1:" + address.getPort() + " is closed", closed.getMessage());
    }
  }

  @Test
  void aPassedConnectionKnowsItToo() throws Exception {
    try (Pair way = LocalStream.pair();
        TcpPair pair = TcpPair.open()) {
      way.first().send(ByteBuffer.allocate(1), pair.server());
      try (var passed = (TcpStream) way.second().receive(ByteBuffer.allocate(1)).handle()) {
        var address = pair.client().local();
        pair.client().reset();
        assertThrows(UvException.class, passed::read);

        assertEquals(address, passed.remote());
      }
    }
  }

  @Test
  void theWildcardTakesBothFamiliesAsThatOfAServerSocket() throws Exception {
    try (var listener = Tcp.listen(new InetSocketAddress(0))) {
      int port = listener.local().getPort();
      for (String literal : new String[] {"127.0.0.1", "::1"}) {
        try (var client = Tcp.connect(TcpPair.address(literal, port));
            var served = listener.accept()) {
          assertEquals(client.local(), served.remote());
          assertEquals(TcpPair.address(literal, port), served.local());
        }
      }
    }
  }
}
