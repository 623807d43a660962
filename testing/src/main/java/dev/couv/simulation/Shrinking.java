// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs a scenario; one that fails is run again without some of its faults, as long as it still fails, until each of those that
/// are left is needed for it, or it has been tried often enough.
final class Shrinking {
  private static final int MOST_RUNS = 200;
  private static final long MOST_NANOS = 20_000_000_000L;

  private record Outcome(
      Simulation sim, @Nullable SimReport report, @Nullable SimulationFailure failure) {}

  private final long seed;
  private final Scenario scenario;
  private int runs;

  private Shrinking(long seed, Scenario scenario) {
    this.seed = seed;
    this.scenario = scenario;
  }

  static SimReport run(long seed, Scenario scenario) {
    return new Shrinking(seed, scenario).run();
  }

  private SimReport run() {
    Outcome first = once(Set.of());
    if (first.report() != null) {
      return first.report();
    }
    SimulationFailure failure = first.failure();
    if (failure == null) {
      throw new AssertionError("neither a report nor a failure");
    }
    int all = first.sim().faults().size();
    Set<Integer> leftOut = all == 0 ? Set.of() : shrink(all);
    throw Telling.of(failure, all == 0 ? first.sim() : once(leftOut).sim(), leftOut, runs);
  }

  private Outcome once(Set<Integer> leftOut) {
    runs++;
    Simulation sim = new Simulation(seed, leftOut);
    try {
      scenario.set(sim);
      sim.stage().run();
      return new Outcome(sim, sim.stage().report(), null);
    } catch (SimulationFailure failed) {
      return new Outcome(sim, null, failed);
    } catch (Exception | Error broken) {
      return new Outcome(sim, null, sim.stage().failure("it could not go on: " + broken, broken));
    } finally {
      sim.stage().close();
    }
  }

  /// Which faults are not needed: first many at once, then fewer.
  private Set<Integer> shrink(int all) {
    long end = System.nanoTime() + MOST_NANOS;
    Set<Integer> leftOut = new HashSet<>();
    for (int piece = Math.max(1, all / 2); piece >= 1; piece = piece == 1 ? 0 : piece / 2) {
      List<Integer> left = new ArrayList<>();
      for (int i = 0; i < all; i++) {
        if (!leftOut.contains(i)) {
          left.add(i);
        }
      }
      for (int from = 0; from < left.size(); from += piece) {
        if (runs >= MOST_RUNS || System.nanoTime() - end > 0) {
          return leftOut;
        }
        Set<Integer> tried = new HashSet<>(leftOut);
        tried.addAll(left.subList(from, Math.min(left.size(), from + piece)));
        if (once(tried).failure() != null) {
          leftOut = tried;
        }
      }
    }
    return leftOut;
  }
}
