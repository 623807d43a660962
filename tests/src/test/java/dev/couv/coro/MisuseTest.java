// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.BusyException;
import dev.couv.net.Tcp;
import dev.couv.net.TcpListener;
import dev.couv.net.TcpStream;
import dev.couv.testing.InLoop;
import dev.couv.time.Ticker;
import dev.couv.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Wrong calls: each throws at once, says what was wrong, and leaves loop and object usable.
class MisuseTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final List<Object> log = new ArrayList<>();

  // ---- outside of coroutines

  /// A call, and what the message must name.
  record Call(String name, Action action) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Call> callsThatNeedACoroutine() {
    return Stream.of(
        new Call("Time.sleep", () -> Time.sleep(Duration.ofMillis(1))),
        new Call("Time.sleep", () -> Time.sleep(Duration.ZERO)),
        new Call("Coroutine.pause", Coroutine::pause),
        new Call("Coroutine.yield", () -> Coroutine.yield(1)),
        new Call("Coroutine.halt", Coroutine::halt),
        new Call("Coroutine.protect", () -> Coroutine.protect(() -> 1)),
        new Call("Coroutine.spawn", () -> Coroutine.spawn(() -> 1)),
        new Call("Coroutine.create", () -> Coroutine.create(() -> 1)),
        new Call("Coroutine.current", Coroutine::current),
        new Call("Loop.current", Loop::current),
        new Call("Loop.offload", () -> Loop.offload(() -> 1)),
        new Call("Scope.open", Scope::open),
        new Call("Time.timeout", () -> Time.timeout(Duration.ofMillis(1), () -> 1)),
        new Call("Time.after", () -> Time.after(Duration.ofMillis(1))),
        new Call("Time.now", Time::now),
        new Call("Ticker.every", () -> Ticker.every(Duration.ofMillis(1))),
        new Call("Tcp.connect", () -> Tcp.connect(new InetSocketAddress("127.0.0.1", 1))),
        new Call("Tcp.listen", () -> Tcp.listen(ANY_PORT)));
  }

  @ParameterizedTest
  @MethodSource("callsThatNeedACoroutine")
  void onAPlainThread(Call call) {
    assertNames(call, assertThrows(IllegalStateException.class, () -> call.action().run()));
  }

  @ParameterizedTest
  @MethodSource("callsThatNeedACoroutine")
  void onAVirtualThread(Call call) throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();

    Thread.startVirtualThread(
        () -> thrown.complete(assertThrows(Throwable.class, () -> call.action().run())));

    assertNames(call, thrown.get(60, TimeUnit.SECONDS));
  }

  /// Such a thread runs on the loop, on the one engine, but it is not a coroutine.
  @InLoop
  @ParameterizedTest
  @MethodSource("callsThatNeedACoroutine")
  void onAVirtualThreadThatACoroutineStarted(Call call) throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> thrown.complete(assertThrows(Throwable.class, () -> call.action().run())));
    assertNames(call, Loop.offload(() -> thrown.get(60, TimeUnit.SECONDS)));
  }

  @ParameterizedTest
  @MethodSource("callsThatNeedACoroutine")
  void onTheLoopsThreadBetweenRuns(Call call) {
    try (Loop loop = Loop.open()) {
      loop.run(Mode.READY);

      assertNames(call, assertThrows(IllegalStateException.class, () -> call.action().run()));

      loop.spawn(() -> log.add("usable"));
      loop.run(Mode.LOOP);
      assertEquals(List.of("usable"), log);
    }
  }

  private static void assertNames(Call call, Throwable thrown) {
    assertEquals(IllegalStateException.class, thrown.getClass(), thrown::toString);
    assertTrue(thrown.getMessage().contains(call.name()), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("coroutine"), thrown.getMessage());
  }

  @Test
  void awaitingACoroutineOnTheLoopsThreadBetweenRuns() {
    try (Loop loop = Loop.open()) {
      Coroutine<?> sleeper = loop.spawn(() -> Coroutine.halt()).named("sleeper");
      loop.run(Mode.READY);

      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> sleeper.await());

      assertTrue(refused.getMessage().contains("Coroutine.await"), refused.getMessage());
      assertEquals(Status.SUSPENDED, sleeper.status());
    }
  }

  // ---- resuming what cannot be resumed

  @InLoop
  @Test
  void resumingOneself() throws Exception {
    Coroutine<?> self = Coroutine.current().named("selfish");
    assertRefused("selfish cannot resume itself", self::resume);
    Coroutine.pause();
  }

  @InLoop
  @Test
  void resumingOneThatResumes() throws Exception {
    Coroutine<?> main = Coroutine.current();
    Coroutine<?> inner =
        Coroutine.create(
            () -> {
              assertRefused("main: it is itself resuming", main::resume);
              log.add("refused");
            });

    inner.resume();

    assertEquals(List.of("refused"), log);
    assertEquals(Status.RUNNING, main.status());
  }

  @InLoop
  @Test
  void resumingOneThatHasEnded() throws Exception {
    Coroutine<?> done = Coroutine.spawn(() -> "result").named("done");
    Coroutine<?> failed =
        Coroutine.spawn(
                () -> {
                  throw new IllegalStateException("its own");
                })
            .named("failed");
    done.await();
    assertThrows(IllegalStateException.class, failed::await);

    assertRefused("done: it has ended", done::resume);
    assertRefused("failed: it has ended", failed::resume);
    assertEquals("result", done.await());
  }

  @InLoop
  @Test
  void resumingOneThatWasCancelled() throws Exception {
    Coroutine<?> cancelled =
        Coroutine.spawn(
                () -> {
                  try {
                    Coroutine.halt();
                  } finally {
                    log.add("finally");
                  }
                })
            .named("cancelled");
    Coroutine.pause();
    cancelled.cancel();

    assertRefused("cancelled: it was cancelled", cancelled::resume);

    assertEquals(List.of(), log);
    Coroutine.pause();
    assertEquals(List.of("finally"), log);
    assertRefused("cancelled: it has ended", cancelled::resume);
  }

  @Test
  void resumingFromTheLoopsThreadWhatHasEnded() {
    try (Loop loop = Loop.open()) {
      Coroutine<?> done = loop.spawn(() -> "result").named("done");
      loop.run(Mode.LOOP);

      assertRefused("done: it has ended", done::resume);

      loop.spawn(() -> log.add("usable"));
      loop.run(Mode.LOOP);
      assertEquals(List.of("usable"), log);
    }
  }

  private static void assertRefused(String message, Action action) {
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> action.run());
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
  }

  // ---- what belongs to another loop

  @Test
  void socketsOfAnotherLoop() throws Exception {
    try (RunningLoop running = new RunningLoop()) {
      TcpListener listener = running.loop.submit(() -> Tcp.listen(ANY_PORT)).get();
      TcpStream client = running.loop.submit(() -> Tcp.connect(listener.local())).get();
      TcpStream server = running.loop.submit(listener::accept).get();

      Loop.run(
          () -> {
            for (Action use :
                List.<Action>of(
                    listener::accept,
                    listener::close,
                    client::close,
                    client::shutdown,
                    client::read,
                    () -> client.read(ByteBuffer.allocate(1)),
                    () -> client.write(ByteBuffer.allocate(1)),
                    () -> client.tryWrite(ByteBuffer.allocate(1)))) {
              IllegalStateException refused =
                  assertThrows(IllegalStateException.class, () -> use.run());
              assertTrue(refused.getMessage().contains("another loop"), refused.getMessage());
            }
          });

      ByteBuffer received = ByteBuffer.allocate(4);
      running
          .loop
          .submit(
              () -> {
                client.write(ByteBuffer.wrap(new byte[] {1, 2}));
                return server.read(received);
              })
          .get(60, TimeUnit.SECONDS);
      assertEquals(2, received.position());
      running
          .loop
          .submit(
              () -> {
                client.close();
                server.close();
                listener.close();
                return null;
              })
          .get();
    }
  }

  // ---- busy and closed

  @InLoop
  @Test
  void aSecondReaderAndASecondAcceptor() throws Exception {
    try (TcpListener listener = Tcp.listen(ANY_PORT);
        TcpStream client = Tcp.connect(listener.local());
        TcpStream server = listener.accept()) {
      Coroutine<Integer> reader = Coroutine.spawn(() -> server.read(ByteBuffer.allocate(1)));
      Coroutine<TcpStream> acceptor = Coroutine.spawn(listener::accept);
      Coroutine.pause();

      assertThrows(BusyException.class, () -> server.read(ByteBuffer.allocate(1)));
      assertThrows(BusyException.class, server::read);
      assertThrows(BusyException.class, listener::accept);

      client.write(ByteBuffer.wrap(new byte[1]));
      assertEquals(1, reader.await());
      Tcp.connect(listener.local()).close();
      acceptor.await().close();
    }
  }

  @InLoop
  @Test
  void aClosedSocket() throws Exception {
    TcpListener listener = Tcp.listen(ANY_PORT);
    TcpStream client = Tcp.connect(listener.local());
    client.close();
    listener.close();

    assertThrows(ClosedChannelException.class, () -> client.read(ByteBuffer.allocate(1)));
    assertThrows(ClosedChannelException.class, () -> client.write(ByteBuffer.allocate(1)));
    assertThrows(ClosedChannelException.class, client::shutdown);
    assertThrows(ClosedChannelException.class, listener::accept);
  }

  // ---- threads of embedded loops

  @Test
  void runningALoopOnAnotherThreadThanItsFirst() throws Exception {
    try (Loop loop = Loop.open()) {
      loop.run(Mode.READY);

      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread.ofPlatform()
          .start(
              () -> {
                thrown.complete(assertThrows(Throwable.class, () -> loop.run(Mode.READY)));
              });

      Throwable refused = thrown.get(60, TimeUnit.SECONDS);
      assertEquals(IllegalStateException.class, refused.getClass());
      assertTrue(
          refused.getMessage().contains(Thread.currentThread().getName()), refused.getMessage());
      loop.spawn(() -> log.add("usable"));
      loop.run(Mode.LOOP);
      assertEquals(List.of("usable"), log);
    }
  }

  @Test
  void runningALoopOnAVirtualThread() throws Exception {
    try (Loop loop = Loop.open()) {
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread.startVirtualThread(
          () -> thrown.complete(assertThrows(Throwable.class, () -> loop.run(Mode.READY))));

      Throwable refused = thrown.get(60, TimeUnit.SECONDS);
      assertEquals(IllegalStateException.class, refused.getClass());
      assertTrue(refused.getMessage().contains("virtual"), refused.getMessage());
      loop.spawn(() -> log.add("usable"));
      loop.run(Mode.LOOP);
      assertEquals(List.of("usable"), log);
    }
  }

  @InLoop
  @Test
  void nullsAreRefusedWhereTheyAreGiven() throws Exception {
    assertThrows(NullPointerException.class, () -> Coroutine.spawn((Action) null));
    assertThrows(NullPointerException.class, () -> Coroutine.spawn((Body<?>) null));
    assertThrows(NullPointerException.class, () -> Coroutine.create((Body<?>) null));
    assertThrows(NullPointerException.class, () -> Loop.run((Body<?>) null));
    assertThrows(NullPointerException.class, () -> Time.sleep(null));
    assertThrows(NullPointerException.class, () -> Loop.current().post(null));
    assertThrows(NullPointerException.class, () -> Loop.current().submit((Body<?>) null));
    assertEquals(1, Loop.current().stats().coroutines());
  }
}
