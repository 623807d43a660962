// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.fs.Watch;
import dev.couv.poll.PollEvent;
import dev.couv.process.Child;
import dev.couv.signal.SignalWatch;
import dev.couv.strand.Suspension;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class EventTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  /// Logs what is asked of it.
  private class Bell extends Emitter<String> {
    private boolean passes = true;

    @Override
    protected void onStart() {
      log.add("start");
    }

    @Override
    protected void onStop() {
      log.add("stop");
    }

    @Override
    protected void onDispose() {
      log.add("dispose");
    }

    @Override
    protected boolean intercept(String value, Throwable error) {
      return passes;
    }

    @Override
    public String toString() {
      return "bell";
    }
  }

  // ---- awaiting

  @InLoop
  @Test
  void everybodyWhoAwaitsIsToldInOrder() throws Exception {
    Bell bell = new Bell();
    for (int i = 0; i < 3; i++) {
      int number = i;
      Coroutine.spawn(() -> log.add(number + bell.await()));
    }
    Coroutine.pause();

    bell.fire("ding", null);
    Coroutine.pause();

    assertEquals(List.of("start", "stop", "0ding", "1ding", "2ding"), log);
    bell.close();
  }

  @InLoop
  @Test
  void anErrorIsThrownToThem() throws Exception {
    IOException failure = new IOException("broken");
    Bell bell = new Bell();
    Coroutine<?> awaiting =
        Coroutine.spawn(() -> assertSame(failure, assertThrows(IOException.class, bell::await)));
    Coroutine.pause();

    bell.fire(null, failure);
    awaiting.await();
  }

  @Test
  void aFiringThatNobodyAwaitsIsForgotten() throws Exception {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  Bell bell = new Bell();
                  bell.fire("unheard", null);
                  bell.await();
                }));
  }

  @InLoop
  @Test
  void theLastFiringStaysForThoseWhoComeLater() throws Exception {
    Bell bell = new Bell();
    bell.fireAndClose("dong", null);

    assertEquals("dong", bell.await());
    assertEquals("dong", bell.await());
    bell.subscribe((value, _) -> log.add(value));
    assertEquals(List.of("dong"), log);
    assertTrue(bell.isClosed());
    bell.close();
    assertEquals("dong", bell.await());
    assertEquals(List.of("dong", "dispose"), log);
  }

  @InLoop
  @Test
  void aMissingCallbackIsRefusedAtOnce() throws Exception {
    Bell bell = new Bell();
    assertThrows(NullPointerException.class, () -> bell.subscribe(null));
    bell.fire("ding", null);
    bell.close();
  }

  @InLoop
  @Test
  void closingThrowsToThoseWhoWait() throws Exception {
    Bell bell = new Bell();
    Coroutine<?> awaiting =
        Coroutine.spawn(
            () -> {
              ClosedException closed = assertThrows(ClosedException.class, bell::await);
              assertTrue(closed.getMessage().contains("bell"), closed.getMessage());
            });
    Coroutine.pause();

    bell.close();
    bell.close();
    awaiting.await();

    assertEquals(List.of("start", "stop", "dispose"), log);
    assertThrows(ClosedException.class, bell::await);
    assertThrows(ClosedException.class, () -> bell.fire("x", null));
    assertThrows(ClosedException.class, () -> bell.fireAndClose("x", null));
    assertThrows(ClosedException.class, () -> bell.subscribe((_, _) -> log.add("told")));
    assertThrows(ClosedException.class, bell::retain);
  }

  @InLoop
  @Test
  void cancellingOneAwaiterLeavesTheOthers() throws Exception {
    Bell bell = new Bell();
    Coroutine<?> first = Coroutine.spawn(() -> log.add("first " + bell.await()));
    Coroutine<?> second = Coroutine.spawn(() -> log.add("second " + bell.await()));
    Coroutine.pause();

    first.cancel();
    Coroutine.pause();
    bell.fire("ding", null);
    second.await();

    assertThrows(CancellationException.class, first::await);
    assertEquals(List.of("start", "stop", "second ding"), log);
  }

  @InLoop
  @Test
  void aResumedAwaiterIsNotToldLater() throws Exception {
    Bell bell = new Bell();
    Coroutine<?> awaiting =
        Coroutine.spawn(
            () -> {
              log.add(assertThrows(Resumed.class, bell::await).values());
              log.add(Coroutine.halt());
            });
    Coroutine.pause();

    awaiting.resume(1);
    bell.fire("unheard", null);
    Coroutine.pause();
    awaiting.resume("halted");

    assertEquals(List.of("start", "stop", List.of(1), "halted"), log);
  }

  // ---- starting and holding

  @InLoop
  @Test
  void startsAreCounted() throws Exception {
    Bell bell = new Bell();
    bell.start();
    bell.start();
    bell.stop();
    assertEquals(List.of("start"), log);
    bell.stop();
    assertEquals(List.of("start", "stop"), log);
    bell.stop(); // one too many
    bell.start();
    assertEquals(List.of("start", "stop", "start"), log);
    bell.close();
    assertEquals(List.of("start", "stop", "start", "stop", "dispose"), log);
    bell.start();
    bell.stop();
    assertEquals(5, log.size());
  }

  @InLoop
  @Test
  void holdersAreCounted() throws Exception {
    Bell bell = new Bell();
    Event.Hold hold = bell.retain();

    bell.close();
    assertFalse(bell.isClosed());
    hold.close();
    assertTrue(bell.isClosed());
    assertEquals(List.of("dispose"), log);
  }

  @InLoop
  @Test
  void aHolderThatClosesTwiceClosesItUnderNobody() throws Exception {
    Bell bell = new Bell();
    Event.Hold first = bell.retain();
    Event.Hold second = bell.retain();

    first.close();
    first.close();
    bell.close();
    bell.close();
    assertTrue(first.isClosed());
    assertFalse(second.isClosed());
    assertFalse(bell.isClosed());

    second.close();
    second.close();
    assertTrue(bell.isClosed());
    assertEquals(List.of("dispose"), log);
  }

  /// A signal, a change of a file, the end of a process: only the system makes them happen.
  @Test
  void eventsOfTheSystemCannotBeForged() {
    List<Class<?>> events =
        List.of(
            Event.class,
            Trigger.class,
            SignalWatch.class,
            Watch.class,
            Child.class,
            PollEvent.class);
    for (Class<?> type : events) {
      for (Method method : type.getMethods()) {
        assertFalse(method.getName().matches("fire.*|settle.*"), method::toString);
      }
    }
    for (Method method : Suspension.class.getMethods()) {
      assertFalse(List.of(method.getParameterTypes()).contains(Event.class), method::toString);
    }
  }

  @InLoop
  @Test
  void anEventThatHappensWhileItIsArmedNeedsNoWait() throws Exception {
    Event<String> eager =
        new Emitter<>() {
          @Override
          protected void onStart() {
            try {
              fire("at once", null);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        };

    assertEquals("at once", eager.await());
    assertEquals("at once", eager.await());
  }

  @InLoop
  @Test
  void anEventThatCannotBeArmedStaysUsable() throws Exception {
    boolean[] broken = {true};
    Event<String> moody =
        new Emitter<>() {
          @Override
          protected void onStart() {
            log.add("start");
            if (broken[0]) {
              throw new IllegalStateException("not now");
            }
          }

          @Override
          protected void onStop() {
            log.add("stop");
          }
        };
    assertThrows(IllegalStateException.class, moody::await);

    broken[0] = false;
    Coroutine<?> awaiting = Coroutine.spawn(() -> log.add(moody.await()));
    Coroutine.pause();
    moody.fire("ding", null);
    awaiting.await();

    assertEquals(List.of("start", "start", "stop", "ding"), log);
  }

  /// Disarming is user code: it runs in a coroutine, and what it throws goes to that.
  @Test
  void aTimeoutDisarmsInTheCoroutineThatWaited() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Event<String> talkative =
              new Emitter<>() {
                @Override
                protected void onStop() {
                  Coroutine.spawn(() -> log.add("spawned by onStop"));
                  log.add(Coroutine.current().name());
                }
              };

          assertThrows(
              TimeoutException.class, () -> Time.timeout(Duration.ofSeconds(1), talkative::await));

          assertEquals(List.of("main"), log);
          Coroutine.pause();
          assertEquals(List.of("main", "spawned by onStop"), log);
        });
  }

  @InLoop
  @Test
  void aDisarmingThatThrowsDoesNotKeepAnAwaiterAsleep() throws Exception {
    Event<String> stubborn =
        new Emitter<>() {
          @Override
          protected void onStop() {
            throw new IllegalStateException("no");
          }
        };
    Coroutine<?> first = Coroutine.spawn(() -> log.add(stubborn.await()));
    Coroutine<?> second = Coroutine.spawn(() -> log.add(stubborn.await()));
    Coroutine.pause();

    assertThrows(IllegalStateException.class, () -> stubborn.fire("ding", null));
    first.await();
    second.await();
    assertEquals(List.of("ding", "ding"), log);

    Coroutine<?> cancelled = Coroutine.spawn(() -> log.add(stubborn.await()));
    Coroutine.pause();
    assertTrue(cancelled.cancel());
    assertThrows(IllegalStateException.class, cancelled::await);
  }

  // ---- callbacks

  @InLoop
  @Test
  void callbacksHearOfEveryFiring() throws Exception {
    Bell bell = new Bell();
    Event.Callback<String> callback = (value, error) -> log.add(value + error);
    bell.subscribe(callback);

    bell.fire("a", null);
    bell.fire("b", null);
    assertTrue(bell.unsubscribe(callback));
    assertFalse(bell.unsubscribe(callback));
    bell.fire("c", null);

    assertEquals(List.of("anull", "bnull"), log);
  }

  @InLoop
  @Test
  void callbacksMayChangeWhoIsTold() throws Exception {
    Bell bell = new Bell();
    Event.Callback<String> removed = (_, _) -> log.add("removed");
    bell.subscribe(
        (_, _) -> {
          log.add("first");
          bell.unsubscribe(removed);
          bell.subscribe((_, _) -> log.add("added"));
        });
    bell.subscribe(removed);

    bell.fire("a", null);
    assertEquals(List.of("first"), log);
    bell.fire("b", null);
    assertEquals(List.of("first", "first", "added"), log);
  }

  @InLoop
  @Test
  void aCallbackThatClosesTheEventEndsTheNotification() throws Exception {
    Bell bell = new Bell();
    bell.subscribe((_, _) -> bell.close());
    bell.subscribe((_, _) -> log.add("told"));

    bell.fire("a", null);

    assertEquals(List.of("dispose"), log);
  }

  @InLoop
  @Test
  void whatCallbacksThrowComesAtTheEnd() throws Exception {
    Bell bell = new Bell();
    bell.subscribe(
        (_, _) -> {
          throw new IOException("first");
        });
    bell.subscribe(
        (_, _) -> {
          throw new IllegalStateException("second");
        });
    bell.subscribe((_, _) -> log.add("told"));

    IOException thrown = assertThrows(IOException.class, () -> bell.fire("a", null));

    assertEquals("first", thrown.getMessage());
    assertEquals("second", thrown.getSuppressed()[0].getMessage());
    assertEquals(List.of("told"), log);
  }

  @InLoop
  @Test
  void anInterceptedFiringReachesNobody() throws Exception {
    Bell bell = new Bell();
    bell.subscribe((value, _) -> log.add(value));
    bell.passes = false;
    bell.fire("swallowed", null);
    bell.fireAndClose("swallowed", null);
    assertFalse(bell.isClosed());
    bell.passes = true;
    bell.fire("told", null);

    assertEquals(List.of("told"), log);
  }

  // ---- misuse

  @Test
  void itCanBeMadeOnlyInACoroutine() {
    IllegalStateException refused = assertThrows(IllegalStateException.class, Bell::new);

    assertTrue(refused.getMessage().contains("coroutine"), refused.getMessage());
  }

  @Test
  void itBelongsToItsLoop() throws Exception {
    try (RunningLoop running = new RunningLoop()) {
      Bell theirs = running.loop.submit(Bell::new).get();

      Loop.run(
          () -> {
            for (Action use :
                List.<Action>of(
                    theirs::await,
                    theirs::start,
                    theirs::stop,
                    theirs::close,
                    theirs::retain,
                    () -> theirs.fire("x", null),
                    () -> theirs.fireAndClose("x", null),
                    () -> theirs.subscribe((_, _) -> log.add("told")),
                    () -> theirs.unsubscribe((_, _) -> log.add("told")))) {
              IllegalStateException refused =
                  assertThrows(IllegalStateException.class, () -> use.run());
              assertTrue(refused.getMessage().contains("bell"), refused.getMessage());
            }
          });
    }

    assertEquals(List.of(), log);
  }

  @InLoop
  @Test
  void theDumpNamesTheEventThatIsAwaited() throws Exception {
    Bell bell = new Bell();
    Coroutine<?> awaiting = Coroutine.spawn(() -> bell.await()).named("listener");
    Coroutine.pause();

    assertTrue(Loop.current().dump().contains("listener SUSPENDED, awaiting bell"));
    awaiting.cancel();
  }

  /// A timeout of an hour on an event: nothing else keeps this loop alive.
  @Test
  void aDeadlineKeepsTheLoopAliveAndTheEventDoesNot() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Bell bell = new Bell();
          assertThrows(TimeoutException.class, () -> Time.timeout(HOUR, bell::await));
        });
  }
}
