// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.process.Child;
import dev.couv.process.Command;
import dev.couv.process.Exit;
import dev.couv.signal.Signal;
import dev.couv.signal.SignalWatch;
import dev.couv.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Signals that come while a program stands still.
final class SimulatedSignalsTest {
  private static void later(Simulation sim, int second, Runnable done) {
    sim.after(Duration.ofSeconds(second), done);
  }

  /// A pause is one of its collector: the system goes on, and has it know of each.
  @Test
  void eachThatComesWhileAHostIsPausedIsAwaited() {
    List<Signal> heard = new ArrayList<>();
    Simulation.run(
        1,
        sim -> {
          sim.client(
              "user",
              () -> {
                for (int i = 0; i < 3; i++) {
                  heard.add(Signal.await(Signal.TERM, Signal.USR1));
                }
              });
          later(sim, 1, () -> sim.pause("user"));
          for (Signal signal : List.of(Signal.USR1, Signal.TERM, Signal.USR1)) {
            later(sim, 2, () -> sim.signal("user", signal));
          }
          later(sim, 3, () -> sim.resume("user"));
        });
    assertEquals(List.of(Signal.USR1, Signal.TERM, Signal.USR1), heard);
  }

  /// The system keeps one of a kind for it, but each of those in real time.
  @Test
  void oneOfAKindWaitsForAProgramThatIsStopped() {
    List<Signal> heard = new ArrayList<>();
    Simulation.run(
        1,
        sim -> {
          sim.program(
              "listen",
              _ -> {
                try (SignalWatch watch = Signal.watch(Signal.HUP, Signal.USR1, Signal.SIG40)) {
                  while (heard.size() < 4) {
                    heard.add(watch.next());
                  }
                }
                return 0;
              });
          sim.client(
              "user",
              () -> {
                try (Child child = Command.of("listen").start()) {
                  Time.sleep(Duration.ofSeconds(1));
                  for (Signal signal :
                      List.of(
                          Signal.STOP,
                          Signal.SIG40,
                          Signal.USR1,
                          Signal.USR1,
                          Signal.HUP,
                          Signal.SIG40,
                          Signal.CONT)) {
                    child.signal(signal);
                    Time.sleep(Duration.ofSeconds(1));
                  }
                  assertEquals(new Exit.Code(0), child.exit());
                }
              });
        });
    assertEquals(List.of(Signal.HUP, Signal.USR1, Signal.SIG40, Signal.SIG40), heard);
  }
}
