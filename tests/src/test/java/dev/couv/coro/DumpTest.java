// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A loop's coroutines and scopes as a tree.
@SuppressWarnings("try") // closing a scope waits, and throws what failed
class DumpTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void scopesStandBelowWhoOpenedThemAndCoroutinesBelowTheirScopes() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          Coroutine.spawn(() -> Time.sleep(HOUR)).named("beside");
          try (Scope outer = Scope.open().named("outer")) {
            outer.spawn(DumpTest::nest).named("opener");
            Time.sleep(Duration.ofMinutes(1));
            outer.spawn(() -> Time.sleep(HOUR)).named("late");

            List<String> tree = shape(Loop.current().dump());

            assertEquals(
                List.of(
                    "  main RUNNING",
                    "    scope outer",
                    "      opener SUSPENDED",
                    "        scope inner",
                    "          leaf SUSPENDED",
                    "          scope",
                    "            other leaf SUSPENDED",
                    "      late READY",
                    "  beside SUSPENDED"),
                tree);
          }
        });
  }

  private static void nest() throws Exception {
    try (Scope inner = Scope.open().named("inner");
        Scope unnamed = Scope.open()) {
      inner.spawn(() -> Time.sleep(HOUR)).named("leaf");
      unnamed.spawn(() -> Time.sleep(HOUR)).named("other leaf");
    }
  }

  @Test
  void itSaysWhatIsAwaitedAndSinceWhen() throws Exception {
    Loop.run(
        JumpingTime.options(),
        () -> {
          try (Scope scope = Scope.open(ScopePolicy.ZOMBIES)) {
            Coroutine<?> target = scope.spawn(() -> Time.sleep(HOUR)).named("target");
            scope.spawn(() -> target.await()).named("waiter");
            Time.sleep(Duration.ofMinutes(1));
            scope.cancel();
            scope.close();

            String dump = Loop.current().dump();

            assertTrue(
                dump.contains(
                    "waiter SUSPENDED, awaiting the end of target for 60000 ms, spawned at "
                        + "dev.couv.coro.DumpTest"),
                dump);
            assertTrue(
                dump.contains("  scope, 2 active, cancelled: its scope was cancelled, left\n"),
                dump);
          }
        });
  }

  @Test
  void aWaitThatHasJustBegunIsNotToldAsLongAsTheTurnBeforeIt() throws Exception {
    long[] added = {0};
    Loop.run(
        LoopOptions.DEFAULT.withTime(() -> 1 + added[0]),
        () -> {
          Coroutine<?> busy =
              Coroutine.spawn(
                  () -> {
                    for (int i = 0; i < 3; i++) {
                      added[0] += HOUR.toNanos(); // a long turn
                      Coroutine.halt();
                    }
                  });
          for (int i = 0; i < 3; i++) {
            Loop.offload(() -> null); // a turn of its own

            String dump = Loop.current().dump();

            assertTrue(dump.contains("awaiting a resume, halted for 0 ms"), dump);
            busy.resume();
          }
        });
  }

  /// Names and statuses, with their indentation.
  private static List<String> shape(String dump) {
    return dump.lines().skip(1).map(line -> line.replaceFirst(",.*", "")).toList();
  }
}
