// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.net.Tcp;
import dev.couv.resilience.Retry;
import dev.couv.time.Time;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The example of the manual's first page: its bug is found.
final class FirstPageTest {
  private static void aDepositCountsOnce(Simulation sim) {
    var balance = new AtomicInteger();
    sim.host(
        "bank",
        () -> {
          try (var listener = Tcp.listen(new InetSocketAddress(7))) {
            listener.serve(
                peer -> {
                  peer.read();
                  balance.incrementAndGet();
                  peer.write("done");
                });
          }
        });
    sim.client(
        "customer",
        () ->
            Retry.of()
                .withAttempts(50)
                .run(
                    () -> {
                      try (var bank = Tcp.connect("bank", 7)) {
                        bank.write("one coin");
                        Time.timeout(Duration.ofSeconds(1), () -> bank.read());
                      }
                    }));
    sim.chaos(
        Chaos.of("bank", "customer")
            .withCrashes(false)
            .withUntil(Duration.ofMillis(20))
            .withPace(Duration.ofMillis(2), Duration.ofSeconds(3)));
    sim.always("a deposit counts once", () -> balance.get() <= 1);
  }

  @Test
  void someSeedFindsTheBug() {
    SimulationFailure found =
        assertThrows(
            SimulationFailure.class,
            () -> {
              for (int seed = 0; seed < 200; seed++) {
                Simulation.run(seed, FirstPageTest::aDepositCountsOnce);
              }
            });
    String told = String.valueOf(found.getMessage());
    assertTrue(told.contains("\"a deposit counts once\" did not hold"), told);
    if (System.getProperty("couv.simulation.show") != null) {
      System.err.println(told);
    }
  }
}
