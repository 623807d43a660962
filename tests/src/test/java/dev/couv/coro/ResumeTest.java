// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class ResumeTest {
  private final List<Object> log = new ArrayList<>();

  // ---- values

  @InLoop
  @Test
  void theFirstResumeStartsItAndReturnsWhatItYields() throws Exception {
    Coroutine<String> created =
        Coroutine.create(
            () -> {
              log.add("started");
              Coroutine.yield("first");
              return "result";
            });
    assertEquals(Status.CREATED, created.status());

    assertEquals("first", created.resume("lost: nobody yielded for it"));
    assertEquals(Status.SUSPENDED, created.status());
    assertEquals("result", created.resume());

    assertEquals(Status.DONE, created.status());
    assertEquals("result", created.await());
    assertEquals(List.of("started"), log);
  }

  @InLoop
  @Test
  void noneOneNullAndManyValuesPassBothWays() throws Exception {
    Coroutine<?> echo =
        Coroutine.create(
            () -> {
              log.add(Coroutine.yield());
              log.add(Coroutine.yield("one"));
              log.add(Coroutine.yield((Object) null));
              log.add(Coroutine.yield("a", null, "c"));
              return null;
            });

    assertNull(echo.resume());
    assertEquals("one", echo.resume());
    assertNull(echo.resume("x"));
    assertEquals(Arrays.asList("a", null, "c"), echo.resume((Object) null));
    assertNull(echo.resume(1, null));

    assertEquals(Arrays.asList(null, "x", null, Arrays.asList(1, null)), log);
  }

  @InLoop
  @Test
  void theValuesOfAResumeCannotBeChangedLater() throws Exception {
    Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(Duration.ofHours(1)));
    Coroutine.pause();
    Object[] passed = {"a", "b"};
    List<Object> values = new ArrayList<>();
    sleeper.onEnd((_, thrown) -> values.addAll(((Resumed) thrown).values()));

    assertThrows(Resumed.class, () -> sleeper.resume(passed));
    passed[0] = "changed";

    assertEquals(List.of("a", "b"), values);
    Resumed thrown = (Resumed) assertThrows(Throwable.class, sleeper::await);
    assertThrows(UnsupportedOperationException.class, () -> thrown.values().add("c"));
  }

  @InLoop
  @Test
  void haltReturnsWhatTheResumePassed() throws Exception {
    Coroutine<?> halted = Coroutine.spawn(() -> log.add(Coroutine.halt()));
    Coroutine.pause();

    halted.resume("go");

    assertEquals(List.of("go"), log);
  }

  // ---- who runs when

  @InLoop
  @Test
  void aResumedCoroutineRunsAtOnceAndNested() throws Exception {
    Coroutine.spawn(() -> log.add("queued before"));
    Coroutine<?> inner =
        Coroutine.create(
            () -> {
              log.add("inner");
              Coroutine.yield();
              log.add("inner again");
              return null;
            });
    Coroutine<?> middle =
        Coroutine.create(
            () -> {
              log.add("middle");
              inner.resume();
              log.add(Coroutine.current().status() + " " + inner.status());
              Coroutine.yield();
              inner.resume();
              return null;
            });
    Coroutine<?> outer =
        Coroutine.create(
            () -> {
              log.add("outer");
              middle.resume();
              middle.resume();
              return null;
            });

    outer.resume();
    log.add("main");
    Coroutine.pause();

    assertEquals(
        List.of(
            "outer",
            "middle",
            "inner",
            "RUNNING SUSPENDED",
            "inner again",
            "main",
            "queued before"),
        log);
  }

  @InLoop
  @Test
  void thoseWhoResumeAreNormalMeanwhile() throws Exception {
    Coroutine<?> main = Coroutine.current();
    Coroutine<?>[] middle = new Coroutine<?>[1];
    Coroutine<?> inner =
        Coroutine.create(
            () -> {
              log.add(main.status());
              log.add(middle[0].status());
              log.add(Coroutine.current().status());
              return null;
            });
    middle[0] = Coroutine.create(() -> inner.resume());

    middle[0].resume();

    assertEquals(List.of(Status.NORMAL, Status.NORMAL, Status.RUNNING), log);
  }

  @Test
  void aResumeReturnsNullWhenTheCoroutineAwaits() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<String> sleeper =
              Coroutine.create(
                  () -> {
                    Time.sleep(Duration.ofSeconds(1));
                    return "slept";
                  });

          assertNull(sleeper.resume());

          assertEquals(Status.SUSPENDED, sleeper.status());
          assertEquals("slept", sleeper.await());
        });
  }

  @InLoop
  @Test
  void aResumeReturnsNullWhenTheCoroutinePauses() throws Exception {
    Coroutine<?> pausing =
        Coroutine.create(
            () -> {
              Coroutine.pause();
              log.add("second turn");
              return "result";
            });

    assertNull(pausing.resume());

    assertEquals(Status.READY, pausing.status());
    assertEquals(List.of(), log);
    assertEquals("result", pausing.await());
  }

  @InLoop
  @Test
  void aReadyCoroutineThatHasNotBegunBeginsAtOnce() throws Exception {
    Coroutine.spawn(() -> log.add("before"));
    Coroutine<?> spawned = Coroutine.spawn(() -> log.add("resumed"));
    Coroutine.spawn(() -> log.add("after"));
    assertEquals(Status.READY, spawned.status());

    spawned.resume();
    Coroutine.pause();

    assertEquals(List.of("resumed", "before", "after"), log);
  }

  @InLoop
  @Test
  void aPausedCoroutineIsResumedOutOfItsPause() throws Exception {
    Coroutine<?> pausing =
        Coroutine.spawn(
            () -> {
              try {
                Coroutine.pause();
              } catch (Resumed resumed) {
                log.add(resumed.values());
              }
            });
    Coroutine.pause();
    assertEquals(Status.READY, pausing.status());

    pausing.resume(7);
    Coroutine.pause();

    assertEquals(List.of(List.of(7)), log);
    assertEquals(Status.DONE, pausing.status());
  }

  @InLoop
  @Test
  void aSleepingCoroutineIsResumedOutOfItsSleep() throws Exception {
    Coroutine<?> sleeper =
        Coroutine.spawn(
            () -> {
              Resumed resumed = assertThrows(Resumed.class, () -> Time.sleep(Duration.ofHours(1)));
              log.add(resumed.values());
              assertTrue(resumed.getMessage().contains("Time.sleep"), resumed.getMessage());
            });
    Coroutine.pause();

    sleeper.resume(1, 2);

    assertEquals(List.of(List.of(1, 2)), log);
    assertEquals(0, Loop.current().stats().timers());
  }

  /// It was woken, and has not run since: the wake-up must not reach the await that follows.
  @Test
  void aSleeperThatIsAlreadyReadyIsResumedInstead() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          List<Coroutine<?>> sleepers = new ArrayList<>();
          Action body =
              () -> {
                try {
                  Time.sleep(Duration.ofSeconds(1));
                  sleepers.get(1).resume("instead");
                  log.add("first slept");
                } catch (Resumed resumed) {
                  log.add(resumed.values());
                  Time.sleep(Duration.ofSeconds(1));
                  log.add("second slept");
                }
              };
          sleepers.add(Coroutine.spawn(body));
          sleepers.add(Coroutine.spawn(body));

          sleepers.get(1).await();

          assertEquals(List.of(List.of("instead"), "first slept", "second slept"), log);
        });
  }

  // ---- ends

  @InLoop
  @Test
  void whatTheResumedCoroutineThrowsIsTheResumers() throws Exception {
    IOException failure = new IOException("its own");
    Coroutine<?> failing =
        Coroutine.create(
            () -> {
              throw failure;
            });

    assertSame(failure, assertThrows(IOException.class, failing::resume));

    assertEquals(Status.FAILED, failing.status());
    assertSame(failure, assertThrows(IOException.class, failing::await));
    // and it does not end the run
  }

  @InLoop
  @Test
  void anUncaughtResumedEndsTheCoroutineAndIsTheResumers() throws Exception {
    Coroutine<?> sleeper = Coroutine.spawn(() -> Time.sleep(Duration.ofHours(1)));
    Coroutine.pause();

    Resumed thrown = assertThrows(Resumed.class, () -> sleeper.resume("v"));

    assertEquals(List.of("v"), thrown.values());
    assertEquals(Status.FAILED, sleeper.status());
  }

  @InLoop
  @Test
  void aCoroutineThatIsCancelledWhileItRunsNestedTellsItsResumer() throws Exception {
    Coroutine<?> self =
        Coroutine.create(
            () -> {
              Coroutine.current().cancel("enough");
              Coroutine.pause();
              return null;
            });

    CancellationException thrown = assertThrows(CancellationException.class, () -> self.resume());

    assertTrue(thrown.getMessage().contains("enough"), thrown.getMessage());
    assertEquals(Status.CANCELLED, self.status());
  }

  // ---- generators

  @InLoop
  @Test
  void aGenerator() throws Exception {
    Coroutine<?> squares =
        Coroutine.create(
            () -> {
              for (int i = 1; i <= 4; i++) {
                Coroutine.yield(i * i);
              }
              return "end";
            });

    for (Object next = squares.resume();
        squares.status() == Status.SUSPENDED;
        next = squares.resume()) {
      log.add(next);
    }

    assertEquals(List.of(1, 4, 9, 16), log);
    assertEquals("end", squares.await());
  }

  @Test
  void aGeneratorThatAwaitsBetweenItsValuesIsAwaitedByTheNextYield() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> slow =
              Coroutine.create(
                  () -> {
                    Time.sleep(Duration.ofSeconds(1));
                    log.add("slept");
                    return Coroutine.yield("nobody resumes it now");
                  });

          assertNull(slow.resume());
          Time.sleep(Duration.ofSeconds(2));

          assertEquals(List.of("slept"), log);
          assertEquals(Status.SUSPENDED, slow.status());
          assertEquals("v", slow.resume("v"));
        });
  }

  @Test
  void aGeneratorLeftInAYieldIsNoDeadlockAndItsFinallyRunsAtTheEnd() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> generator =
              Coroutine.create(
                  () -> {
                    try {
                      return Coroutine.yield(1);
                    } finally {
                      log.add("finally");
                    }
                  });
          generator.resume();
          log.add("main ends");
        });

    assertEquals(List.of("main ends", "finally"), log);
  }

  @InLoop
  @Test
  void aGeneratorThatNobodyHoldsEndsBeforeItsScope() throws Exception {
    startAndForget();

    for (int i = 0; i < 3000 && log.isEmpty(); i++) {
      System.gc();
      Time.sleep(Duration.ofMillis(5));
    }

    assertEquals(List.of("finally"), log);
    assertEquals(1, Loop.current().stats().coroutines());
  }

  private void startAndForget() throws Exception {
    Coroutine.create(
            () -> {
              try {
                return Coroutine.yield(1);
              } finally {
                log.add("finally");
              }
            })
        .resume();
  }

  @Test
  void aCoroutineThatIsNeverResumedIsNoDeadlockAndNeverBegins() throws Exception {
    Loop.run(() -> Coroutine.create(() -> log.add("begun")));

    assertEquals(List.of(), log);
  }

  // ---- from the loop's thread

  @Test
  void theLoopsThreadResumesBetweenRuns() throws Exception {
    try (Loop loop = Loop.open()) {
      Coroutine<?> echo =
          loop.spawn(
              () -> {
                Object got = Coroutine.yield("unheard");
                while (true) {
                  got = Coroutine.yield("echo " + got);
                }
              });
      loop.run(Mode.READY);

      assertEquals("echo 1", echo.resume(1));
      assertEquals("echo 2", echo.resume(2));
    }
  }

  /// Resuming nests three deep from the loop's thread: each hands back to its own resumer.
  @Test
  void nestedResumesFromTheLoopsThreadReturnToTheirResumers() throws Exception {
    try (Loop loop = Loop.open()) {
      Coroutine<?> inner = loop.spawn(() -> Coroutine.yield(Coroutine.yield()));
      Coroutine<?> outer =
          loop.spawn(
              () -> {
                Coroutine.yield();
                return "outer saw " + inner.resume("hello");
              });
      loop.run(Mode.READY);

      assertEquals("outer saw hello", outer.resume());
      assertEquals(Status.SUSPENDED, inner.status());
    }
  }
}
