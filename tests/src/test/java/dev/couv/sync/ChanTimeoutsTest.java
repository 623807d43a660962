// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.error.ClosedException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// Channels that close themselves when one end is left alone.
class ChanTimeoutsTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final TestClock clock = new TestClock();

  @Test
  @Behaviour("TA73")
  void receiversThatNobodySendsToAreAllTold() throws Exception {
    clock.run(
        () -> {
          Chan<Integer> chan = Chan.create(ChanOptions.of(0).withNoProducerTimeout(LIMIT));
          List<Coroutine<?>> receivers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            receivers.add(Coroutine.spawn(chan::receive));
          }
          for (Coroutine<?> receiver : receivers) {
            ClosedException closed = assertThrows(ClosedException.class, receiver::await);
            assertInstanceOf(TimeoutException.class, closed.getCause());
            assertTrue(closed.getMessage().contains("no producer"), closed::getMessage);
          }
          assertThrows(ClosedException.class, () -> chan.forEach(value -> {}));
          assertInstanceOf(TimeoutException.class, chan.closeReason());
        });

    assertEquals(LIMIT, clock.elapsed());
  }

  @Test
  @Behaviour("TA73")
  void trafficStartsTheTimeAnew() throws Exception {
    clock.run(
        () -> {
          Chan<Integer> chan = Chan.create(ChanOptions.of(0).withNoProducerTimeout(LIMIT));
          for (int i = 0; i < 3; i++) {
            Coroutine.spawn(() -> assertThrows(ClosedException.class, () -> chan.forEach(v -> {})));
          }
          for (int i = 0; i < 10; i++) {
            Time.sleep(LIMIT.dividedBy(2));
            chan.send(i);
          }
          assertFalse(chan.isClosed());
        });

    assertEquals(LIMIT.multipliedBy(6), clock.elapsed());
  }

  @Test
  void sendersThatNobodyReceivesFromAreToldAndKeepTheirValue() throws Exception {
    clock.run(
        () -> {
          Chan<Integer> chan = Chan.create(ChanOptions.of(1).withNoConsumerTimeout(LIMIT));
          chan.send(1);
          ClosedException closed = assertThrows(ClosedException.class, () -> chan.send(2));
          assertTrue(closed.getMessage().contains("no consumer"), closed::getMessage);
          assertEquals(List.of(1), chan.drain());
        });
  }

  @Test
  void aMemberOfASelectWaitsAsLong() throws Exception {
    clock.run(
        () -> {
          Chan<Integer> chan = Chan.create(ChanOptions.of(0).withNoProducerTimeout(LIMIT));
          assertThrows(
              ClosedException.class,
              () -> Await.select(chan.receiving(), Time.after(LIMIT.multipliedBy(2))));
        });

    assertEquals(LIMIT, clock.elapsed());
  }

  @Test
  void aWaitThatEndsInTimeLeavesNoTimerBehind() throws Exception {
    clock.run(
        () -> {
          Chan<Integer> chan =
              Chan.create(
                  ChanOptions.of(0).withNoProducerTimeout(LIMIT).withNoConsumerTimeout(LIMIT));
          Coroutine<Integer> receiver = Coroutine.spawn(chan::receive);
          Coroutine.pause();
          chan.send(1);
          assertEquals(1, receiver.await());
          Coroutine<?> left = Coroutine.spawn(chan::receive);
          Coroutine.pause();
          left.cancel();
        });

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void aPlainThreadWaitsAsLong() {
    Chan<Integer> chan =
        Chan.create(
            ChanOptions.of(0)
                .withNoProducerTimeout(Duration.ofMillis(20))
                .withNoConsumerTimeout(Duration.ofMillis(20)));
    long start = System.nanoTime();
    assertThrows(ClosedException.class, chan::receive);
    assertTrue(System.nanoTime() - start >= 20_000_000);
    assertThrows(ClosedException.class, () -> chan.send(1));
  }

  @Test
  void aTimeoutIsPositive() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ChanOptions.of(0).withNoProducerTimeout(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class,
        () -> ChanOptions.of(0).withNoConsumerTimeout(Duration.ofMillis(-1)));
    assertEquals(
        Long.MAX_VALUE / 2 / 1_000_000_000L,
        new Passage<>(
                    ChanOptions.of(0).withNoProducerTimeout(Duration.ofSeconds(Long.MAX_VALUE)),
                    null,
                    null)
                .patience(Endpoint.IN)
            / 1_000_000_000L);
  }
}
