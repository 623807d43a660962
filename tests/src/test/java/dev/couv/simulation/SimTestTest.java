// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.couv.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// `@SimTest` as a test uses it.
final class SimTestTest {
  private static final Set<Long> SEEDS = ConcurrentHashMap.newKeySet();

  @SimTest(seeds = 20)
  void runsOnceForEachSeed(Simulation sim) {
    SEEDS.add(sim.random().nextLong());
    sim.client("one", () -> Time.sleep(Duration.ofSeconds(1)));
    sim.eventually("a second has passed", () -> sim.elapsed().toSeconds() == 1);
  }

  /// What becomes of the tests of a class, by their names: null if they pass.
  private static Map<String, @Nullable Throwable> run(Class<?> tests) {
    Map<String, @Nullable Throwable> results = new HashMap<>();
    LauncherConfig alone =
        LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();
    LauncherFactory.create(alone)
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                  results.put(
                      test.getDisplayName().replaceFirst("\\(.*", ""),
                      result.getThrowable().orElse(null));
                }
              }
            });
    return results;
  }

  static final class Samples {
    private static final CountDownLatch SECOND = new CountDownLatch(1);

    @SimTest(seeds = 0)
    void none(Simulation sim) {
      sim.client("one", () -> {});
    }

    private static boolean isSeed(long seed, long first) {
      return new Simulation(seed, Set.of()).random().nextLong() == first;
    }

    /// The second and the third seed fail, and the third sooner.
    @SimTest(seeds = 20)
    void two(Simulation sim) throws Exception {
      long first = sim.random().nextLong();
      sim.client("one", () -> {});
      if (isSeed(1, first)) {
        if (SECOND.await(5, TimeUnit.SECONDS)) {
          Thread.sleep(200);
        }
        throw new IllegalStateException("second");
      } else if (isSeed(2, first)) {
        SECOND.countDown();
        throw new IllegalStateException("third");
      }
    }
  }

  @Test
  void whatRunsNothingDoesNotPass() {
    Throwable none = run(Samples.class).get("none");
    assertTrue(String.valueOf(none).contains("@SimTest(seeds = 0) of none runs nothing"));
  }

  @Test
  void theLowestSeedThatFailsIsTold() {
    SimulationFailure told =
        assertInstanceOf(SimulationFailure.class, run(Samples.class).get("two"));
    assertEquals(1, told.seed());
  }

  private static String refusal(String value, long least) {
    String property = "couv.simulation.test";
    System.setProperty(property, value);
    try {
      return String.valueOf(
          assertThrows(IllegalArgumentException.class, () -> SeededMethods.asked(property, least))
              .getMessage());
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void aPropertyThatIsNoNumberIsRefused() {
    assertEquals("-Dcouv.simulation.test=-4 is no whole number from 1 on", refusal("-4", 1));
    assertEquals("-Dcouv.simulation.test=abc is no whole number from 1 on", refusal("abc", 1));
    assertEquals("-Dcouv.simulation.test=x is no whole number", refusal("x", Long.MIN_VALUE));
    assertNull(SeededMethods.asked("couv.simulation.test", 1));
  }

  @AfterAll
  static void eachWasAnother() {
    assertEquals(20, SEEDS.size());
  }
}
