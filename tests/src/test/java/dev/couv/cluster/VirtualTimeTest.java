// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.couv.simulation.SimTest;
import dev.couv.simulation.Simulation;
import dev.couv.testing.InLoop;
import dev.couv.testing.TestClock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// A cluster has threads, a client and a time that are not of the loop: where time is virtual it is
/// refused, and not waited for in vain.
class VirtualTimeTest {
  private static void assertRefused() {
    for (Executable each :
        List.<Executable>of(
            () -> Cluster.local(),
            () -> Cluster.local("here"),
            () -> Cluster.connect("nats://127.0.0.1:1"))) {
      UnsupportedOperationException told = assertThrows(UnsupportedOperationException.class, each);

      assertTrue(told.getMessage().contains("virtual"), told::getMessage);
    }
  }

  @InLoop
  @Test
  void aClusterIsRefusedByATestClock(TestClock clock) {
    assertRefused();
  }

  @SimTest(seeds = 1)
  void aClusterIsRefusedInASimulatedWorld(Simulation sim) {
    sim.client("a", VirtualTimeTest::assertRefused);
  }
}
