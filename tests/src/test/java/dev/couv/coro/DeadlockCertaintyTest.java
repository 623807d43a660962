// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.sync.Chan;
import dev.couv.sync.Gate;
import dev.couv.sync.Impatience;
import dev.couv.sync.Mutex;
import dev.couv.sync.Permits;
import dev.couv.sync.Promise;
import dev.couv.sync.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A deadlock is thrown where it is certain. Where another thread might come the loop says so, and waits.
class DeadlockCertaintyTest {
  private static final LoopOptions LENIENT = LoopOptions.DEFAULT.withStrictDeadlocks(false);
  private static final LoopOptions STRICT = LoopOptions.DEFAULT.withStrictDeadlocks(true);

  private final CapturedLog logged = new CapturedLog();
  private Impatience impatience = new Impatience(20);

  @AfterEach
  void bePatientAgain() {
    impatience.close();
    logged.close();
  }

  // ---- somebody might come

  /// A daemon that is older than the loop and waits: nothing tells what it is about.
  @Test
  void aThreadOfWhateverAgeAndStateIsWaitedFor() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    AtomicReference<Chan<Integer>> chan = new AtomicReference<>();
    Thread older = daemon(told, () -> chan.get().send(7));

    Loop.run(
        LENIENT,
        () -> {
          chan.set(Chan.create(0));
          whenTold(told);
          assertEquals(7, chan.get().receive());
        });
    older.join();
  }

  @Test
  void aVirtualThreadIsWaitedFor() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    Promise<String> promise =
        Loop.run(
            LENIENT,
            () -> {
              Promise<String> made = new Promise<>();
              Thread.ofVirtual().start(() -> completeWhen(told, made));
              whenTold(told);
              assertEquals("done", made.await());
              return made;
            });
    assertTrue(promise.isDone());
  }

  @Test
  void aHaltThatAnotherThreadEndsByAPostIsNone() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    AtomicReference<Runnable> resume = new AtomicReference<>();
    Thread older = daemon(told, () -> resume.get().run());

    Loop.run(
        LENIENT,
        () -> {
          Loop loop = Loop.current();
          Coroutine<?> halted = Coroutine.current();
          resume.set(() -> loop.post(() -> resumed(halted)));
          whenTold(told);
          assertEquals("resumed", Coroutine.halt());
        });
    older.join();
  }

  @Test
  void aTriggersCallbackIsWaitedFor() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    AtomicReference<Trigger<String>> trigger = new AtomicReference<>();
    Thread older = daemon(told, () -> trigger.get().trigger("now"));

    Loop.run(
        LENIENT,
        () -> {
          Coroutine<?> halted = Coroutine.current();
          trigger.set(new Trigger<>());
          trigger.get().subscribe((value, error) -> halted.resume(value));
          whenTold(told);
          assertEquals("now", Coroutine.halt());
          trigger.get().close();
        });
    older.join();
  }

  @Test
  void aSourceOfTheProgramsOwnIsWaitedFor() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    HeldSource<String> source = new HeldSource<>();
    Thread older = daemon(told, () -> source.seat().offer("brought", null));

    Loop.run(
        LENIENT,
        () -> {
          whenTold(told);
          assertEquals("brought", source.await());
        });
    older.join();
  }

  @Test
  void itIsLoggedOnceWithWhoWaitsForWhat() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    AtomicReference<Chan<Integer>> chan = new AtomicReference<>();
    Thread older =
        daemon(
            told,
            () -> {
              chan.get().send(1);
              chan.get().send(2);
            });

    Loop.run(
        LENIENT,
        () -> {
          chan.set(Chan.create(0));
          Chan<Integer> late = Chan.create(0);
          Coroutine.spawn(() -> late.receive()).named("starved");
          whenTold(told);
          chan.get().receive();
          chan.get().receive();
          late.send(3);
        });
    older.join();

    assertEquals(1, logged.records().size(), logged.messages()::toString);
    String message = logged.messages().getFirst();
    assertTrue(message.contains("main SUSPENDED, awaiting a value from a channel"), message);
    assertTrue(message.contains("starved SUSPENDED"), message);
    assertTrue(message.contains("DeadlockCertaintyTest.java:"), message);
  }

  // ---- nobody can

  @Test
  void whatOnlyCoroutinesOfTheLoopCouldEndIsOneAtOnce() {
    impatience.close();
    impatience = new Impatience(3_600_000);
    List<Action> waits =
        List.of(
            () -> Coroutine.halt(),
            () -> {
              Mutex mutex = new Mutex();
              Coroutine.spawn(
                  () -> {
                    mutex.lock();
                    Coroutine.halt();
                  });
              Coroutine.pause();
              Coroutine.spawn(() -> Await.any(mutex.locking(), new Emitter<String>()));
              mutex.lock();
            },
            () -> new Gate().await(),
            () -> new Permits(0).acquire(),
            () -> Topic.await("a key"),
            () -> new Emitter<String>().await(),
            () -> {
              List<Coroutine<?>> both = new ArrayList<>();
              both.add(Coroutine.spawn(() -> both.get(1).await()));
              both.add(Coroutine.spawn(() -> both.get(0).await()));
            });

    for (Action wait : waits) {
      assertThrows(Deadlock.class, () -> Loop.run(LENIENT, wait));
      assertThrows(Deadlock.class, () -> Loop.run(STRICT, wait));
    }
    assertEquals(List.of(), logged.messages());
  }

  /// Channels and promises that were used before are no reason to wait, nor are those nobody waits for.
  @Test
  void onlyWhatIsWaitedForCounts() {
    impatience.close();
    impatience = new Impatience(3_600_000);

    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                LENIENT,
                () -> {
                  Chan<Integer> chan = Chan.create(1);
                  Coroutine.spawn(() -> chan.send(1));
                  chan.receive();
                  Promise<Integer> promise = new Promise<>();
                  Coroutine.spawn(() -> promise.complete(1));
                  promise.await();
                  Trigger<Integer> trigger = new Trigger<>();
                  Event.Callback<Integer> callback = (value, error) -> {};
                  trigger.subscribe(callback);
                  trigger.unsubscribe(callback);
                  Coroutine.halt();
                }));
  }

  // ---- strict

  @Test
  void aStrictRunCallsItOneWhenNobodySeemsToCome() {
    assertThrows(Deadlock.class, () -> Loop.run(STRICT, () -> Chan.create(0).receive()));
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                STRICT,
                () -> {
                  Loop.current();
                  Coroutine.halt();
                }));
  }

  @Test
  void evenAStrictOneWaitsForAThreadThatWasStartedSince() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    Loop.run(
        STRICT,
        () -> {
          Loop loop = Loop.current();
          Coroutine<?> halted = Coroutine.current();
          daemon(told, () -> loop.post(() -> resumed(halted)));
          whenTold(told);
          assertEquals("resumed", Coroutine.halt());
        });
  }

  /// The test extension has set it.
  @Test
  void thePropertyDecidesWhereTheOptionsDoNotSay() {
    assertEquals("true", System.getProperty("couv.deadlock.strict"));
    assertThrows(Deadlock.class, () -> Loop.run(() -> Chan.create(0).receive()));
  }

  @Test
  @Tag("jvm")
  void aWholeProgramWaitsUnlessItIsToldToBeStrict() throws Exception {
    assertEquals(
        List.of("received 7", "resumed null", "Deadlock"),
        FreshJvm.run(Waiting.class, "-Dcouv.deadlock.patience=20"));
    assertEquals(
        List.of("Deadlock", "Deadlock", "Deadlock"),
        FreshJvm.run(Waiting.class, "-Dcouv.deadlock.patience=20", "-Dcouv.deadlock.strict=true"));
  }

  /// Its scheduler is older than its loops, and waits.
  static final class Waiting {
    public static void main(String[] args) throws Exception {
      ScheduledExecutorService scheduler =
          Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
      scheduler.submit(() -> {}).get();
      tell(
          () -> {
            Chan<Integer> chan = Chan.create(0);
            later(scheduler, () -> chan.send(7));
            return "received " + chan.receive();
          });
      tell(
          () -> {
            Loop loop = Loop.current();
            Coroutine<?> halted = Coroutine.current();
            later(scheduler, () -> loop.post(() -> resumed(halted, new Object[0])));
            return "resumed " + Coroutine.halt();
          });
      tell(() -> "never " + Coroutine.halt());
    }

    private static void later(ScheduledExecutorService scheduler, Runnable task) {
      scheduler.schedule(task, 2, TimeUnit.SECONDS);
    }

    private static void tell(Body<String> body) throws Exception {
      try {
        System.out.println(Loop.run(body));
      } catch (Deadlock deadlock) {
        System.out.println(deadlock.getClass().getSimpleName());
      }
    }
  }

  private static void resumed(Coroutine<?> halted) {
    resumed(halted, new Object[] {"resumed"});
  }

  private static void resumed(Coroutine<?> halted, Object[] values) {
    try {
      var _ = halted.resume(values);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /// Does it when the loop has told that it waits.
  private static Thread daemon(CountDownLatch told, Runnable task) {
    return Thread.ofPlatform().daemon().start(() -> doWhen(told, task));
  }

  private static void completeWhen(CountDownLatch told, Promise<String> promise) {
    doWhen(told, () -> promise.complete("done"));
  }

  private static void doWhen(CountDownLatch told, Runnable task) {
    try {
      told.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    task.run();
  }

  /// Released when the log has heard of the wait: long after the patience was over.
  private void whenTold(CountDownLatch told) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (logged.records().isEmpty()) {
                Thread.onSpinWait();
              }
              told.countDown();
            });
  }
}
