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
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ScopeTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @Test
  void itIsNotLeftBeforeItsCoroutinesHaveEnded() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  Time.sleep(HOUR);
                  log.add("child");
                });
            log.add("body");
          }
          log.add("left");
        });

    assertEquals(List.of("body", "child", "left"), log);
  }

  @Test
  @Behaviour("TA7")
  void whatItsCoroutinesSpawnBelongsToIt() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            Coroutine<?> child =
                scope.spawn(
                    () -> {
                      Coroutine<?> grandchild =
                          Coroutine.spawn(
                              () -> {
                                Time.sleep(HOUR);
                                log.add("grandchild");
                              });
                      assertSame(scope, grandchild.scope());
                    });
            assertSame(scope, child.scope());
          }
          log.add("left");
        });

    assertEquals(List.of("grandchild", "left"), log);
  }

  @Test
  @Behaviour("TA47")
  void theFirstFailureCancelsTheOthersAndIsThrown() throws Exception {
    IOException failure = new IOException("first");
    Loop.run(
        () -> {
          IOException thrown =
              assertThrows(
                  IOException.class,
                  () -> {
                    try (Scope scope = Scope.open()) {
                      scope.spawn(() -> sleepAndTell("sibling"));
                      scope.spawn(
                          () -> {
                            throw failure;
                          });
                    }
                  });
          assertSame(failure, thrown);
          log.add("goes on");
        });

    assertEquals(List.of("sibling", "goes on"), log);
  }

  @InLoop
  @Test
  void joinThrowsTheFailureOnce() throws Exception {
    try (Scope scope = Scope.open()) {
      scope.spawn(
          () -> {
            throw new IOException("first");
          });
      assertThrows(IOException.class, scope::join);
    } // and close does not throw it again
  }

  /// Its last coroutine fails, and nobody else is there.
  @InLoop
  @Test
  void closeThrowsAlsoTheLastFailure() throws Exception {
    assertThrows(
        IOException.class,
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  Coroutine.pause();
                  throw new IOException("last");
                });
          }
        });
  }

  /// Somebody outside of the scope still has the turn to claim it.
  @Test
  void closeDoesNotThrowAFailureThatIsAwaitedOutside() throws Exception {
    Loop.run(
        () -> {
          List<Coroutine<?>> failing = new ArrayList<>();
          Coroutine<?> outside =
              Coroutine.spawn(
                  () -> {
                    Coroutine.pause();
                    log.add(assertThrows(IOException.class, failing.getFirst()::await));
                  });
          try (Scope scope = Scope.open()) {
            failing.add(
                scope.spawn(
                    () -> {
                      throw new IOException("claimed");
                    }));
          }
          outside.await();
        });

    assertEquals(1, log.size());
  }

  @Test
  void joinWaitsAndTheScopeGoesOn() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(() -> log.add("first"));
            scope.join();
            assertTrue(scope.isFinished());
            scope.spawn(() -> log.add("second"));
            assertFalse(scope.isFinished());
            scope.join();
          }
        });

    assertEquals(List.of("first", "second"), log);
  }

  @Test
  @Behaviour("TA39")
  void cancelEndsItsCoroutinesAndThoseOfTheScopesInside() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  try (Scope inner = Scope.open()) {
                    assertSame(scope, inner.parent());
                    inner.spawn(() -> sleepAndTell("inner"));
                  }
                });
            scope.spawn(() -> sleepAndTell("outer"));
            Coroutine.pause();
            Coroutine.pause();
            assertEquals(1, scope.children().size());

            scope.cancel();
            assertTrue(scope.isCancelled());
          }
          log.add("left");
        });

    assertEquals("left", log.getLast());
    assertEquals(List.of("inner", "left", "outer"), log.stream().sorted().toList());
  }

  @Test
  void whatIsSpawnedInACancelledScopeNeverBegins() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.cancel();

            Coroutine<?> late = scope.spawn(() -> log.add("begun"));

            assertThrows(CancellationException.class, late::await);
          }
        });

    assertEquals(List.of(), log);
  }

  @Test
  void cancellingTheOwnerCancelsTheChildrenAndWaitsForThem() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> owner =
              Coroutine.spawn(
                  () -> {
                    try (Scope scope = Scope.open()) {
                      scope.spawn(
                          () -> {
                            try {
                              Time.sleep(HOUR);
                            } finally {
                              Coroutine.protect(
                                  () -> {
                                    Time.sleep(Duration.ofSeconds(1));
                                    log.add("child cleaned up");
                                  });
                            }
                          });
                    } finally {
                      log.add("owner left");
                    }
                  });
          Coroutine.pause();
          Coroutine.pause();

          owner.cancel();

          assertThrows(CancellationException.class, owner::await);
        });

    assertEquals(List.of("child cleaned up", "owner left"), log);
  }

  @Test
  void aProtectedCleanUpMayOpenAScope() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine<?> owner =
              Coroutine.spawn(
                  () -> {
                    try {
                      Time.sleep(HOUR);
                    } finally {
                      Coroutine.protect(
                          () -> {
                            try (Scope scope = Scope.open()) {
                              scope.spawn(
                                  () -> {
                                    Time.sleep(Duration.ofSeconds(1));
                                    log.add("said goodbye");
                                  });
                            }
                          });
                    }
                  });
          Coroutine.pause();
          owner.cancel();

          assertThrows(CancellationException.class, owner::await);
        });

    assertEquals(List.of("said goodbye"), log);
  }

  @Test
  void leavingItEndsAGeneratorOfIts() throws Exception {
    Loop.run(
        () -> {
          List<Coroutine<?>> held = new ArrayList<>();
          try (Scope scope = Scope.open()) {
            scope.spawn(
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
                  held.add(generator);
                  generator.resume();
                });
          }
          log.add("left");
          assertEquals(Status.CANCELLED, held.getFirst().status());
        });

    assertEquals(List.of("finally", "left"), log);
  }

  @Test
  @Behaviour("TA6")
  void aClosedScopeTakesNoMore() throws Exception {
    Loop.run(
        () -> {
          Scope scope = Scope.open();
          scope.close();
          scope.close();

          assertTrue(scope.isClosed());
          assertThrows(IllegalStateException.class, () -> scope.spawn(() -> log.add("begun")));
          assertEquals(List.of(), Coroutine.current().scope().children());
        });

    assertEquals(List.of(), log);
  }

  @Test
  @Behaviour("TA45")
  void aCoroutineCannotWaitForItsOwnScope() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope
                .spawn(
                    () -> {
                      assertThrows(IllegalStateException.class, scope::join);
                      assertThrows(IllegalStateException.class, scope::close);
                      log.add("refused");
                    })
                .await();
          }
          assertThrows(IllegalStateException.class, () -> Coroutine.current().scope().join());
          assertNull(Coroutine.current().scope().parent());
        });

    assertEquals(List.of("refused"), log);
  }

  @Test
  void aJoinThatIsCancelledLeavesTheScopeAsItIs() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open()) {
            scope.spawn(
                () -> {
                  Time.sleep(HOUR);
                  log.add("child");
                });
            assertThrows(
                TimeoutException.class, () -> Time.timeout(Duration.ofSeconds(1), scope::join));
            assertFalse(scope.isCancelled());
          }
        });

    assertEquals(List.of("child"), log);
  }

  @Test
  void anUnprotectedScopeOfACancelledCoroutineIsCancelled() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> cancelled =
              Coroutine.spawn(
                  () -> {
                    Coroutine.current().cancel();
                    try (Scope scope = Scope.open()) {
                      scope.spawn(() -> log.add("begun"));
                    }
                  });

          assertThrows(CancellationException.class, cancelled::await);
        });

    assertEquals(List.of(), log);
  }

  private void sleepAndTell(String name) {
    try {
      Time.sleep(HOUR);
    } finally {
      log.add(name);
    }
  }
}
