// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.error.ClosedException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// A pool of things that can be used again.
class ResourcesTest {
  /// A resource that tells what becomes of it.
  private final class Thing implements AutoCloseable {
    private final int number = ++made;
    private boolean usable = true;

    @Override
    public void close() {
      log.add("closed " + number);
    }

    @Override
    public String toString() {
      return "thing " + number;
    }
  }

  private final List<Object> log = new ArrayList<>();
  private int made;

  private ResourcePlan<Thing> things(int max) {
    return Resources.of(() -> new Thing()).max(max);
  }

  @InLoop
  @Test
  void whatIsGivenBackIsUsedAgain() throws Exception {
    Resources<Thing> things = things(2).open();
    assertEquals(0, things.size(), "nothing is made before it is needed");
    Thing first;
    try (Lease<Thing> lease = things.acquire()) {
      first = lease.resource();
      assertEquals(1, things.leased());
    }
    assertEquals(1, things.idle());

    assertSame(first, things.use(thing -> thing));

    things.close();
    assertEquals(List.of("closed 1"), log);
  }

  @Test
  @Behaviour("TA89")
  void aSlowFactoryMakesNoMoreThanTheLimit() throws Exception {
    new TestClock()
        .run(
            () -> {
              Resources<Thing> things =
                  Resources.of(
                          () -> {
                            Time.sleep(Duration.ofSeconds(1));
                            return new Thing();
                          })
                      .max(3)
                      .open();
              List<Coroutine<?>> users = new ArrayList<>();
              for (int i = 0; i < 10; i++) {
                users.add(
                    Coroutine.spawn(
                        () ->
                            things.use(
                                thing -> {
                                  Time.sleep(Duration.ofSeconds(1));
                                  return thing;
                                })));
              }
              Await.all(users);

              assertEquals(3, made);
              assertEquals(3, things.size());
              things.close();
            });
  }

  @InLoop
  @Test
  void oneGivenBackIsTheLongestWaitersAndNobodySlipsIn() throws Exception {
    Resources<Thing> things = things(1).open();
    Lease<Thing> lease = things.acquire();
    for (int i = 0; i < 3; i++) {
      int number = i;
      Coroutine.spawn(() -> things.use(thing -> log.add(number)));
    }
    Coroutine.pause();
    assertEquals(3, things.waiting());

    lease.close();
    lease.close();
    assertNull(things.tryAcquire(), "it is reserved");
    things.acquire().close();

    assertEquals(List.of(0, 1, 2), log);
    things.close();
  }

  @InLoop
  @Test
  @Behaviour("TA90")
  void aResourceReservedForOneWhoLeavesIsTheNextOnes() throws Exception {
    Resources<Thing> things = things(1).open();
    Lease<Thing> lease = things.acquire();
    Coroutine<?> resumed = Coroutine.spawn(() -> assertThrows(Resumed.class, things::acquire));
    Coroutine<?> cancelled = Coroutine.spawn(() -> things.use(thing -> log.add("wrong")));
    Coroutine<Thing> next = Coroutine.spawn(() -> things.use(thing -> thing));
    Coroutine.pause();

    lease.close();
    resumed.resume();
    cancelled.cancel("too late: it has it, and gives it back");
    assertEquals(1, next.await().number);

    assertEquals(1, things.idle());
    things.close();
    assertEquals(List.of("wrong", "closed 1"), log);
  }

  @InLoop
  @Test
  void closingWhileOneIsReservedGivesItUpExactlyOnce() throws Exception {
    Resources<Thing> things = things(1).open();
    Lease<Thing> lease = things.acquire();
    Coroutine<?> reserved = Coroutine.spawn(() -> things.use(thing -> log.add("used")));
    Coroutine<?> waiting = Coroutine.spawn(() -> things.use(thing -> log.add("wrong")));
    Coroutine.pause();

    lease.close();
    things.close();
    things.close();

    assertThrows(ClosedException.class, waiting::await);
    reserved.await();
    assertEquals(List.of("used", "closed 1"), log);
    assertEquals(0, things.size());
  }

  @InLoop
  @Test
  @Behaviour("TA91")
  void aSurplusCanBeTakenAtOnce() throws Exception {
    Resources<Thing> things = things(3).open();
    List<Lease<Thing>> leases = List.of(things.acquire(), things.acquire(), things.acquire());
    Coroutine<?> waiter = Coroutine.spawn(() -> things.use(thing -> log.add("waiter")));
    Coroutine.pause();

    leases.forEach(Lease::close);
    try (Lease<Thing> surplus = things.tryAcquire()) {
      assertNotNull(surplus);
      assertEquals(1, things.idle());
    }
    waiter.await();
    things.close();
  }

  @Test
  @Behaviour("TA93")
  void acquiringEndsInTimeAndIsRefusedByAClosedPool() throws Exception {
    new TestClock()
        .run(
            () -> {
              Resources<Thing> things = things(1).open();
              Lease<Thing> lease = things.acquire();

              assertThrows(TimeoutException.class, () -> things.acquire(Duration.ofMillis(50)));
              assertEquals(0, things.waiting());
              things.close();

              assertThrows(ClosedException.class, things::acquire);
              assertNull(things.tryAcquire());
              assertEquals(List.of(), log);
              lease.close();
              assertEquals(List.of("closed 1"), log);
              assertTrue(things.isClosed());
            });
  }

  @InLoop
  @Test
  @Behaviour("TA94")
  void disposalsThatFailDoNotStopTheClosing() throws Exception {
    Resources<Thing> things =
        things(3)
            .disposal(
                thing -> {
                  log.add(thing.number);
                  throw new IOException("thing " + thing.number);
                })
            .open();
    List.of(things.acquire(), things.acquire(), things.acquire()).forEach(Lease::close);

    IllegalStateException thrown = assertThrows(IllegalStateException.class, things::close);

    assertEquals(List.of(1, 2, 3), log);
    assertEquals(IOException.class, thrown.getCause().getClass());
    assertEquals(2, thrown.getSuppressed().length);
    assertEquals(0, things.size());
  }

  @InLoop
  @Test
  @Behaviour("TA95")
  void closingDuringAnExceptionKeepsThatException() throws Exception {
    IOException first = new IOException("first");
    IOException thrown =
        assertThrows(
            IOException.class,
            () -> {
              try (Resources<Thing> things =
                  things(1)
                      .disposal(
                          thing -> {
                            throw new IllegalStateException("disposal");
                          })
                      .open()) {
                things.acquire().close();
                throw first;
              }
            });

    assertSame(first, thrown);
    assertEquals(1, first.getSuppressed().length);
  }

  @InLoop
  @Test
  void aFactoryThatFailsFreesThePlaceForTheNext() throws Exception {
    int[] calls = new int[1];
    Resources<Thing> things =
        Resources.of(
                () -> {
                  Coroutine.pause();
                  if (calls[0]++ == 0) {
                    throw new IOException("at first");
                  }
                  return new Thing();
                })
            .max(1)
            .open();
    Coroutine<?> unlucky = Coroutine.spawn(() -> things.acquire());
    Coroutine<Thing> next = Coroutine.spawn(() -> things.use(thing -> thing));

    assertThrows(IOException.class, unlucky::await);
    assertEquals(1, next.await().number);
    things.close();
  }

  @InLoop
  @Test
  void oneWhoIsCancelledWhileItIsMadeFreesThePlaceForTheNext() throws Exception {
    Gate slow = new Gate();
    Resources<Thing> things =
        Resources.of(
                () -> {
                  slow.await();
                  return new Thing();
                })
            .max(1)
            .open();
    Coroutine<?> cancelled = Coroutine.spawn(() -> things.acquire());
    Coroutine<Thing> next = Coroutine.spawn(() -> things.use(thing -> thing));
    Coroutine.pause();
    cancelled.cancel();
    slow.open();

    assertEquals(1, next.await().number);
    assertThrows(CancellationException.class, cancelled::await);
    assertEquals(1, things.size());
    things.close();
  }

  @InLoop
  @Test
  void whatIsMadeAfterTheClosingIsGivenUpAtOnce() throws Exception {
    Gate slow = new Gate();
    Resources<Thing> things =
        Resources.of(
                () -> {
                  slow.await();
                  return new Thing();
                })
            .open();
    Coroutine<?> late = Coroutine.spawn(() -> things.acquire());
    Coroutine.pause();
    things.close();
    slow.open();

    assertThrows(ClosedException.class, late::await);
    assertEquals(List.of("closed 1"), log);
    assertEquals(0, things.size());
  }

  @InLoop
  @Test
  void oneThatIsDiscardedIsGivenUpAndReplaced() throws Exception {
    Resources<Thing> things = things(1).open();
    Coroutine<Thing> waiter;
    try (Lease<Thing> lease = things.acquire()) {
      waiter = Coroutine.spawn(() -> things.use(thing -> thing));
      Coroutine.pause();
      lease.discard();
    }

    assertEquals(2, waiter.await().number);
    assertEquals(List.of("closed 1"), log);
    things.close();
  }

  @InLoop
  @Test
  void anIdleOneThatFailsItsCheckIsReplacedWithoutLosingOnesTurn() throws Exception {
    Resources<Thing> things =
        things(1)
            .check(
                thing -> {
                  Coroutine.pause();
                  if (thing.number == 2) {
                    throw new IOException("cannot even be asked");
                  }
                  return thing.usable;
                })
            .open();
    things.use(thing -> thing.usable = false);
    Coroutine<Integer> first = Coroutine.spawn(() -> things.use(thing -> thing.number));
    Coroutine<Integer> second = Coroutine.spawn(() -> things.use(thing -> thing.number));

    assertEquals(2, first.await());
    assertEquals(3, second.await(), "one that is handed over is checked, too");
    assertEquals(3, things.<Integer>use(thing -> thing.number));
    assertEquals(List.of("closed 1", "closed 2"), log);
    things.close();
  }

  @InLoop
  @Test
  void cancelledDuringTheCheckTheResourceStays() throws Exception {
    Gate gate = new Gate();
    Resources<Thing> things =
        things(1)
            .check(
                thing -> {
                  gate.await();
                  return true;
                })
            .open();
    things.acquire().close();
    Coroutine<?> cancelled = Coroutine.spawn(() -> things.acquire());
    Coroutine.pause();
    cancelled.cancel();
    assertThrows(CancellationException.class, cancelled::await);

    assertEquals(1, things.idle());
    gate.open();
    assertEquals(1, things.<Integer>use(thing -> thing.number));
    things.close();
  }

  @Test
  void misuseIsRefused() throws Exception {
    assertThrows(IllegalStateException.class, () -> things(1).open());
    assertThrows(IllegalArgumentException.class, () -> things(0));
    Loop.run(
        () -> {
          assertThrows(IllegalArgumentException.class, () -> things(1).min(2).open());
          assertThrows(IllegalArgumentException.class, () -> things(1).idleAtMost(Duration.ZERO));
          Resources<Thing> things = things(1).open();
          Lease<Thing> lease = things.acquire();
          Loop.offload(
              () -> {
                assertThrows(IllegalStateException.class, lease::close);
                assertThrows(IllegalStateException.class, things::tryAcquire);
                assertThrows(IllegalStateException.class, things::close);
                return null;
              });
          lease.close();
          assertThrows(IllegalStateException.class, lease::resource);
          assertNotSame(lease, things.tryAcquire());
          things.close();
        });
  }

  @Test
  void oneThatIsHandedToSomebodyWhoLeavesAClosedPoolIsGivenUp() throws Exception {
    List<String> given = new ArrayList<>();
    Loop.run(
        () -> {
          Resources<String> pool = Resources.of(() -> "r").max(1).disposal(given::add).open();
          Lease<String> lease = pool.acquire();
          var waiter =
              Coroutine.spawn(
                  () -> {
                    assertThrows(Resumed.class, pool::acquire);
                  });
          Coroutine.pause();
          lease.close(); // it is the waiter's, who has not run

          pool.close();
          waiter.resume();
          Coroutine.pause();

          assertEquals(0, pool.size());
        });

    assertEquals(List.of("r"), given);
  }

  @Test
  void oneWhoseCheckIsCancelledInAClosedPoolIsGivenUp() throws Exception {
    List<String> given = new ArrayList<>();
    Loop.run(
        () -> {
          Gate gate = new Gate();
          Resources<String> pool =
              Resources.of(() -> "r")
                  .max(1)
                  .check(
                      resource -> {
                        gate.await();
                        return true;
                      })
                  .disposal(given::add)
                  .open();
          pool.acquire().close();
          var checking = Coroutine.spawn(() -> pool.acquire());
          Coroutine.pause();

          pool.close();
          checking.cancel();
          Coroutine.pause();
          Coroutine.pause();

          assertEquals(0, pool.size());
        });

    assertEquals(List.of("r"), given);
  }
}
