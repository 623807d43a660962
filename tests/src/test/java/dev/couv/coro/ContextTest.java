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
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // closing a scope waits, and throws what failed
class ContextTest {
  private record Key(String name) {}

  private final List<Object> log = new ArrayList<>();

  @Test
  void coroutinesOfTheScopeAndOfThoseInsideFindItsValues() throws Exception {
    Loop.run(
        () -> {
          try (Scope scope = Scope.open()) {
            scope.context().set(new Key("user"), "ada");
            scope.spawn(() -> log.add(Context.current().<String>find(new Key("user"))));
            scope.spawn(
                () -> {
                  try (Scope inner = Scope.open()) {
                    inner.spawn(() -> log.add(Context.current().<String>find(new Key("user"))));
                  }
                });
          }
        });

    assertEquals(List.of("ada", "ada"), log);
  }

  /// The defect of the seeds: a scope without values ended the search.
  @InLoop
  @Test
  void scopesWithoutValuesInBetweenAreLookedThrough() throws Exception {
    Coroutine.current().scope().context().set("level", 0);
    Coroutine<Integer> deep =
        Coroutine.spawn(
            () -> {
              try (Scope one = Scope.open()) {
                return one.<Integer>spawn(
                        () -> {
                          try (Scope two = Scope.open()) {
                            return two.context().<Integer>find("level");
                          }
                        })
                    .await();
              }
            });
    assertEquals(0, deep.await());
  }

  @Test
  void aValueInsideHidesTheOuterOneFromNobodyElse() throws Exception {
    Loop.run(
        () -> {
          try (Scope outer = Scope.open()) {
            outer.context().set("color", "red");
            outer
                .spawn(
                    () -> {
                      try (Scope inner = Scope.open()) {
                        inner.context().set("color", "blue");
                        log.add(inner.context().<String>find("color"));
                        assertTrue(inner.context().remove("color"));
                        log.add(inner.context().<String>find("color"));
                      }
                    })
                .await();
            log.add(outer.context().<String>get("color"));
          }
        });

    assertEquals(List.of("blue", "red", "red"), log);
  }

  @InLoop
  @Test
  @Behaviour("TA97")
  void getIsForTheScopesOwnValuesAndSetForNewOnes() throws Exception {
    try (Scope scope = Scope.open()) {
      Context context = scope.context();
      assertSame(context, scope.context());
      assertThrows(NoSuchElementException.class, () -> context.<String>get("missing"));
      assertNull(context.<String>find("missing"));
      assertFalse(context.remove("missing"));

      context.set("key", 1);
      assertThrows(IllegalStateException.class, () -> context.set("key", 2));
      assertEquals(1, context.<Integer>get("key"));
      context.replace("key", 3);
      assertEquals(3, context.<Integer>get("key"));
      assertThrows(NullPointerException.class, () -> context.set("other", null));

      scope
          .spawn(
              () -> {
                try (Scope inner = Scope.open()) {
                  assertThrows(
                      NoSuchElementException.class, () -> inner.context().<Integer>get("key"));
                }
              })
          .await();
    }
  }

  @InLoop
  @Test
  void itBelongsToItsLoop() throws Exception {
    try (Scope scope = Scope.open()) {
      Context context = scope.context();
      Loop.offload(
          () -> {
            assertThrows(IllegalStateException.class, () -> context.set("key", 1));
            assertThrows(IllegalStateException.class, () -> context.<String>find("key"));
            assertThrows(IllegalStateException.class, scope::context);
            return null;
          });
    }
  }
}
