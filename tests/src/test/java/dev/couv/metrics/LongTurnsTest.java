// SPDX-License-Identifier: Apache-2.0
package dev.couv.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.Patience;
import dev.couv.coro.CapturedLog;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Turns that held a loop for too long, as a timer.
class LongTurnsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void aTurnThatHeldItsLoopIsCounted() throws Exception {
    LongTurns turns = LongTurns.open();
    turns.bindTo(registry);
    Timer timer = registry.get("couv.loop.turn.long").timer();
    try (turns;
        CapturedLog told = new CapturedLog()) {
      assertEquals(0, timer.count());

      Loop.run(
          LoopOptions.DEFAULT.withTurnLimit(Duration.ofMillis(50)),
          () -> Coroutine.spawn(() -> Patience.until(() -> !told.messages().isEmpty())));
      assertFalse(turns.isClosed());
    }

    assertTrue(turns.isClosed());
    assertTrue(timer.count() >= 1, () -> timer.count() + " turns");
    assertTrue(
        timer.max(TimeUnit.MILLISECONDS) >= 50, () -> timer.max(TimeUnit.MILLISECONDS) + " ms");
  }
}
