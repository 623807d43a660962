// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopStats;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import dev.couv.world.AddressText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// A host with several addresses: they are tried one after the other, and beside one another when they
/// take long.
final class TcpConnectHostTest {
  /// An address on which a connect gets no answer for as long as this lives: the backlog of its
  /// listener is full, so the system drops what asks.
  private static final class Silent implements AutoCloseable {
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final List<SocketChannel> filling = new ArrayList<>();
    final InetSocketAddress address;

    Silent() throws IOException {
      listener.bind(TcpPair.address("127.0.0.2", 0), 1);
      address = (InetSocketAddress) listener.getLocalAddress();
      for (int i = 0; i < 4; i++) {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(address);
        filling.add(channel);
      }
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel channel : filling) {
        channel.close();
      }
      listener.close();
    }
  }

  /// An address at which nobody listens: none of the ports that the system gives to whoever asks.
  private static InetSocketAddress refused() throws IOException {
    return refused(1);
  }

  private static InetSocketAddress refused(int port) throws IOException {
    return TcpPair.address("127.0.0.3", port);
  }

  private static void assertNothingLeft(LoopStats before) {
    while (Loop.current().stats().closingHandles() + Loop.current().stats().requests() > 0) {
      Coroutine.pause();
    }
    LoopStats after = Loop.current().stats();
    assertEquals(before.handles(), after.handles());
  }

  private static void assertConnected(TcpStream stream, TcpListener listener) throws Exception {
    try (stream;
        TcpStream peer = listener.accept()) {
      assertEquals(stream.local(), peer.remote());
      assertEquals(listener.local(), stream.remote());
      stream.write(ByteBuffer.wrap(new byte[] {7}));
      ByteBuffer one = ByteBuffer.allocate(1);
      peer.readFully(one);
      assertEquals(7, one.get(0));
    }
  }

  @InLoop
  @Test
  void literalsAndLocalhostAreConnected() throws Exception {
    for (String host : List.of("127.0.0.1", "::1", "localhost")) {
      String at = host.equals("localhost") ? "127.0.0.1" : host;
      try (TcpListener listener = Tcp.listen(TcpPair.address(at, 0))) {
        assertConnected(Tcp.connect(host, listener.local().getPort()), listener);
      }
    }
  }

  @InLoop
  @Test
  void hostThatNobodyKnowsIsUnknown() throws Exception {
    UnknownHostException unknown =
        assertThrows(UnknownHostException.class, () -> Tcp.connect("no-such-host.invalid", 80));

    assertTrue(unknown.getMessage().contains("no-such-host.invalid"), unknown::getMessage);
  }

  @Test
  void misuseIsRefusedBeforeAnythingIsLookedUp() throws Exception {
    Loop.run(
        () -> {
          assertThrows(IllegalArgumentException.class, () -> Tcp.connect("localhost", -1));
          assertThrows(IllegalArgumentException.class, () -> Tcp.connect("localhost", 65536));
        });
    assertThrows(IllegalStateException.class, () -> Tcp.connect("localhost", 1));
  }

  @InLoop
  @Test
  void addressThatRefusesMakesPlaceForTheNextAtOnce() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      LoopStats before = Loop.current().stats();
      TcpOptions patient = TcpOptions.DEFAULT.withAttemptDelay(Duration.ofDays(1));

      assertConnected(
          Tcp.connect("host", List.of(refused(1), refused(2), listener.local()), patient),
          listener);

      assertNothingLeft(before);
    }
  }

  @InLoop
  @Test
  void addressThatDoesNotAnswerGetsTheNextBesideItAfterTheDelay() throws Exception {
    try (Silent silent = new Silent();
        TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      LoopStats before = Loop.current().stats();
      TcpOptions options = TcpOptions.DEFAULT.withAttemptDelay(Duration.ofMillis(15));
      long begun = Time.nanos();
      while (Time.nanos() - begun < 40_000_000) {
        Thread.onSpinWait(); // the loop's time stands still, and the delays are not counted
        // from that
      }
      long start = Time.nanos();

      TcpStream stream =
          Tcp.connect("host", List.of(silent.address, silent.address, listener.local()), options);

      assertTrue(Time.nanos() - start >= 30_000_000, "two delays");
      assertConnected(stream, listener);
      assertNothingLeft(before);
    }
  }

  @InLoop
  @Test
  void slowAddressMayStillWin() throws Exception {
    try (Silent silent = new Silent();
        TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      // The delay is over before the loop has heard that the first is connected.
      TcpOptions hasty = TcpOptions.DEFAULT.withAttemptDelay(Duration.ZERO);

      assertConnected(
          Tcp.connect("host", List.of(listener.local(), silent.address), hasty), listener);
    }
  }

  @InLoop
  @Test
  void onlyOneOfManyThatAnswerIsKept() throws Exception {
    List<TcpListener> listeners = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      listeners.add(Tcp.listen(TcpPair.address("127.0.0.1", 0)));
    }
    TcpOptions hasty = TcpOptions.DEFAULT.withAttemptDelay(Duration.ZERO);

    TcpStream winner =
        Tcp.connect("host", listeners.stream().map(TcpListener::local).toList(), hasty);

    listeners.forEach(TcpListener::close); // and what they had taken
    while (Loop.current().stats().closingHandles() > 0) {
      Coroutine.pause();
    }
    assertEquals(1, Loop.current().stats().handles(), "the winner");
    winner.close();
  }

  @InLoop
  @Test
  void ifAllRefuseTheFirstRefusalIsToldWithTheOthers() throws Exception {
    LoopStats before = Loop.current().stats();
    InetSocketAddress first = refused();
    InetSocketAddress second = refused(2);

    ConnectException failure =
        assertThrows(
            ConnectException.class,
            () -> Tcp.connect("host", List.of(first, second), TcpOptions.DEFAULT));

    assertEquals(
        AddressText.of(first), assertInstanceOf(UvException.class, failure.getCause()).subject());
    assertEquals(1, failure.getSuppressed().length);
    assertInstanceOf(ConnectException.class, failure.getSuppressed()[0]);
    assertNothingLeft(before);
  }

  @InLoop
  @Test
  void whoWasThereIsToldRatherThanThatThereIsNoWay() throws Exception {
    // The broadcast address of the loopback: the system refuses at once.
    InetSocketAddress nowhere = TcpPair.address("127.255.255.255", 1);
    ConnectException failure =
        assertThrows(
            ConnectException.class,
            () -> Tcp.connect("host", List.of(nowhere, refused()), TcpOptions.DEFAULT));
    assertInstanceOf(NoRouteToHostException.class, failure.getSuppressed()[0]);
    assertThrows(
        NoRouteToHostException.class,
        () -> Tcp.connect("host", List.of(nowhere, nowhere), TcpOptions.DEFAULT));
  }

  @InLoop
  @Test
  void everyAttemptThatCannotEvenBeginIsAFailure() throws Exception {
    LoopStats before = Loop.current().stats();
    int code = UvErrors.code("ENOMEM");
    for (String function : List.of("uv_tcp_init", "uv_tcp_connect")) {
      try (var _ = NativeCalls.replace(function, NativeCalls.failing(function, code))) {
        UvException failure =
            assertThrows(
                UvException.class,
                () -> Tcp.connect("host", List.of(refused(1), refused(1)), TcpOptions.DEFAULT));
        assertEquals("ENOMEM", failure.code());
        assertEquals("connect", failure.call());
        assertEquals(1, failure.getSuppressed().length);
      }
    }
    assertNothingLeft(before);
  }

  @InLoop
  @Test
  @Behaviour("ST20")
  void cancellingClosesAllAttempts() throws Exception {
    try (Silent silent = new Silent()) {
      LoopStats before = Loop.current().stats();
      TcpOptions hasty = TcpOptions.DEFAULT.withAttemptDelay(Duration.ofMillis(1));
      Coroutine<TcpStream> connecting =
          Coroutine.spawn(
              () -> Tcp.connect("host", List.of(silent.address, silent.address), hasty));
      while (Loop.current().stats().requests() < 2) {
        Coroutine.pause();
      }

      connecting.cancel();

      assertThrows(CancellationException.class, connecting::await);
      assertNothingLeft(before);
      assertThrows(
          TimeoutException.class,
          () ->
              Time.timeout(
                  Duration.ofMillis(5),
                  () -> Tcp.connect("host", List.of(silent.address, silent.address), hasty)));
      assertNothingLeft(before);
    }
  }

  @InLoop
  @Test
  void resumeThatMeetsTheConnectionClosesIt() throws Exception {
    try (TcpListener listener = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      LoopStats before = Loop.current().stats();
      List<Object> left = new ArrayList<>();
      Coroutine<?> connecting =
          Coroutine.spawn(
              () -> {
                try {
                  Tcp.connect(
                      "host", List.of(listener.local(), listener.local()), TcpOptions.DEFAULT);
                } catch (Resumed resumed) {
                  left.addAll(resumed.values());
                }
              });
      Coroutine.pause();
      while (connecting.status() != Status.READY) {
        Coroutine.pause();
      }

      connecting.resume("enough");

      connecting.await();
      assertEquals(List.of("enough"), left);
      try (TcpStream peer = listener.accept()) {
        assertEquals(-1, peer.read(ByteBuffer.allocate(1)));
      }
      assertNothingLeft(before);
    }
  }

  @Test
  void aLoopThatEndsClosesTheAttempts() throws Exception {
    try (Silent silent = new Silent();
        Loop loop = Loop.open()) {
      Coroutine<TcpStream> connecting =
          loop.spawn(
              () ->
                  Tcp.connect("host", List.of(silent.address, silent.address), TcpOptions.DEFAULT));
      loop.run(dev.couv.coro.Mode.READY);
      assertEquals(Status.SUSPENDED, connecting.status());
    }
  }

  @Test
  void familiesTakeTurnsBeginningWithThatOfTheFirst() throws Exception {
    InetSocketAddress a = TcpPair.address("::1", 1);
    InetSocketAddress b = TcpPair.address("::2", 1);
    InetSocketAddress c = TcpPair.address("::3", 1);
    InetSocketAddress x = TcpPair.address("127.0.0.1", 1);
    InetSocketAddress y = TcpPair.address("127.0.0.2", 1);

    assertEquals(List.of(a, x, b, y, c), ConnectRace.interleaved(List.of(a, b, c, x, y)));
    assertEquals(List.of(x, a, y, b, c), ConnectRace.interleaved(List.of(x, y, a, b, c)));
    assertEquals(List.of(a, b), ConnectRace.interleaved(List.of(a, b)));
  }

  @InLoop
  @Test
  void theAttemptOfTheOtherFamilyComesSecond() throws Exception {
    try (TcpListener six = Tcp.listen(TcpPair.address("::1", 0));
        TcpListener four = Tcp.listen(TcpPair.address("127.0.0.1", 0))) {
      TcpOptions from = TcpOptions.DEFAULT.withFrom(TcpPair.address("127.0.0.4", 0));
      TcpStream stream = Tcp.connect("127.0.0.1", four.local().getPort(), from);
      assertEquals("127.0.0.4", stream.local().getAddress().getHostAddress());
      assertConnected(stream, four);
      assertConnected(
          Tcp.connect("host", List.of(six.local(), four.local()), TcpOptions.DEFAULT), six);
    }
  }
}
