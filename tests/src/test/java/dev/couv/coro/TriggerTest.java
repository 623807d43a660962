// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.error.ClosedException;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TriggerTest {
  private final List<Object> log = new ArrayList<>();

  @InLoop
  @Test
  void anotherThreadWakesWhoeverAwaitsIt() throws Exception {
    Trigger<String> trigger = new Trigger<>();
    Thread thread = Thread.ofPlatform().start(() -> trigger.trigger("hello"));

    assertEquals("hello", trigger.await());
    thread.join();
    trigger.close();
  }

  /// Nothing is lost and nothing piles up: a hundred thousand from two threads, summed.
  @InLoop
  @Test
  void whatComesFasterThanItIsTakenIsMerged() throws Exception {
    int each = 50_000;
    Trigger<Integer> trigger = new Trigger<>(Integer::sum);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      trigger.trigger(1);
                    }
                  }));
    }
    int sum = 0;
    while (sum < 2 * each) {
      sum += trigger.await();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(2 * each, sum);
  }

  @InLoop
  @Test
  void itRemembersOneThatNobodyWasThereFor() throws Exception {
    Trigger<String> trigger = new Trigger<>();
    trigger.trigger("old");
    trigger.trigger("new");
    Coroutine.pause();

    assertEquals("new", trigger.await());

    Event<?> timer = Time.after(Duration.ofMillis(1));
    assertSame(timer, Await.select(trigger, timer).source(), "it was taken");
  }

  @InLoop
  @Test
  void everybodyWhoAwaitsItAndEveryCallbackIsTold() throws Exception {
    Trigger<Integer> trigger = new Trigger<>();
    trigger.subscribe((value, _) -> log.add("callback " + value));
    Coroutine<Integer> one = Coroutine.spawn(trigger::await);
    Coroutine<Integer> two = Coroutine.spawn(trigger::await);
    Coroutine.pause();

    assertTrue(trigger.trigger(3));

    assertEquals(List.of(3, 3), Await.all(one, two));
    Coroutine.pause();
    assertEquals(List.of("callback 3"), log);
  }

  @InLoop
  @Test
  void whatAResumedCoroutineDidNotTakeIsKept() throws Exception {
    Trigger<Integer> first = new Trigger<>();
    Trigger<Integer> trigger = new Trigger<>(Integer::sum);
    Coroutine<?> waiting =
        Coroutine.spawn(() -> assertThrows(Resumed.class, trigger::await).getMessage());
    Coroutine<?> meddler =
        Coroutine.spawn(
            () -> {
              first.await();
              assertEquals(Status.READY, waiting.status(), "woken, and not run yet");
              waiting.resume();
            });
    Coroutine.pause();
    first.trigger(0); // told in the same turn of the loop, one after the other
    trigger.trigger(1);
    meddler.await();
    trigger.trigger(2);

    assertEquals(3, trigger.await());
  }

  @Test
  void theLoopStaysAliveForItUnlessItIsHidden() throws Exception {
    AtomicReference<Trigger<String>> made = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (made.get() == null) {
                    Thread.onSpinWait();
                  }
                  made.get().trigger("at last");
                });
    Loop.run(
        () -> {
          Trigger<String> trigger = new Trigger<>();
          made.set(trigger);
          assertEquals("at last", trigger.await());
        });
    thread.join();

    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  Trigger<String> hidden = new Trigger<>();
                  hidden.hidden(true);
                  assertTrue(hidden.isHidden());
                  hidden.await();
                }));
  }

  @Test
  void hidingAndShowingCountsWhileItIsAwaited() throws Exception {
    Loop loop = Loop.open();
    AtomicReference<Trigger<String>> made = new AtomicReference<>();
    loop.spawn(
        () -> {
          made.set(new Trigger<>());
          return made.get().await();
        });
    assertTrue(loop.run(Mode.READY), "awaited");

    loop.spawn(() -> made.get().hidden(true));
    assertFalse(loop.run(Mode.READY), "hidden");
    loop.spawn(() -> made.get().hidden(true).hidden(false));
    assertTrue(loop.run(Mode.READY), "shown");
    loop.spawn(() -> made.get().trigger("done"));
    assertFalse(loop.run(Mode.LOOP), "told");
    loop.close();
  }

  @Test
  void aTriggerThatIsClosedOrWithoutLoopSaysSo() throws Exception {
    AtomicReference<Trigger<String>> left = new AtomicReference<>();
    Loop.run(
        () -> {
          Trigger<String> trigger = new Trigger<>();
          assertTrue(trigger.trigger("x"));
          trigger.close();
          assertFalse(trigger.trigger("y"));
          assertThrows(ClosedException.class, trigger::await);
          left.set(new Trigger<>());
        });

    assertFalse(left.get().trigger("z"), "its loop is gone");
    assertFalse(left.get().trigger("z"), "and stays so");
  }

  @InLoop
  @Test
  void mergingThatThrowsHurtsOnlyWhoTriggers() throws Exception {
    Trigger<Integer> trigger =
        new Trigger<>(
            (_, _) -> {
              throw new IllegalStateException("no");
            });
    trigger.trigger(1);
    assertThrows(IllegalStateException.class, () -> trigger.trigger(2));
    assertEquals(1, trigger.await());
  }
}
