// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.coro.Coroutine;
import dev.couv.coro.Deadlock;
import dev.couv.coro.Loop;
import dev.couv.coro.Resumed;
import dev.couv.testing.InLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Waiting until something is open.
class GateTest {
  private final List<Object> log = new ArrayList<>();

  private Coroutine<?> visitor(Gate gate, Object name) {
    return Coroutine.spawn(
        () -> {
          gate.await();
          log.add(name);
        });
  }

  @InLoop
  @Test
  void everybodyPassesAnOpenGateWithoutWaiting() throws Exception {
    Gate gate = new Gate(true);
    Coroutine<?> other = Coroutine.spawn(() -> log.add("another had a turn"));
    gate.await();
    gate.await();

    assertEquals(List.of(), log);
    other.await();
  }

  @InLoop
  @Test
  void openingLetsAllThroughInTheirOrderEvenIfItClosesAtOnce() throws Exception {
    Gate gate = new Gate();
    visitor(gate, 1);
    visitor(gate, 2);
    visitor(gate, 3);
    Coroutine.pause();
    assertFalse(gate.isOpen());

    gate.open();
    gate.close();
    Coroutine<?> late = visitor(gate, "late");
    Coroutine.pause();

    assertEquals(List.of(1, 2, 3), log);
    late.cancel();
  }

  @InLoop
  @Test
  void oneWhoLeavesDoesNotDisturbTheOthers() throws Exception {
    Gate gate = new Gate();
    Coroutine<?> cancelled = visitor(gate, "cancelled");
    Coroutine<?> resumed =
        Coroutine.spawn(() -> log.addAll(assertThrows(Resumed.class, gate::await).values()));
    Coroutine<?> patient = visitor(gate, "patient");
    Coroutine.pause();

    cancelled.cancel();
    resumed.resume("resumed");
    assertThrows(CancellationException.class, cancelled::await);
    gate.open();
    patient.await();

    assertEquals(List.of("resumed", "patient"), log);
  }

  @InLoop
  @Test
  void otherThreadsAreRefused() throws Exception {
    Gate early = new Gate();
    early.open();
    early.await();
    Gate gate = new Gate();
    Loop.offload(
        () -> {
          assertThrows(IllegalStateException.class, gate::open);
          assertThrows(IllegalStateException.class, early::close);
          assertThrows(IllegalStateException.class, gate::await);
          return null;
        });

    assertFalse(gate.isOpen());
    assertTrue(early.isOpen());
  }

  @Test
  void waitingForAGateThatNobodyOpensIsADeadlock() {
    Deadlock deadlock = assertThrows(Deadlock.class, () -> Loop.run(() -> new Gate().await()));

    assertTrue(deadlock.getMessage().contains("a gate to open"), deadlock::getMessage);
  }
}
