// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.net.ListenOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One port, a listener on each loop.
class PoolServerTest {
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @ParameterizedTest
  @EnumSource
  void connectionsAreServedOnAllLoops(Spread spread) throws Exception {
    Set<Loop> loops = ConcurrentHashMap.newKeySet();
    try (LoopPool pool = LoopPool.open(2);
        PoolServer server = serve(pool, spread, loops)) {
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
      assertEquals(spread, server.spread());
    }

    assertEquals(2, loops.size());
  }

  private static PoolServer serve(LoopPool pool, Spread spread, Set<Loop> loops) throws Exception {
    return pool.serve(
        ANYWHERE,
        ListenOptions.DEFAULT,
        spread,
        connection -> {
          loops.add(Loop.current());
          ByteBuffer got = connection.read();
          if (got != null) {
            connection.write(got);
          }
        });
  }

  @Test
  void aHandOverSpreadsConnectionsEvenly() throws Exception {
    Map<Loop, Integer> shares = new ConcurrentHashMap<>();
    try (LoopPool pool = LoopPool.open(4);
        PoolServer server =
            pool.serve(
                ANYWHERE,
                ListenOptions.DEFAULT,
                Spread.HAND_OVER,
                connection -> {
                  shares.merge(Loop.current(), 1, Integer::sum);
                  connection.write(ByteBuffer.wrap(new byte[1]));
                  connection.read(); // until the other side ends it
                })) {
      Loop.run(
          () -> {
            List<TcpStream> open = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
              open.add(Tcp.connect(server.local()));
            }
            for (TcpStream stream : open) {
              stream.readFully(ByteBuffer.allocate(1)); // it is being served
            }
            assertEquals(Set.of(10), Set.copyOf(shares.values()), shares::toString);
            open.forEach(TcpStream::close);
          });
    }
  }

  @Test
  void aConnectionThatCannotBeMovedIsServedWhereItIs() throws Exception {
    Set<Loop> loops = ConcurrentHashMap.newKeySet();
    try (LoopPool pool = LoopPool.open(2);
        PoolServer server = serve(pool, Spread.HAND_OVER, loops);
        var _ = NativeCalls.replace("dup", NativeCalls.failing("dup", -24))) {
      Loop.run(
          () -> {
            for (byte i = 0; i < 8; i++) {
              assertEquals(i, ask(server, i));
            }
          });
    }
    assertEquals(1, loops.size());
  }

  @ParameterizedTest
  @EnumSource
  void aPoolThatGrowsServesOnItsNewLoops(Spread spread) throws Exception {
    Set<Loop> loops = ConcurrentHashMap.newKeySet();
    try (LoopPool pool = LoopPool.open(1);
        PoolServer server = serve(pool, spread, loops)) {
      pool.resize(3);
      askUntilServedBy(3, loops, server);
      pool.resize(0);
      assertThrows(IllegalStateException.class, () -> pool.serve(ANYWHERE, connection -> {}));
      loops.clear();
      pool.resize(2);
      askUntilServedBy(2, loops, server);
    }
  }

  private static void askUntilServedBy(int count, Set<Loop> loops, PoolServer server)
      throws Exception {
    Loop.run(
        () ->
            Time.timeout(
                Duration.ofSeconds(60),
                () -> {
                  while (loops.size() < count) {
                    try {
                      assertEquals(7, ask(server, (byte) 7));
                    } catch (IOException notNow) {
                      Coroutine.pause(); // no listener yet, or none any more
                    }
                  }
                }));
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
