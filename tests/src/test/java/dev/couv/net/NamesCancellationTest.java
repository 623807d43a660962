// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.error.UvException;
import dev.couv.loop.CallCount;
import dev.couv.stream.Coroutines;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import dev.couv.uv.UvErrors;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Leaving lookups. That each list is freed once is counted.
final class NamesCancellationTest {
  private static final InetSocketAddress HTTP =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 80);

  /// A lookup that needs libuv's threads, and nobody outside this machine.
  private static List<InetSocketAddress> lookup() throws Exception {
    return Names.resolve("127.0.0.1", "http");
  }

  private static void pauseUntilNothingIsUnderWay() {
    while (Loop.current().stats().requests() > 0) {
      Coroutine.pause();
    }
  }

  @InLoop
  @Test
  @Behaviour("TA119")
  void cancelledLookupsDoNotDisturbTheOthers() throws Exception {
    List<Coroutine<List<InetSocketAddress>>> lookups = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      lookups.add(Coroutine.spawn(NamesCancellationTest::lookup));
    }
    for (int i = 0; i < 40; i += 4) {
      lookups.get(i).cancel(); // before it has begun
    }
    Coroutine.pause();
    for (int i = 2; i < 40; i += 4) {
      lookups.get(i).cancel(); // in the queue, under way, or done
    }
    for (int i = 1; i < 40; i += 2) {
      assertEquals(List.of(HTTP), lookups.get(i).await());
    }
    for (int i = 0; i < 40; i += 4) {
      assertThrows(CancellationException.class, lookups.get(i)::await);
    }
    pauseUntilNothingIsUnderWay();
  }

  @InLoop
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 20})
  void lookupIsLeftAtAnyMoment(int pauses) throws Exception {
    Coroutine<List<InetSocketAddress>> first = Coroutine.spawn(NamesCancellationTest::lookup);
    Coroutine<HostService> second = Coroutine.spawn(() -> Names.reverse(HTTP));
    for (int i = 0; i < pauses; i++) {
      Coroutine.pause();
    }
    first.cancel();
    second.cancel();
    for (Coroutine<?> each : List.of(first, second)) {
      try {
        each.await();
      } catch (CancellationException left) {
        // it was in time
      }
    }
    pauseUntilNothingIsUnderWay();
    assertEquals(List.of(HTTP), lookup());
  }

  @InLoop
  @Test
  void answerOfALookupThatWasResumedInsteadIsFreed() throws Exception {
    try (CallCount frees = new CallCount("uv_freeaddrinfo")) {
      Coroutine<List<InetSocketAddress>> waiting = Coroutine.spawn(NamesCancellationTest::lookup);
      Coroutine.pause();
      Coroutines.pauseUntilReady(waiting);

      assertThrows(Resumed.class, () -> waiting.resume());

      assertEquals(1, frees.get());
    }
  }

  @InLoop
  @Test
  void timeoutEndsTheWaitAndTheListIsFreedLater() throws Exception {
    try (CallCount frees = new CallCount("uv_freeaddrinfo")) {
      try {
        Time.timeout(Duration.ZERO, NamesCancellationTest::lookup);
      } catch (java.util.concurrent.TimeoutException expected) {
        // as it must
      }
      pauseUntilNothingIsUnderWay();
      assertEquals(1, frees.get());
    }
  }

  @Test
  void loopThatEndsWaitsForItsLookups() throws Exception {
    Loop loop = Loop.open();
    for (int i = 0; i < 10; i++) {
      loop.spawn(NamesCancellationTest::lookup);
      loop.spawn(() -> Names.resolving("127.0.0.1", "http").await());
    }
    loop.run(Mode.STEP);
    loop.close();
  }

  @InLoop
  @Test
  void everyCallThatFailsIsReported() throws Exception {
    try (var _ =
        NativeCalls.replace(
            "uv_getaddrinfo", NativeCalls.failing("uv_getaddrinfo", UvErrors.UV_ENOMEM))) {
      UvException thrown = assertThrows(UvException.class, NamesCancellationTest::lookup);
      assertEquals("ENOMEM", thrown.code());
      assertEquals("getaddrinfo", thrown.call());
      assertEquals("127.0.0.1:http", thrown.subject());
      assertThrows(UvException.class, () -> Names.canonical("somewhere"));
      Event<List<InetSocketAddress>> event = Names.resolving("127.0.0.1", "http");
      assertThrows(UvException.class, event::await);
    }
    try (var _ =
        NativeCalls.replace(
            "uv_getnameinfo", NativeCalls.failing("uv_getnameinfo", UvErrors.UV_ENOMEM))) {
      assertEquals("getnameinfo", assertThrows(UvException.class, () -> Names.service(80)).call());
      assertThrows(UvException.class, () -> Names.reverse(HTTP));
    }
    assertEquals(List.of(HTTP), lookup());
  }

  @InLoop
  @Test
  void lookupsCanBeSelectedAmong() throws Exception {
    Event<List<InetSocketAddress>> name = Names.resolving("127.0.0.1", "http");
    Event<List<InetSocketAddress>> known = Names.resolving("localhost", "80");
    try (var late = Time.after(Duration.ofHours(1))) {
      var first = Await.select(late, name);
      assertEquals(name, first.source());
      assertEquals(List.of(HTTP), name.await());
      assertTrue(name.isClosed());
      assertEquals(HTTP, known.await().getFirst());
      assertEquals(known, Await.select(known, late).source());
    }
  }

  @InLoop
  @Test
  void lookupThatNobodyAwaitsAnyMoreIsRevokedAndBeginsAnew() throws Exception {
    try (CallCount lookups = new CallCount("uv_getaddrinfo");
        CallCount frees = new CallCount("uv_freeaddrinfo")) {
      Event<List<InetSocketAddress>> name = Names.resolving("127.0.0.1", "http");
      assertEquals(0, lookups.get(), "it begins when it is awaited");
      Coroutine<List<InetSocketAddress>> waiting = Coroutine.spawn(() -> name.await());
      Coroutine.pause();
      waiting.cancel();
      assertThrows(CancellationException.class, waiting::await);
      assertFalse(name.isClosed());

      assertEquals(List.of(HTTP), name.await());

      pauseUntilNothingIsUnderWay();
      assertEquals(2, lookups.get());
      assertEquals(2, frees.get());
    }
  }

  @InLoop
  @Test
  void closedAndFailedEventsThrow() throws Exception {
    Event<List<InetSocketAddress>> closed = Names.resolving("127.0.0.1", "http");
    Coroutine<List<InetSocketAddress>> waiting = Coroutine.spawn(() -> closed.await());
    Coroutine.pause();
    closed.close();
    assertThrows(ClosedException.class, waiting::await);
    pauseUntilNothingIsUnderWay();

    Event<List<InetSocketAddress>> failed =
        Names.resolving(
            "::1", "80", ResolveOptions.DEFAULT.withFamily(java.net.StandardProtocolFamily.INET));
    assertThrows(UnknownHostException.class, failed::await);
    assertThrows(UnknownHostException.class, failed::await);
  }

  @Test
  void numberOfThreadsIsFixedOnceTheyHaveStarted() throws Exception {
    Loop.run(() -> lookup());

    assertThrows(IllegalStateException.class, () -> Loop.poolThreads(8));
    assertThrows(IllegalArgumentException.class, () -> Loop.poolThreads(0));
    assertThrows(IllegalArgumentException.class, () -> Loop.poolThreads(1025));
  }
}
