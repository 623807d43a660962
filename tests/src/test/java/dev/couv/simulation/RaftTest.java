// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The example of a replicated store holds under faults, and what is wrong with a wrong one is found.
@Tag("storm")
final class RaftTest {
  private static final long A_MINUTE = 60_000_000_000L;

  @SimTest(seeds = 50)
  void theStoreIsAsOneInSpiteOfFaults(Simulation sim) {
    RaftWorld.set(sim, RaftWorld.Bug.NONE);
  }

  @Test
  void theSameSeedMakesTheSameRun() {
    SimReport first = Simulation.run(7, sim -> RaftWorld.set(sim, RaftWorld.Bug.NONE));
    SimReport second = Simulation.run(7, sim -> RaftWorld.set(sim, RaftWorld.Bug.NONE));
    SimReport other = Simulation.run(8, sim -> RaftWorld.set(sim, RaftWorld.Bug.NONE));

    assertEquals(first, second);
    assertNotEquals(first.hash(), other.hash());
  }

  private static long processorTime() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /// One thread looks for each, from the first seed on. The minute is one of the processor, which others use as well.
  @SuppressWarnings("SystemOut") // the figures of the manual
  @ParameterizedTest
  @EnumSource(value = RaftWorld.Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aBugIsFoundWithinAMinute(RaftWorld.Bug bug) {
    long start = processorTime();
    for (long seed = 0; processorTime() - start < A_MINUTE; seed++) {
      try {
        Simulation.run(seed, sim -> RaftWorld.set(sim, bug));
      } catch (SimulationFailure found) {
        String took = (processorTime() - start) / 1_000_000 + " ms";
        System.out.println(bug + " by seed " + seed + " after " + took);
        assertTrue(found.getMessage().contains("seed " + seed), found::getMessage);
        return;
      }
    }
    fail(bug + " was not found");
  }
}
