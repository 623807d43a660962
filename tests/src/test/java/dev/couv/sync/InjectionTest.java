// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Action;
import dev.couv.coro.Await;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.coro.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A victim among others who use the same primitive, cancelled or resumed at every moment there is:
/// before it starts, in each of its awaits, woken and not yet run. Whatever it was doing, the others get
/// through, and in the end the primitive is as if nobody had been there.
class InjectionTest {
  /// What is done to the victim.
  enum Injection {
    CANCEL {
      @Override
      void into(Coroutine<?> victim) {
        victim.cancel();
      }
    },
    RESUME {
      @Override
      void into(Coroutine<?> victim) throws Exception {
        if (victim.status() == Status.SUSPENDED || victim.status() == Status.READY) {
          victim.resume("injected");
        }
      }
    },
    RESUME_AND_CANCEL {
      @Override
      void into(Coroutine<?> victim) throws Exception {
        RESUME.into(victim);
        CANCEL.into(victim);
      }
    };

    abstract void into(Coroutine<?> victim) throws Exception;
  }

  /// What the victim and the others do, and what must hold when all is over.
  private record Scene(Action role, Action epilogue) {}

  private interface Setting {
    Scene make() throws Exception;
  }

  private static final int OTHERS = 3;

  /// Injects at the first moment, the second, … until the victim has ended before its moment came.
  private static void play(Injection injection, Setting setting) throws Exception {
    boolean tooLate = false;
    for (int moment = 0; !tooLate; moment++) {
      int now = moment;
      tooLate = Loop.run(() -> played(injection, setting, now));
      assertTrue(moment < 1_000, "it never ends");
    }
  }

  private static boolean played(Injection injection, Setting setting, int moment) throws Exception {
    Scene scene = setting.make();
    List<Coroutine<?>> cast = new ArrayList<>();
    Coroutine<?> victim = null;
    for (int i = 0; i <= OTHERS; i++) {
      Coroutine<?> actor = Coroutine.spawn(() -> perform(scene.role));
      cast.add(actor);
      victim = i == 1 ? actor : victim;
    }
    for (int i = 0; i < moment; i++) {
      Coroutine.pause();
    }
    boolean tooLate = victim.status() == Status.DONE;
    if (!tooLate) {
      injection.into(victim);
    }
    Await.settle(cast);
    for (Coroutine<?> actor : cast) {
      if (actor != victim) {
        assertEquals(Status.DONE, actor.status(), "moment " + moment);
      }
    }
    assertNotEquals(Status.FAILED, victim.status(), "moment " + moment);
    scene.epilogue.run();
    return tooLate;
  }

  private static void perform(Action role) throws Exception {
    try {
      role.run();
    } catch (Resumed injected) {
      assertEquals(List.of("injected"), injected.values());
    }
  }

  @ParameterizedTest
  @EnumSource
  void mutex(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          Mutex mutex = new Mutex();
          int[] inside = new int[1];
          return new Scene(
              () -> {
                for (int i = 0; i < 3; i++) {
                  try (Hold _ = mutex.hold()) {
                    assertEquals(0, inside[0]++);
                    try {
                      Coroutine.pause();
                    } finally {
                      inside[0]--;
                    }
                  }
                }
              },
              () -> assertFalse(mutex.isLocked()));
        });
  }

  @ParameterizedTest
  @EnumSource
  void selectedMutexes(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          Mutex one = Mutex.of("one");
          Mutex two = Mutex.of("two");
          return new Scene(
              () -> {
                for (int i = 0; i < 3; i++) {
                  try (Hold _ = Await.any(one.locking(), two.locking())) {
                    assertTrue(one.isOwned() ^ two.isOwned());
                    Coroutine.pause();
                  }
                }
              },
              () -> assertFalse(one.isLocked() || two.isLocked()));
        });
  }

  @ParameterizedTest
  @EnumSource
  void permits(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          Permits permits = new Permits(4);
          int[] turn = new int[1];
          return new Scene(
              () -> {
                int count = 1 + turn[0]++ % 4;
                for (int i = 0; i < 3; i++) {
                  try (Hold _ = permits.hold(count)) {
                    Coroutine.pause();
                  }
                }
              },
              () -> {
                assertEquals(4, permits.available());
                assertEquals(0, permits.waiting());
              });
        });
  }

  @ParameterizedTest
  @EnumSource
  void gate(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          Gate gate = new Gate();
          Coroutine<?> keeper =
              Coroutine.spawn(
                  () -> {
                    for (int i = 0; i < 20; i++) {
                      Coroutine.pause();
                      Coroutine.pause();
                      gate.open();
                      gate.close();
                    }
                    gate.open();
                  });
          return new Scene(
              () -> {
                for (int i = 0; i < 3; i++) {
                  gate.await();
                  Coroutine.pause();
                }
              },
              keeper::await);
        });
  }

  @ParameterizedTest
  @EnumSource
  void topics(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          Coroutine<?> emitter =
              Coroutine.spawn(
                  () -> {
                    for (int i = 0; i < 60; i++) {
                      Coroutine.pause();
                      Coroutine.pause();
                      Topic.emitOne("a", i);
                      Topic.emitAll("b", i);
                    }
                  });
          return new Scene(
              () -> {
                Topic.await("a");
                Topic.awaitAny("a", "b");
                Topic.awaitAll("a", "b");
              },
              () -> {
                emitter.await();
                assertFalse(Topic.isAwaited("a") || Topic.isAwaited("b"));
              });
        });
  }

  /// Each event is taken by exactly one, or left.
  @ParameterizedTest
  @EnumSource
  void queuedTopics(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          List<Object> taken = new ArrayList<>();
          Coroutine<?> emitter =
              Coroutine.spawn(
                  () -> {
                    for (int i = 0; i < 12; i++) {
                      Coroutine.pause();
                      QueuedTopic.emitOne("a", i);
                    }
                  });
          return new Scene(
              () -> {
                for (int i = 0; i < 3; i++) {
                  taken.add(QueuedTopic.await("a"));
                }
              },
              () -> {
                emitter.await();
                while (QueuedTopic.isQueued("a")) {
                  taken.add(QueuedTopic.await("a"));
                }
                assertEquals(12, taken.stream().distinct().count());
                assertEquals(12, taken.size());
              });
        });
  }

  @ParameterizedTest
  @EnumSource
  void promises(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          Promise<Integer> first = new Promise<>();
          Promise<Integer> second = new Promise<>();
          Coroutine.spawn(
              () -> {
                Coroutine.pause();
                Coroutine.pause();
                first.complete(1);
                Coroutine.pause();
                Coroutine.pause();
                second.complete(2);
              });
          return new Scene(
              () -> {
                assertEquals(1, Await.any(second, first));
                assertEquals(List.of(1, 2), Promise.awaitAll(first, second));
                assertEquals(3, first.map(n -> n + 2).await());
              },
              () -> assertTrue(first.isDone() && second.isDone()));
        });
  }

  @ParameterizedTest
  @EnumSource
  void resources(Injection injection) throws Exception {
    play(
        injection,
        () -> {
          int[] alive = new int[1];
          Resources<Integer> resources =
              Resources.of(
                      () -> {
                        Coroutine.pause();
                        return ++alive[0];
                      })
                  .max(2)
                  .check(
                      number -> {
                        Coroutine.pause();
                        return true;
                      })
                  .disposal(number -> alive[0]--)
                  .open();
          return new Scene(
              () -> {
                for (int i = 0; i < 3; i++) {
                  try (Lease<Integer> lease = resources.acquire()) {
                    Coroutine.pause();
                    if (i == 1) {
                      lease.discard();
                    }
                  }
                }
              },
              () -> {
                assertEquals(resources.size(), resources.idle());
                assertEquals(resources.size(), alive[0]);
                resources.close();
                assertEquals(0, alive[0]);
              });
        });
  }
}
