// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/// One port, a listener on each loop.
class PoolServerTest {
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void connectionsAreServedOnAllLoops() throws Exception {
    Set<Loop> loops = ConcurrentHashMap.newKeySet();
    try (LoopPool pool = LoopPool.open(2);
        PoolServer server =
            pool.serve(
                ANYWHERE,
                connection -> {
                  loops.add(Loop.current());
                  ByteBuffer got = connection.read();
                  connection.write(got);
                })) {
      Loop.run(
          () -> {
            List<Coroutine<?>> clients = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
              byte number = (byte) i;
              clients.add(Coroutine.spawn(() -> assertEquals(number, ask(server, number))));
            }
            for (Coroutine<?> client : clients) {
              client.await();
            }
          });
    }

    assertEquals(2, loops.size());
  }

  private static byte ask(PoolServer server, byte number) throws Exception {
    try (TcpStream stream = Tcp.connect(server.local())) {
      stream.write(ByteBuffer.wrap(new byte[] {number}));
      ByteBuffer answer = ByteBuffer.allocate(1);
      stream.readFully(answer);
      return answer.get(0);
    }
  }

  @Test
  void aClosedServerAcceptsNoMoreAndThePoolGoesOn() throws Exception {
    try (LoopPool pool = LoopPool.open(2)) {
      PoolServer server = pool.serve(ANYWHERE, connection -> {});
      assertTrue(server.local().getPort() > 0);
      server.close();
      server.close();
      assertEquals(1, pool.submit(() -> 1).await());
    }
  }

  @Test
  void anAddressThatIsTakenIsToldAndNothingIsLeft() throws Exception {
    Loop.run(
        () -> {
          try (var taken = Tcp.listen(ANYWHERE);
              LoopPool pool = LoopPool.open(2)) {
            assertThrows(
                BindException.class, () -> pool.serve(taken.local(), connection -> {}).close());
          }
        });
  }

  @Test
  void aPoolWithoutThreadsCannotServe() {
    try (LoopPool pool = LoopPool.open(0)) {
      assertThrows(IllegalStateException.class, () -> pool.serve(ANYWHERE, connection -> {}));
    }
  }
}
