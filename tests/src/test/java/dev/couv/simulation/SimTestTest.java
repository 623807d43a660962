// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;

/// `@SimTest` as a test uses it.
final class SimTestTest {
  private static final Set<Long> SEEDS = ConcurrentHashMap.newKeySet();

  @SimTest(seeds = 20)
  void runsOnceForEachSeed(Simulation sim) {
    SEEDS.add(sim.random().nextLong());
    sim.client("one", () -> Time.sleep(Duration.ofSeconds(1)));
    sim.eventually("a second has passed", () -> sim.elapsed().toSeconds() == 1);
  }

  @AfterAll
  static void eachWasAnother() {
    assertEquals(20, SEEDS.size());
  }
}
