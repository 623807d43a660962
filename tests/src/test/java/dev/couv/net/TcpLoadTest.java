// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.loop.NativeMemory;
import dev.couv.stream.ByteStream;
import dev.couv.testing.InLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@InLoop
final class TcpLoadTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "::ffff:127.0.0.1"})
  void megabytesAreEchoedOverEveryFamily(String literal) throws Exception {
    byte[] sent = new byte[3 << 20];
    new Random(1).nextBytes(sent);
    try (TcpPair pair = TcpPair.open(literal)) {
      Coroutine<?> echo =
          Coroutine.spawn(
              () -> {
                ByteStream.copy(pair.server(), pair.server());
                pair.server().shutdown();
              });
      Coroutine<?> writer =
          Coroutine.spawn(
              () -> {
                pair.client().write(ByteBuffer.wrap(sent));
                pair.client().shutdown();
              });
      ByteBuffer received = ByteBuffer.allocate(sent.length);
      pair.client().readFully(received);

      assertArrayEquals(sent, received.array());
      assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
      writer.await();
      echo.await();
    }
  }

  @Test
  void aThousandConnectionsEchoAtTheSameTime() throws Exception {
    int connections = 1000;
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      Coroutine<?> server =
          Coroutine.spawn(
              () -> {
                for (int i = 0; i < connections; i++) {
                  TcpStream stream = listener.accept();
                  Coroutine.spawn(
                      () -> {
                        try (stream) {
                          ByteStream.copy(stream, stream);
                        }
                      });
                }
              });
      List<TcpStream> clients = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        clients.add(Tcp.connect(listener.local()));
      }
      server.await();
      List<Coroutine<?>> talks = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        TcpStream client = clients.get(i);
        int number = i;
        talks.add(Coroutine.spawn(() -> talk(client, number)));
      }
      for (Coroutine<?> talk : talks) {
        talk.await();
      }
    }
  }

  private static void talk(TcpStream stream, int number) throws Exception {
    try (stream) {
      ByteBuffer buffer = ByteBuffer.allocate(8);
      for (int turn = 0; turn < 3; turn++) {
        stream.write(buffer.clear().putInt(number).putInt(turn).flip());
        stream.readFully(buffer.clear());
        assertEquals(number, buffer.getInt(0));
        assertEquals(turn, buffer.getInt(4));
      }
      stream.shutdown();
      assertEquals(-1, stream.read(buffer.clear()));
    }
  }

  @Test
  void connectionsThatComeAndGoLeaveNoMemoryBehind() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      churn(listener, 20);
      long before = NativeMemory.allocatedBytes();
      churn(listener, 300);

      assertTrue(NativeMemory.allocatedBytes() - before < 10_000);
    }
  }

  private static void churn(TcpListener listener, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      try (TcpPair pair = TcpPair.through(listener)) {
        pair.client().write(ByteBuffer.wrap(new byte[100]));
        pair.server().readFully(ByteBuffer.allocate(100));
      }
    }
  }
}
