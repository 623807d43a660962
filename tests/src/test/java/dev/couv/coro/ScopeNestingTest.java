// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.testing.Behaviour;
import dev.couv.testing.InLoop;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Scopes nest as their blocks do, also when one coroutine opens them all.
@SuppressWarnings("try") // scopes are left by their blocks
final class ScopeNestingTest {
  private final List<String> log = new ArrayList<>();

  @InLoop
  @Test
  void aScopeIsInsideTheOneInWhoseBlockItIsOpened() throws Exception {
    Scope own = Coroutine.current().scope();
    try (Scope outer = Scope.open()) {
      assertSame(own, outer.parent());
      outer.context().set("key", "value");
      try (Scope inner = Scope.open()) {
        assertSame(outer, inner.parent());
        assertEquals(List.of(inner), outer.children());
        assertEquals("value", inner.spawn(() -> found("key")).await());
      }
      assertEquals(List.of(), outer.children());
      try (Scope second = Scope.open()) {
        assertSame(outer, second.parent());
      }
      assertSame(own, Coroutine.current().scope(), "the opener is not in it");
    }
    try (Scope after = Scope.open()) {
      assertSame(own, after.parent());
      assertNull(after.spawn(() -> found("key")).await());
    }
  }

  private static Object found(String key) {
    return Coroutine.current().scope().context().find(key);
  }

  @Test
  @Behaviour("TA41")
  void cancellingOneOfFourCancelsThoseInsideAndNoOther() throws Exception {
    Loop.run(
        () -> {
          try (Scope first = Scope.open()) {
            first.spawn(() -> tell("first"));
            try (Scope second = Scope.open()) {
              second.spawn(() -> tell("second"));
              try (Scope third = Scope.open()) {
                third.spawn(() -> tell("third"));
                try (Scope fourth = Scope.open()) {
                  fourth.spawn(() -> tell("fourth"));
                  Coroutine.pause();

                  second.cancel();
                }
                log.add("fourth left");
              }
            }
            assertFalse(first.isCancelled());
            log.add("second left");
            first.cancel();
          }
        });

    assertEquals(
        List.of("fourth", "second", "third"), log.subList(0, 3).stream().sorted().toList());
    assertEquals(List.of("fourth left", "second left", "first"), log.subList(3, 6));
  }

  private void tell(String what) throws Exception {
    try {
      Time.sleep(Duration.ofHours(1));
    } finally {
      log.add(what);
    }
  }

  @Test
  void aFailureOfTheOuterScopeEndsTheInnerOneAndIsWhatIsThrown() throws Exception {
    Loop.run(
        () -> {
          var thrown =
              assertThrows(
                  IllegalArgumentException.class,
                  () -> {
                    try (Scope outer = Scope.open()) {
                      outer.spawn(
                          () -> {
                            Coroutine.pause();
                            throw new IllegalArgumentException("no such shop");
                          });
                      try (Scope inner = Scope.open()) {
                        inner.spawn(() -> tell("inner"));
                      }
                    }
                  });
          assertEquals("no such shop", thrown.getMessage());
        });

    assertEquals(List.of("inner"), log);
  }

  @InLoop
  @Test
  void aFailureOfTheInnerScopeIsTheOutersOnlyIfItLeavesTheBlock() throws Exception {
    try (Scope outer = Scope.open()) {
      Coroutine<String> other =
          outer.spawn(
              () -> {
                Time.sleep(Duration.ofMillis(1));
                return "fine";
              });
      assertThrows(
          IllegalArgumentException.class,
          () -> {
            try (Scope inner = Scope.open()) {
              inner.spawn(
                  () -> {
                    throw new IllegalArgumentException("inner");
                  });
            }
          });
      assertEquals("fine", other.await());
    }
  }

  @Test
  void aTaskGroupIsInsideTheScopeToo() throws Exception {
    Loop.run(
        () -> {
          try (Scope outer = Scope.open()) {
            outer.context().set("key", "value");
            try (TaskGroup<Object> group = TaskGroup.open()) {
              group.spawn(() -> found("key"));
              assertEquals(List.of("value"), group.all());
            }
            outer.cancel();
            try (TaskGroup<Object> late = TaskGroup.open()) {
              late.spawn(() -> log.add("runs"));
              assertThrows(Exception.class, late::all);
            }
          }
        });

    assertEquals(List.of(), log);
  }

  @Test
  void whatIsOpenedInACancelledScopeIsCancelled() throws Exception {
    Loop.run(
        () -> {
          try (Scope outer = Scope.open()) {
            outer.cancel();
            try (Scope inner = Scope.open()) {
              assertTrue(inner.isCancelled());
              Coroutine<Void> never = inner.spawn(() -> tell("runs"));
              assertThrows(CancellationException.class, never::await);
            }
            Time.sleep(Duration.ofMillis(1)); // who opened it is not cancelled
          }
        });

    assertEquals(List.of(), log);
  }

  @InLoop
  @Test
  void scopesThatAreClosedInAnotherOrderLetEachOtherBe() throws Exception {
    Scope own = Coroutine.current().scope();
    Scope first = Scope.open();
    Scope second = Scope.open();
    Scope third = Scope.open();
    Coroutine<String> inSecond =
        second.spawn(
            () -> {
              Time.sleep(Duration.ofMillis(2));
              return "second";
            });
    first.close();

    assertTrue(own.children().contains(second), "it is where the first was");
    assertEquals("second", inSecond.await());
    second.close();
    assertTrue(own.children().contains(third));
    try (Scope fourth = Scope.open()) {
      assertSame(third, fourth.parent());
    }
    third.close();
    try (Scope last = Scope.open()) {
      assertSame(own, last.parent());
    }
    assertEquals(List.of(), own.children());
  }

  @InLoop
  @Test
  void aScopeWithZombiesIsNoBlockOnceItIsLeft() throws Exception {
    Scope own = Coroutine.current().scope();
    try (Scope zombies = Scope.open(ScopePolicy.ZOMBIES)) {
      zombies.spawn(() -> Time.sleep(Duration.ofMillis(2)));
      Coroutine.pause();
    }
    try (Scope after = Scope.open()) {
      assertSame(own, after.parent());
      assertFalse(after.isCancelled());
    }
  }

  @InLoop
  @Test
  void cancellingTheOpenerReachesEveryBlock() throws Exception {
    Coroutine<Void> opener =
        Coroutine.spawn(
            () -> {
              try (Scope outer = Scope.open()) {
                outer.spawn(() -> tell("outer"));
                try (Scope inner = Scope.open()) {
                  inner.spawn(() -> tell("inner"));
                }
              }
            });
    Coroutine.pause();
    Coroutine.pause();
    opener.cancel();

    assertThrows(CancellationException.class, opener::await);
    assertEquals(List.of("inner", "outer"), log);
  }

  @InLoop
  @Test
  void aCoroutineOfAnInnerScopeCannotWaitForTheOuterOne() throws Exception {
    try (Scope outer = Scope.open();
        Scope inner = Scope.open()) {
      Coroutine<Void> waiter = inner.spawn(outer::join);
      assertThrows(IllegalStateException.class, waiter::await);
    }
  }

  @Test
  void aScopeOpenedByAZombieStaysWithTheZombies() throws Exception {
    Loop.run(
        () -> {
          Trigger<String> go = new Trigger<>();
          try (Scope around = Scope.open()) {
            try (Scope zombies = Scope.open(ScopePolicy.ZOMBIES)) {
              zombies.spawn(
                  () -> {
                    try (Scope inner = Scope.open()) {
                      inner.spawn(
                          () -> {
                            go.await();
                            log.add("goes on");
                          });
                    }
                  });
              Coroutine.pause();
              Coroutine.pause();
            }
            around.cancel();
          }
          go.trigger("go");
        });

    assertEquals(List.of("goes on"), log);
  }

  @Test
  void anEndHandlerOfACancelledScopeOpensScopesThatAreNot() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.onEnd(
                () -> {
                  try (Scope cleaning = Scope.open()) {
                    assertFalse(cleaning.isCancelled());
                    cleaning.spawn(() -> log.add("cleaned"));
                  }
                });
            scope.cancel();
          }
        });

    assertEquals(List.of("cleaned"), log);
  }

  @Test
  void aProtectedBlockInACancelledScopeOpensScopesThatAreNot() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.cancel();
            Coroutine.protect(
                () -> {
                  try (Scope cleaning = Scope.open()) {
                    cleaning.spawn(() -> log.add("cleaned"));
                  }
                });
          }
        });

    assertEquals(List.of("cleaned"), log);
  }

  @Test
  void whatAProtectedCoroutineHasOpenedIsNotCancelledWithItsScope() throws Exception {
    List<Body<?>> bodies =
        List.of(
            () -> Await.race(() -> later("race")),
            () -> Await.any(() -> later("any")),
            () -> Loop.run(() -> later("run")),
            () -> {
              try (TaskGroup<String> group = TaskGroup.open()) {
                group.spawn(() -> later("group"));
                return group.all();
              }
            });
    Loop.run(
        () -> {
          for (Body<?> body : bodies) {
            try (Scope scope = Scope.open()) {
              scope.spawn(() -> Coroutine.protect(() -> log.add(String.valueOf(body.run()))));
              scope.spawn(
                  () -> {
                    try {
                      Coroutine.halt();
                    } finally {
                      Coroutine.protect(() -> log.add(String.valueOf(body.run())));
                    }
                  });
              Coroutine.pause();
              Coroutine.pause();
              scope.cancel();
            }
          }
        });

    assertEquals(List.of("race", "race", "any", "any", "run", "run", "[group]", "[group]"), log);
  }

  private static String later(String word) {
    for (int i = 0; i < 10; i++) {
      Coroutine.pause();
    }
    return word;
  }

  @InLoop
  @Test
  void whatIsOpenedInsideOfAScopeThatWasOpenedUnderProtectionIsCancelledWithThat()
      throws Exception {
    Coroutine.protect(
        () -> {
          try (Scope outer = Scope.open();
              Scope inner = Scope.open()) {
            inner.spawn(() -> tell("inner"));
            Coroutine.pause();
            outer.cancel();
            assertTrue(inner.isCancelled());
          }
        });
  }

  @Test
  void tenThousandScopesInsideEachOtherAreCancelledAndClosedInAnyOrder() throws Exception {
    Loop.run(
        () -> {
          for (boolean fromOutside : List.of(true, false)) {
            List<Scope> scopes = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
              scopes.add(Scope.open());
            }
            scopes.getLast().spawn(() -> tell("innermost"));
            Coroutine.pause();
            scopes.getFirst().cancel();
            for (Scope scope : fromOutside ? scopes : scopes.reversed()) {
              scope.close();
            }
          }
        });

    assertEquals(List.of("innermost", "innermost"), log);
  }

  @Test
  void tenThousandScopesThatNobodyClosedEndWithTheirCoroutine() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  for (int i = 0; i < 10_000; i++) {
                    Scope.open();
                  }
                  Scope last = Scope.open();
                  last.spawn(() -> tell("last"));
                  Coroutine.pause();
                });
          }
        });

    assertEquals(List.of("last"), log);
  }

  @Test
  void aLoopEndsWithTenThousandScopesInsideEachOther() throws Exception {
    assertThrows(
        Deadlock.class,
        () ->
            Loop.run(
                () -> {
                  for (int i = 0; i < 10_000; i++) {
                    Scope.open();
                  }
                  Coroutine.halt();
                }));
  }

  @InLoop
  @Test
  void scopesThatReplaceOneAnotherHoldNoneOfTheEarlierOnes() throws Exception {
    Scope own = Coroutine.current().scope();
    Scope now = Scope.open();
    for (int i = 0; i < 100; i++) {
      Scope next = Scope.open();
      now.close();
      now = next;
    }
    assertSame(own, now.parent(), "those around it are closed");
    now.close();
  }
}
