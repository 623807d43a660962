// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Body;
import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.error.BrokenException;
import dev.couv.net.ListenOptions;
import dev.couv.net.ServeOptions;
import dev.couv.net.Tcp;
import dev.couv.net.TcpStream;
import dev.couv.strand.Suspension;
import dev.couv.stream.ByteStream;
import dev.couv.sync.Chan;
import dev.couv.testing.InLoop;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One port, a listener on each loop.
class PoolServerTest {
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /// ENOBUFS.
  private static final int NO_BUFFERS = -105;

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

  @ParameterizedTest
  @EnumSource
  void aFailureIsLoggedWithThePeersAddressAndKeptToItsConnection(Spread spread) throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    try (CapturedLog log = new CapturedLog();
        LoopPool pool = LoopPool.open(2);
        PoolServer server =
            pool.serve(
                ANYWHERE,
                ListenOptions.DEFAULT,
                spread,
                connection -> {
                  if (!failed.getAndSet(true)) {
                    Coroutine.spawn(
                        () -> {
                          throw new IllegalStateException("on purpose");
                        });
                  }
                  ByteStream.copy(connection, connection);
                })) {
      Loop.run(
          () -> {
            try (TcpStream first = Tcp.connect(server.local())) {
              assertNull(first.read());
              String address = "127.0.0.1:" + first.local().getPort();
              assertTrue(
                  log.messages().stream().anyMatch(message -> message.contains(address)),
                  () -> log.messages().toString());
            }
            for (int i = 0; i < 10; i++) {
              assertEquals((byte) i, ask(server, (byte) i));
            }
          });
      assertEquals(1, log.records().size(), () -> log.messages().toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingTheServerCancelsItsConnectionsAfterTheirGrace(Spread spread) throws Exception {
    ServeOptions serving = ServeOptions.DEFAULT.withGrace(Duration.ZERO);
    try (LoopPool pool = LoopPool.open(2)) {
      PoolServer server =
          pool.serve(
              ANYWHERE,
              ListenOptions.DEFAULT,
              spread,
              connection -> ByteStream.copy(connection, connection),
              serving);
      Loop.run(
          () -> {
            try (TcpStream one = Tcp.connect(server.local());
                TcpStream other = Tcp.connect(server.local())) {
              for (TcpStream each : List.of(one, other)) {
                each.write("x");
                each.readFully(ByteBuffer.allocate(1));
              }
              server.close();

              assertNull(one.read());
              assertNull(other.read());
            }
          });
    }
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
                  hold(connection);
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

  @ParameterizedTest
  @EnumSource
  void threadsMayComeAndGoWhileAServerIsOpened(Spread spread) throws Exception {
    AtomicBoolean opened = new AtomicBoolean();
    for (int round = 0; round < 8; round++) {
      opened.set(false);
      try (LoopPool pool = LoopPool.open(3)) {
        Thread resizing =
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int size = 1; !opened.get(); size++) {
                        pool.resize(1 + size % 3);
                      }
                    });
        Set<Loop> loops = ConcurrentHashMap.newKeySet();
        try (PoolServer server = serve(pool, spread, loops)) {
          opened.set(true);
          resizing.join();
          askUntilServedBy(1, loops, server);
        } finally {
          opened.set(true);
          resizing.join();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLoopThatBreaksIsReplacedInTheServer(Spread spread) throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
    Set<Loop> loops = ConcurrentHashMap.newKeySet();
    try (LoopPool pool = LoopPool.open(1);
        PoolServer server = serve(pool, spread, loops)) {
      pool.submit(
              () ->
                  Suspension.loop("a test")
                      .post(
                          () -> {
                            throw new Error("planted");
                          }))
          .await();
      askUntilServedBy(1, loops, server);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void aConnectionThatCannotBeAcceptedIsNotTheLast() throws Exception {
    Set<Loop> loops = ConcurrentHashMap.newKeySet();
    try (LoopPool pool = LoopPool.open(1);
        PoolServer server = serve(pool, Spread.SYSTEM, loops);
        var _ = NativeCalls.replace("uv_accept", NativeCalls.failing("uv_accept", NO_BUFFERS, 1))) {
      askUntilServedBy(1, loops, server);
    }
  }

  @InLoop
  @ParameterizedTest
  @EnumSource
  void aCancelledPoolEndsItsConnections(Spread spread) throws Exception {
    LoopPool pool = LoopPool.open(2);
    PoolServer server =
        pool.serve(
            ANYWHERE,
            ListenOptions.DEFAULT,
            spread,
            connection -> {
              connection.write(ByteBuffer.wrap(new byte[1]));
              connection.read();
            });
    List<TcpStream> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      open.add(Tcp.connect(server.local()));
      open.getLast().readFully(ByteBuffer.allocate(1)); // it is being served
    }
    pool.cancel();
    pool.close();
    for (TcpStream stream : open) {
      assertNull(stream.read());
      stream.close();
    }
  }

  @Test
  void whereConnectionsAreHandedOverTheLimitIsThatOfEachLoopToo() throws Exception {
    Map<Loop, Integer> served = new ConcurrentHashMap<>();
    AtomicInteger most = new AtomicInteger();
    try (LoopPool pool = LoopPool.open(2);
        PoolServer server =
            pool.serve(
                ANYWHERE,
                ListenOptions.DEFAULT,
                Spread.HAND_OVER,
                connection -> {
                  most.accumulateAndGet(served.merge(Loop.current(), 1, Integer::sum), Math::max);
                  try {
                    hold(connection);
                  } finally {
                    served.merge(Loop.current(), -1, Integer::sum);
                  }
                },
                ServeOptions.DEFAULT.withLimit(1))) {
      Loop.run(
          () -> {
            List<TcpStream> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              clients.add(Tcp.connect(server.local()));
            }
            assertNotNull(clients.get(0).read());
            assertNotNull(clients.get(1).read());
            Coroutine<?> third = Coroutine.spawn(() -> clients.get(2).read());
            Coroutine<?> fourth = Coroutine.spawn(() -> clients.get(3).read());

            clients.get(1).close();
            assertNotNull(third.await());
            clients.get(0).close();
            assertNotNull(fourth.await());

            clients.get(2).close();
            clients.get(3).close();
          });
    }
    assertEquals(1, most.get());
    assertEquals(2, served.size());
  }

  /// Says that it serves, until the other side ends it.
  private static void hold(TcpStream connection) throws IOException {
    connection.write(ByteBuffer.wrap(new byte[1]));
    connection.read();
  }

  @Test
  void aConnectionOnItsWayToALoopThatTakesNoMoreGoesBack() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (LoopPool pool = LoopPool.open(1);
        PoolServer server =
            pool.serve(ANYWHERE, ListenOptions.DEFAULT, Spread.HAND_OVER, PoolServerTest::hold)) {
      Loop accepting = pool.submit(Loop::current).await();
      pool.resize(2);
      CountDownLatch ending = new CountDownLatch(1);
      Action end =
          () -> {
            Coroutine.current().scope().cancel(); // nothing begins here any more
            ending.countDown();
            while (go.getCount() > 0) {
              Thread.onSpinWait();
            }
          };
      Body<Boolean> tryEnd =
          () -> {
            boolean other = Loop.current() != accepting;
            if (other) {
              Coroutine.spawn(end);
            }
            return other;
          };
      while (!pool.submit(tryEnd).await()) {}
      ending.await();
      Loop.run(
          () -> {
            Chan<Integer> answers = Chan.create(4);
            List<TcpStream> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              TcpStream client = Tcp.connect(server.local());
              clients.add(client);
              Coroutine.spawn(() -> answers.send(client.read() == null ? 0 : 1));
            }
            assertEquals(2, answers.receive() + answers.receive());
            go.countDown();
            assertEquals(2, answers.receive() + answers.receive());
            clients.forEach(TcpStream::close);
          });
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
                    } catch (IOException | BrokenException notNow) {
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

  @InLoop
  @Test
  void anAddressThatIsTakenIsToldAndNothingIsLeft() throws Exception {
    try (var taken = Tcp.listen(ANYWHERE);
        LoopPool pool = LoopPool.open(2)) {
      assertThrows(BindException.class, () -> pool.serve(taken.local(), connection -> {}).close());
    }
  }

  @Test
  void aPoolWithoutThreadsCannotServe() {
    try (LoopPool pool = LoopPool.open(0)) {
      assertThrows(IllegalStateException.class, () -> pool.serve(ANYWHERE, connection -> {}));
    }
  }
}
