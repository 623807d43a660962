// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Callbacks that do what they should not, and events that do not keep the loop.
class EventCallbacksTest {
  private final List<Object> log = new ArrayList<>();

  private static class Bell extends Emitter<String> {}

  private Event.Callback<String> logs(String name) {
    return (value, _) -> log.add(name + value);
  }

  /// A swap-with-last list tells B twice and never D.
  @InLoop
  @Test
  void removingAnEarlierOneTellsTheRestOnce() throws Exception {
    Bell bell = new Bell();
    Event.Callback<String> a = logs("a");
    bell.subscribe(a);
    bell.subscribe(
        (value, _) -> {
          log.add("b" + value);
          bell.unsubscribe(a);
        });
    bell.subscribe(logs("c"));
    bell.subscribe(logs("d"));

    bell.fire("1", null);
    bell.fire("2", null);

    assertEquals(List.of("a1", "b1", "c1", "d1", "b2", "c2", "d2"), log);
  }

  @InLoop
  @Test
  void oneThatRemovesItselfIsToldOnce() throws Exception {
    Bell bell = new Bell();
    bell.subscribe(
        new Event.Callback<>() {
          @Override
          public void fired(String value, Throwable error) {
            log.add("once" + value);
            assertTrue(bell.unsubscribe(this));
          }
        });
    bell.subscribe(logs("rest"));

    bell.fire("1", null);
    bell.fire("2", null);

    assertEquals(List.of("once1", "rest1", "rest2"), log);
  }

  /// The notification inside is not dropped, and does not replace the one around it.
  @InLoop
  @Test
  void firingAgainTellsEverybodyOfThatFirst() throws Exception {
    Bell bell = new Bell();
    bell.subscribe(
        (value, _) -> {
          log.add("a" + value);
          if (value.equals("1")) {
            bell.fire("2", null);
          }
        });
    bell.subscribe(logs("b"));

    bell.fire("1", null);

    assertEquals(List.of("a1", "a2", "b2", "b1"), log);
  }

  @InLoop
  @Test
  void firingForTheLastTimeFromACallbackTellsEverybodyOfBoth() throws Exception {
    Bell bell = new Bell();
    bell.subscribe(
        (value, _) -> {
          log.add("a" + value);
          if (value.equals("1")) {
            bell.fireAndClose("2", null);
          }
        });
    bell.subscribe(logs("b"));

    bell.fire("1", null);

    assertEquals(List.of("a1", "a2", "b2", "b1"), log);
    assertEquals("2", bell.await());
  }

  @InLoop
  @Test
  void oneSubscribedTwiceIsToldTwiceAndRemovedOnceAtATime() throws Exception {
    Bell bell = new Bell();
    Event.Callback<String> twice = logs("x");
    bell.subscribe(twice);
    bell.subscribe(logs("y"));
    bell.subscribe(twice);

    bell.fire("1", null);
    assertTrue(bell.unsubscribe(twice));
    bell.fire("2", null);
    assertTrue(bell.unsubscribe(twice));
    assertFalse(bell.unsubscribe(twice));

    assertEquals(List.of("x1", "y1", "x1", "y2", "x2"), log);
  }

  @InLoop
  @Test
  void oneThatAwaitsHoldsUpTheRest() throws Exception {
    Bell bell = new Bell();
    bell.subscribe(
        (value, _) -> {
          Coroutine.pause();
          log.add("slow" + value);
        });
    bell.subscribe(logs("next"));
    Coroutine<?> firing = Coroutine.spawn(() -> bell.fire("1", null));
    Coroutine<?> listening = Coroutine.spawn(() -> log.add("awaited" + bell.await()));
    Coroutine.pause();
    bell.fire("2", null);
    Await.all(firing, listening);

    assertEquals(
        List.of("slow1", "next1", "slow2", "next2"),
        log.stream().filter(entry -> !entry.toString().startsWith("awaited")).toList());
  }

  @InLoop
  @Test
  void theFirstExceptionComesAtTheEndAlsoOfTheLastFiring() throws Exception {
    Bell bell = new Bell();
    Coroutine<String> awaiting = Coroutine.spawn(bell::await);
    bell.subscribe(
        (_, _) -> {
          throw new IOException("first");
        });
    bell.subscribe(
        (_, _) -> {
          throw new AssertionError("second");
        });
    bell.subscribe(logs("told"));
    Coroutine.pause();

    IOException thrown = assertThrows(IOException.class, () -> bell.fireAndClose("1", null));

    assertEquals("first", thrown.getMessage());
    assertEquals("second", thrown.getSuppressed()[0].getMessage());
    assertEquals(List.of("told1"), log);
    assertEquals("1", awaiting.await());
    assertTrue(bell.isClosed());
  }

  @InLoop
  @Test
  void aLateSubscriberIsToldTheOutcomeAtOnce() throws Exception {
    IOException failure = new IOException("failed");
    Bell failed = new Bell();
    failed.fireAndClose(null, failure);

    failed.subscribe((value, error) -> log.add(error));
    assertEquals(List.of(failure), log);
    assertSame(failure, assertThrows(IOException.class, failed::await));
    assertThrows(ClosedException.class, () -> failed.fire("again", null));
    failed.close();
    assertSame(failure, assertThrows(IOException.class, failed::await));
  }

  /// The interceptor turns one thing into another, or closes the event under the firing.
  @InLoop
  @Test
  void anInterceptorMaySwallowReplaceOrClose() throws Exception {
    Event<Integer> event =
        new Emitter<>() {
          @Override
          protected boolean intercept(Integer value, Throwable error) {
            if (value == null || value % 2 == 0) {
              return true;
            }
            if (value == 9) {
              close();
              return true;
            }
            try {
              fire(value * 2, null);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
            return false;
          }
        };
    event.subscribe((value, _) -> log.add(value));

    event.fire(2, null);
    event.fire(3, null);
    event.fireAndClose(9, null);

    assertEquals(List.of(2, 6), log);
    assertTrue(event.isClosed());
    assertThrows(ClosedException.class, event::await);
  }

  /// Firings that the runtime sees on the loop's thread are told one after the other, even if a callback
  /// waits.
  @InLoop
  @Test
  void firingsFromOutsideAreToldInOrder() throws Exception {
    Trigger<Integer> trigger = new Trigger<>();
    trigger.subscribe(
        (value, _) -> {
          log.add("begin " + value);
          if (value == 1) {
            Loop.offload(() -> trigger.trigger(2));
            Loop.offload(() -> 0);
          }
          log.add("end " + value);
        });
    trigger.start();
    trigger.trigger(1);
    while (log.size() < 4) {
      Loop.offload(() -> 0);
    }

    assertEquals(List.of("begin 1", "end 1", "begin 2", "end 2"), log);
    trigger.close();
  }

  // ---- liveness

  @Test
  @Behaviour("TA57")
  void hiddenTimersDoNotKeepTheProgram() {
    Loop loop = Loop.open();
    loop.spawn(
        () -> {
          Time.after(Duration.ofHours(1)).hidden(true).start();
          Event<?> other = Time.after(Duration.ofHours(1));
          other.start();
          other.hidden(true);
        });

    assertFalse(loop.run(Mode.LOOP), "returns at once: there is nothing to wait for");
    loop.spawn(() -> Time.after(Duration.ofHours(1)).start());
    assertTrue(loop.run(Mode.READY), "but for this one it would");
    loop.close();
  }

  @Test
  void aTimerThatIsShownAgainKeepsTheLoop() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Event<?> timer = Time.after(Duration.ofHours(1)).hidden(true);
          Coroutine.spawn(
              () -> {
                timer.await();
                log.add("rang");
              });
          Coroutine.pause();
          timer.hidden(false);
        });
    assertEquals(List.of("rang"), log);
  }

  @Test
  void aHiddenTimerRingsWhileSomethingElseKeepsTheLoop() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Event<?> hidden = Time.after(Duration.ofMinutes(1)).hidden(true);
          hidden.subscribe((_, _) -> log.add("rang"));
          hidden.start();
          Time.sleep(Duration.ofHours(1));
        });
    assertEquals(List.of("rang"), log);
  }

  @Test
  void onlyAHiddenTimerIsADeadlock() {
    assertThrows(
        Deadlock.class, () -> Loop.run(() -> Time.after(Duration.ofHours(1)).hidden(true).await()));
  }

  /// Stopped twice by two who leave, or closed while started: the counts stay right.
  @Test
  void theCountsOfStartsAreExact() throws Exception {
    Loop loop = Loop.open();
    loop.spawn(
        () -> {
          Trigger<Integer> trigger = new Trigger<>();
          trigger.start();
          trigger.start();
          trigger.stop();
          trigger.stop();
          trigger.stop();
          trigger.start();
          Coroutine<?> waiting = Coroutine.spawn(trigger::await);
          Coroutine.pause();
          waiting.cancel();
          trigger.close();
          return null;
        });
    assertFalse(loop.run(Mode.LOOP));
    assertEquals(0, loop.stats().coroutines());
    loop.close();
  }
}
