// SPDX-License-Identifier: Apache-2.0
package dev.couv.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Event;
import dev.couv.coro.Loop;
import dev.couv.coro.Mode;
import dev.couv.coro.Outcome;
import dev.couv.error.ClosedException;
import dev.couv.error.UvException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import dev.couv.uv.NativeCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class PollTest {
  private final List<Object> log = new ArrayList<>();

  private static void quiet(Event<?> event) {
    assertThrows(
        TimeoutException.class, () -> Time.timeout(Duration.ofMillis(5), () -> event.await()));
  }

  @InLoop
  @Test
  void itHappensWhenThereIsSomethingToRead() throws Exception {
    try (RawPair pair = new RawPair()) {
      try (PollEvent readable = Poll.on(pair.first(), Readiness.READABLE)) {
        quiet(readable);
        Coroutine.spawn(() -> RawPair.write(pair.second(), 3));

        assertEquals(Set.of(Readiness.READABLE), readable.await());
        assertEquals(Set.of(Readiness.READABLE), readable.await(), "as long as it is");
        assertEquals(3, RawPair.drain(pair.first()));
        quiet(readable);
      }
    }
  }

  @InLoop
  @Test
  void bothDirectionsOfOneDescriptorAreIndependent() throws Exception {
    try (RawPair pair = new RawPair()) {
      RawPair.fill(pair.first());
      try (PollEvent readable = Poll.on(pair.first(), Readiness.READABLE);
          PollEvent writable = Poll.on(pair.first(), Readiness.WRITABLE);
          PollEvent either = Poll.on(pair.first(), Readiness.READABLE, Readiness.WRITABLE)) {
        Coroutine<Set<Readiness>> reader = Coroutine.spawn(readable::await);
        Coroutine<Set<Readiness>> writer = Coroutine.spawn(writable::await);
        Coroutine<Set<Readiness>> both = Coroutine.spawn(either::await);
        quiet(either);

        RawPair.drain(pair.second());
        assertEquals(Set.of(Readiness.WRITABLE), writer.await());
        assertEquals(Set.of(Readiness.WRITABLE), both.await());
        assertFalse(reader.status().isEnded());
        RawPair.write(pair.second(), 1);
        assertEquals(Set.of(Readiness.READABLE), reader.await());
        assertEquals(Set.of(Readiness.READABLE, Readiness.WRITABLE), either.await());
      }
    }
  }

  @InLoop
  @Test
  @Behaviour("TA118")
  void someOfSeveralWaitersMayLeave() throws Exception {
    try (RawPair pair = new RawPair()) {
      List<PollEvent> events = new ArrayList<>();
      List<Coroutine<?>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        PollEvent event = Poll.on(pair.first(), Readiness.READABLE);
        events.add(event);
        readers.add(Coroutine.spawn(event::await));
      }
      assertEquals(1, Loop.current().stats().handles(), "they share one handle");
      Coroutine.pause();

      readers.get(0).cancel();
      readers.get(2).cancel();
      Coroutine.pause();
      RawPair.write(pair.second(), 1);
      pair.closeSecond();

      assertThrows(CancellationException.class, () -> readers.get(0).await());
      assertEquals(2, Await.all(readers.get(1), readers.get(3)).size());
      events.forEach(Event::close);
    }
  }

  /// One is told, and closes its neighbours while the others are being told.
  @InLoop
  @Test
  void aWaiterThatGoesWhileTheOthersAreToldDoesNotHideThem() throws Exception {
    try (RawPair pair = new RawPair()) {
      List<PollEvent> events = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        events.add(Poll.on(pair.first(), Readiness.READABLE));
      }
      List<Coroutine<?>> readers = new ArrayList<>();
      for (PollEvent event : events) {
        readers.add(
            Coroutine.spawn(
                () -> {
                  event.await();
                  event.close();
                  log.add("told");
                }));
      }
      Coroutine.pause();
      RawPair.write(pair.second(), 1);
      Await.all(readers);
      assertEquals(List.of("told", "told", "told"), log);
    }
  }

  @InLoop
  @Test
  void theOtherSidesEndIsToldToEverybody() throws Exception {
    try (RawPair pair = new RawPair()) {
      RawPair.fill(pair.first());
      try (PollEvent readable = Poll.on(pair.first(), Readiness.READABLE);
          PollEvent writable = Poll.on(pair.first(), Readiness.WRITABLE)) {
        Coroutine<List<Outcome<Set<Readiness>>>> both =
            Coroutine.spawn(() -> Await.settle(readable, writable));
        Coroutine.pause();

        pair.closeSecond();

        for (Outcome<Set<Readiness>> outcome : both.await()) {
          switch (outcome) {
            case Outcome.Value<Set<Readiness>>(var ready) ->
                assertTrue(ready.contains(Readiness.DISCONNECTED), ready.toString());
            case Outcome.Failure<Set<Readiness>>(var cause) ->
                assertTrue(cause instanceof UvException, cause.toString());
          }
        }
      }
    }
  }

  @InLoop
  @Test
  void itIsAMemberOfAWaitLikeAnyOther() throws Exception {
    try (RawPair pair = new RawPair()) {
      PollEvent readable = Poll.on(pair.first(), Readiness.READABLE);
      Event<?> timer = Time.after(Duration.ofMillis(2));
      assertSame(timer, Await.select(readable, timer).source());
      Coroutine.spawn(() -> RawPair.write(pair.second(), 1));
      assertSame(readable, Await.select(readable, Time.after(Duration.ofHours(1))).source());
      readable.close();
    }
  }

  /// While nobody waits the descriptor is not watched: bytes that nobody reads cost no turn of the loop.
  @InLoop
  @Test
  void nobodyWaitsAndNothingSpins() throws Exception {
    try (RawPair pair = new RawPair()) {
      PollEvent readable = Poll.on(pair.first(), Readiness.READABLE);
      RawPair.write(pair.second(), 1);
      readable.await();
      long before = Loop.current().stats().iterations();
      Time.sleep(Duration.ofMillis(20));
      assertTrue(Loop.current().stats().iterations() - before < 10);
      readable.close();
    }
  }

  @InLoop
  @Test
  void closingItWakesWhoWaitsAndClosesTheHandleWithTheLast() throws Exception {
    try (RawPair pair = new RawPair()) {
      PollEvent one = Poll.on(pair.first(), Readiness.READABLE);
      PollEvent two = Poll.on(pair.first(), Readiness.READABLE);
      Coroutine<?> waiting = Coroutine.spawn(one::await);
      Coroutine.pause();

      one.close();
      assertThrows(ClosedException.class, waiting::await);
      assertEquals(1, Loop.current().stats().handles());
      two.close();
      two.close();
      assertEquals(0, Loop.current().stats().handles());

      try (PollEvent again = Poll.on(pair.first(), Readiness.WRITABLE)) {
        assertEquals(Set.of(Readiness.WRITABLE), again.await());
      }
    }
  }

  /// The native half dies with the loop; the event is left, and can be closed or not.
  @Test
  void anEventOutlivesItsLoop() throws Exception {
    try (RawPair pair = new RawPair()) {
      Loop loop = Loop.open();
      Coroutine<PollEvent> made =
          loop.spawn(
              () -> {
                PollEvent event = Poll.on(pair.first(), Readiness.READABLE);
                event.start();
                Coroutine.spawn(event::await);
                return event;
              });
      loop.run(Mode.READY);
      PollEvent[] event = new PollEvent[1];
      loop.spawn(() -> event[0] = made.await());
      loop.run(Mode.READY);
      loop.close();

      event[0].close();
      assertTrue(event[0].isClosed());
      Loop.run(
          () -> {
            try (PollEvent other = Poll.on(pair.first(), Readiness.WRITABLE)) {
              other.await();
            }
          });
    }
  }

  @Test
  void theLoopStaysAliveForItUnlessItIsHidden() throws Exception {
    try (RawPair pair = new RawPair()) {
      assertThrows(
          Deadlock.class,
          () ->
              Loop.run(
                  () -> {
                    try (PollEvent hidden = Poll.on(pair.first(), Readiness.READABLE)) {
                      hidden.hidden(true);
                      hidden.await();
                    }
                  }));
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Thread.sleep(5);
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                    RawPair.write(pair.second(), 1);
                  });
      Loop.run(
          () -> {
            try (PollEvent readable = Poll.on(pair.first(), Readiness.READABLE)) {
              readable.await();
            }
          });
      writer.join();
    }
  }

  @Test
  void whatCannotBePolledIsRefused() throws Exception {
    Loop.run(
        () -> {
          assertThrows(IllegalArgumentException.class, () -> Poll.on(-1, Readiness.READABLE));
          assertThrows(IllegalArgumentException.class, () -> Poll.on(0));
          UvException closed =
              assertThrows(UvException.class, () -> Poll.on(65_000, Readiness.READABLE));
          assertEquals("EBADF", closed.code());
          assertTrue(closed.getMessage().contains("descriptor 65000"), closed.getMessage());
        });
    assertThrows(IllegalStateException.class, () -> Poll.on(0, Readiness.READABLE));
  }

  @InLoop
  @Test
  void aRefusalOfLibuvIsTheWaitersFailure() throws Exception {
    try (RawPair pair = new RawPair()) {
      try (PollEvent readable = Poll.on(pair.first(), Readiness.READABLE)) {
        try (var _ =
            NativeCalls.replace("uv_poll_start", NativeCalls.failing("uv_poll_start", -12))) {
          UvException refused = assertThrows(UvException.class, readable::await);
          assertEquals("ENOMEM", refused.code());
        }
        RawPair.write(pair.second(), 1);
        readable.await();
      }
      try (var _ = NativeCalls.replace("uv_poll_init", NativeCalls.failing("uv_poll_init", -12))) {
        assertThrows(IOException.class, () -> Poll.on(pair.first(), Readiness.READABLE));
      }
    }
  }
}
