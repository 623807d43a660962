// SPDX-License-Identifier: Apache-2.0
package dev.couv.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Loop;
import dev.couv.coro.LoopOptions;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Signals that shut a loop down.
class ShutdownSignalTest {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Object> log = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(names = {"INT", "TERM", "HUP"})
  void everybodyIsCancelledAndCleansUpAndTheRunReturns(Signal signal) throws Exception {
    Loop.run(
        LoopOptions.DEFAULT.withShutdownOn(GRACE, Signal.INT, Signal.TERM, Signal.HUP),
        () -> {
          Coroutine.spawn(this::sleepAndCleanUp);
          Coroutine.pause();
          send(signal);
          Time.sleep(HOUR);
          log.add("not reached");
        });

    assertEquals(List.of("cleaned up"), log);
  }

  /// The first leaves an hour for it, the second nothing.
  @Test
  void whoSendsItTwiceIsInAHurry() throws Exception {
    Loop.run(
        LoopOptions.DEFAULT.withShutdownOn(HOUR, Signal.TERM),
        () -> {
          send(Signal.TERM);
          try {
            Time.sleep(HOUR);
          } finally {
            log.add("first");
            Coroutine.protect(
                () -> {
                  send(Signal.TERM);
                  Time.sleep(HOUR);
                });
          }
        });

    assertEquals(List.of("first"), log);
  }

  @Test
  void onlySignalsThatAskForAnEndDo() throws Exception {
    assertThrows(
        IllegalArgumentException.class,
        () -> Loop.run(LoopOptions.DEFAULT.withShutdownOn(GRACE, Signal.USR1), () -> {}));
  }

  private void sleepAndCleanUp() throws Exception {
    try {
      Time.sleep(HOUR);
    } finally {
      Coroutine.protect(
          () -> {
            Time.sleep(Duration.ofMillis(1));
            log.add("cleaned up");
          });
    }
  }

  private static void send(Signal signal) throws Exception {
    Signal.send(ProcessHandle.current().pid(), signal);
  }
}
