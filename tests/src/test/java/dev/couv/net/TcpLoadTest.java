// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.loop.NativeMemory;
import dev.couv.stream.ByteStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TcpLoadTest {
  @Test
  void aThousandConnectionsEchoAtTheSameTime() throws Exception {
    int connections = 1000;
    Loop.run(
        () -> {
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
        });
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
    Loop.run(
        () -> {
          try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
            churn(listener, 20);
            long before = NativeMemory.allocatedBytes();
            churn(listener, 300);

            assertTrue(NativeMemory.allocatedBytes() - before < 10_000);
          }
        });
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
