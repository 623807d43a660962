// SPDX-License-Identifier: Apache-2.0
package dev.couv.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

final class SequencerTest {
  private final Sequencer sequencer = new Sequencer();
  private final List<String> order = new ArrayList<>();

  @Test
  void stepsComeInTheirOrderWhoeverTakesThem() throws Exception {
    Loop.run(
        () -> {
          Coroutine.spawn(
              () -> {
                step("a", 2);
                step("a", 3);
                step("a", 5);
              });
          Coroutine.spawn(
              () -> {
                step("b", 0);
                step("b", 4);
              });
          step("main", 1);
        });

    assertEquals(List.of("b0", "main1", "a2", "a3", "b4", "a5"), order);
  }

  @Test
  void stepDoesNotBeginBeforeTheOneBeforeItHasEnded() throws Exception {
    Loop.run(
        () -> {
          Coroutine.spawn(() -> step("next", 1));
          try (var _ = sequencer.step(0)) {
            for (int i = 0; i < 10; i++) {
              Coroutine.pause();
            }
            order.add("ends");
          }
        });

    assertEquals(List.of("ends", "next1"), order);
  }

  @InLoop
  @Test
  void stepIsTakenOnce() throws Exception {
    step("main", 0);

    assertThrows(IllegalStateException.class, () -> sequencer.step(0));
  }

  @InLoop
  @Test
  void negativeStepIsRefused() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> sequencer.step(-1));
  }

  @Test
  void stepThatNobodyTakesIsADeadlockThatNamesTheNext() {
    Deadlock deadlock = assertThrows(Deadlock.class, () -> Loop.run(() -> step("main", 7)));

    assertTrue(deadlock.getMessage().contains("the turn of step 7"), deadlock.getMessage());
  }

  @Test
  void stepsAfterACancelledOneNeverBegin() throws Exception {
    Loop.run(
        () -> {
          Coroutine<?> cancelled = Coroutine.spawn(() -> step("cancelled", 1));
          Coroutine<?> waiting = Coroutine.spawn(() -> step("waiting", 2));
          Coroutine.pause(); // both wait
          cancelled.cancel();

          assertThrows(CancellationException.class, cancelled::await);
          assertThrows(IllegalStateException.class, waiting::await);
          assertThrows(IllegalStateException.class, () -> sequencer.step(3));
          step("main", 0);
        });

    assertEquals(List.of("main0"), order);
  }

  private void step(String who, int number) throws Exception {
    try (var _ = sequencer.step(number)) {
      order.add(who + number);
      Coroutine.pause();
    }
  }
}
