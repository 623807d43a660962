// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import dev.couv.uv.Memory;
import dev.couv.uv.PosixSocket;
import dev.couv.wire.NativeStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Small writes go out at once, unless told otherwise.
@InLoop
@SuppressWarnings("try") // closed early is what is tested
final class TcpNoDelayTest {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_NODELAY = 1;

  private static boolean isOn(NativeStream stream) throws IOException {
    long room = Memory.calloc(1, 16);
    try {
      Memory.putInt(room + 8, Integer.BYTES);
      int code =
          PosixSocket.getsockopt(stream.descriptor(), IPPROTO_TCP, TCP_NODELAY, room, room + 8);
      assertTrue(code >= 0);
      return Memory.getInt(room) != 0;
    } finally {
      Memory.free(room);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "0.0.0.0"})
  void itIsOnAtBothEnds(String literal) throws Exception {
    try (TcpPair pair = TcpPair.open(literal)) {
      assertTrue(isOn(pair.client()));
      assertTrue(isOn(pair.server()));
    }
  }

  @Test
  void aHostsConnectionHasItToo() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        TcpStream stream = Tcp.connect("localhost", listener.local().getPort())) {
      assertTrue(isOn(stream));
    }
  }

  @Test
  void itCanBeTurnedOff() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        TcpStream stream = Tcp.connect(listener.local(), TcpOptions.DEFAULT.withNoDelay(false));
        TcpStream peer = listener.accept()) {
      peer.noDelay(false);

      assertFalse(isOn(stream));
      assertFalse(isOn(peer));
    }
  }

  @Test
  void aPassedConnectionAndThoseOfAPassedListenerHaveIt() throws Exception {
    try (Pair way = LocalStream.pair();
        TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0));
        TcpPair pair = TcpPair.through(listener)) {
      pair.server().noDelay(false); // as another program would pass it
      way.first().send(UTF_8.encode("x"), pair.server());
      try (var passed =
          assertInstanceOf(
              TcpStream.class, way.second().receive(ByteBuffer.allocate(1)).handle())) {
        assertTrue(isOn(passed));
      }
      way.first().send(UTF_8.encode("x"), listener);
      listener.close(); // else it might take the connection
      try (var copy = (TcpListener) way.second().receive(ByteBuffer.allocate(1)).listener();
          var client = Tcp.connect(copy.local());
          var accepted = copy.accept()) {
        assertTrue(isOn(client));
        assertTrue(isOn(accepted));
      }
    }
  }

  @Test
  void aDetachedConnectionKeepsWhatWasSet() throws Exception {
    try (TcpPair pair = TcpPair.open()) {
      pair.client().noDelay(false);
      try (TcpStream off = pair.client().detach().adopt();
          TcpStream on = pair.server().detach().adopt()) {
        assertFalse(isOn(off));
        assertTrue(isOn(on));
      }
    }
  }
}
