// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.info.Info;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Waiter;
import dev.couv.net.ListenOptions;
import dev.couv.net.Names;
import dev.couv.net.Tcp;
import dev.couv.net.Udp;
import dev.couv.pool.LoopPool;
import dev.couv.pool.Spread;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A loop whose world is made of a few objects of Java: what is asked there reaches no libuv.
final class OtherWorldTest {
  private static final LoopOptions ELSEWHERE = LoopOptions.DEFAULT.withWorld(new Elsewhere());

  @Test
  void theMachineIsThatOfTheWorld() throws Exception {
    Loop.run(ELSEWHERE, () -> assertEquals("elsewhere", Info.hostName()));
    assertNotEquals("elsewhere", Info.hostName()); // outside of a coroutine it is the host's
    Loop.run(() -> assertNotEquals("elsewhere", Info.hostName()));
  }

  @Test
  void namesAreThoseOfTheWorld() throws Exception {
    Loop.run(
        ELSEWHERE,
        () -> {
          InetSocketAddress found = Names.resolve("nowhere.example", 80).getFirst();
          assertEquals("nowhere.example", found.getHostString());
          assertEquals(InetAddress.ofLiteral("203.0.113.7"), found.getAddress());
          assertEquals(80, found.getPort());
          assertEquals(List.of(found), Names.resolving("nowhere.example", "80").await());
          assertEquals("nowhere.example", Names.reverse(found).host());
          assertThrows(UnknownHostException.class, () -> Names.resolve("unknown.example"));
        });
  }

  @Test
  void whoWaitsForTheWorldCanBeCancelled() throws Exception {
    Loop.run(
        ELSEWHERE,
        () -> {
          Coroutine<?> lost = Coroutine.spawn(() -> Names.resolve("silent.example"));
          Coroutine.pause();
          lost.cancel();
          assertThrows(CancellationException.class, lost::await);
        });
  }

  @Test
  void whatTheWorldHasNotIsRefused() throws Exception {
    Loop.run(
        ELSEWHERE,
        () -> {
          var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
          var refused = assertThrows(UnsupportedOperationException.class, () -> Udp.bind(at));
          assertTrue(String.valueOf(refused.getMessage()).contains("datagrams"));
        });
  }

  @Test
  void aPoolLivesInTheWorldOfWhoOpensIt() throws Exception {
    Loop.run(
        ELSEWHERE,
        () -> {
          try (LoopPool pool = LoopPool.open(1)) {
            assertEquals("elsewhere", pool.submit(() -> Info.hostName()).await());
            var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var listening = pool.submit(() -> Tcp.listen(at));
            assertThrows(UnsupportedOperationException.class, listening::await);
          }
        });
    try (LoopPool pool = LoopPool.open(1)) {
      assertNotEquals("elsewhere", pool.submit(() -> Info.hostName()).await());
    }
  }

  @Test
  void threadsThatComeLaterLiveInTheWorldOfThePool() throws Exception {
    AtomicReference<@Nullable LoopPool> opened = new AtomicReference<>();
    Loop.run(ELSEWHERE, () -> opened.set(LoopPool.open(0)));
    try (LoopPool pool = Objects.requireNonNull(opened.get())) {
      pool.resize(1); // by a thread that has no world
      assertEquals("elsewhere", pool.submit(() -> Info.hostName()).await());
      // So does a pool in a pool.
      var inner =
          pool.submit(
              () -> {
                try (LoopPool own = LoopPool.open(1)) {
                  return own.submit(() -> Info.hostName()).await();
                }
              });
      assertEquals("elsewhere", inner.await());
    }
  }

  @Test
  void aPoolServesInItsWorld() throws Exception {
    Loop.run(
        ELSEWHERE,
        () -> {
          try (LoopPool pool = LoopPool.open(1)) {
            var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            for (Spread spread : Spread.values()) {
              assertThrows(
                  UnsupportedOperationException.class,
                  () -> pool.serve(at, ListenOptions.DEFAULT, spread, _ -> {}));
            }
          }
        });
  }

  private static final class Elsewhere implements World {
    @Override
    public Machine machine() {
      return (Machine)
          Proxy.newProxyInstance(
              Machine.class.getClassLoader(),
              new Class<?>[] {Machine.class},
              (_, method, _) -> {
                assertEquals("hostName", method.getName());
                return "elsewhere";
              });
    }

    @Override
    public Resolver names() {
      return new Phonebook();
    }
  }

  /// Knows one host.
  private static final class Phonebook implements Resolver {
    @Override
    public boolean hasIpv6() {
      return false;
    }

    @Override
    public Request<List<InetSocketAddress>> addresses(EventLoop loop, Sought sought) {
      InetAddress address = InetAddress.ofLiteral("203.0.113.7");
      return switch (String.valueOf(sought.host())) {
        case "nowhere.example" -> new Answer<>(List.of(new InetSocketAddress(address, 0)), true);
        case "silent.example" -> new Answer<>(null, false);
        default -> new Answer<>(null, true);
      };
    }

    @Override
    public Request<String> canonical(EventLoop loop, String host) {
      return new Answer<>(host, true);
    }

    @Override
    public <T> Request<T> names(
        EventLoop loop,
        InetSocketAddress address,
        Transport transport,
        boolean serviceOnly,
        BiFunction<String, String, T> as) {
      return new Answer<>(as.apply("nowhere.example", "http"), true);
    }
  }

  /// Complete at once, or never.
  private record Answer<T>(@Nullable T value, boolean isKnown) implements Request<T> {
    @Override
    public boolean start(Waiter waiter) {
      return isKnown;
    }

    @Override
    public void cancel() {}

    @Override
    public void surrender() {}

    @Override
    public T finish() throws IOException {
      if (value == null) {
        throw new UnknownHostException("not in the book");
      }
      return value;
    }
  }
}
