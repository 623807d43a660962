// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs a scenario; one that fails is run again, to see whether it is the seed that decides. If it is, then without some of its
/// faults, as long as it still fails in that way, until each of those that are left is needed for it, or it has been tried often
/// enough.
final class Shrinking {
  private static final int MOST_RUNS = 200;
  private static final int MOST_TRIES = 3;
  private static final long MOST_NANOS = 20_000_000_000L;

  private record Outcome(
      Simulation sim, long hash, @Nullable SimReport report, @Nullable SimulationFailure failure) {
    Outcome(Simulation sim, @Nullable SimReport report, @Nullable SimulationFailure failure) {
      this(sim, sim.stage().history().hash(), report, failure);
    }

    /// Whether it went wrong as another run did; perhaps at another moment.
    boolean isLike(SimulationFailure other) {
      return failure != null && kind(failure).equals(kind(other));
    }

    boolean isSameAs(Outcome other) {
      return other.failure != null && isLike(other.failure) && hash == other.hash;
    }

    /// What was thrown; or what is told in one line, without when that was.
    private static String kind(SimulationFailure failure) {
      return failure.getCause() == null
          ? line(failure).replaceFirst("^seed .*? steps: ", "")
          : failure.getCause().getClass().getName();
    }

    private static String line(SimulationFailure failure) {
      return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    String told() {
      return failure == null ? "it passed" : line(failure);
    }
  }

  private final long seed;
  private final Scenario scenario;
  private final Class<?> program;
  private int runs;

  private Shrinking(long seed, Scenario scenario, Class<?> program) {
    this.seed = seed;
    this.scenario = scenario;
    this.program = program;
  }

  /// @param program where the scenario is from: what it refers to is looked at if a run does not repeat
  static SimReport run(long seed, Scenario scenario, Class<?> program) {
    return new Shrinking(seed, scenario, program).run();
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
    if (first.sim().stage().hasEscaped()) {
      throw Telling.ofOneThatEscaped(failure, first.sim());
    }
    Outcome last = first;
    for (int i = 0; i < MOST_TRIES; i++) {
      Outcome next = once(Set.of());
      SimulationFailure again = next.failure();
      if (again != null && next.isSameAs(last)) {
        throw shrunk(next, again);
      }
      last = next;
      if (!next.isLike(failure)) {
        break; // else the first may have met another simulation at a lock for too long
      }
    }
    throw Telling.ofOneThatDoesNotRepeat(
        failure, first.sim(), last.told(), OutsideCalls.of(program));
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

  /// Finds which faults are not needed: those that were still to come; then many at once, then fewer.
  private SimulationFailure shrunk(Outcome first, SimulationFailure failure) {
    long end = System.nanoTime() + MOST_NANOS;
    List<Fault> faults = first.sim().faults();
    Set<Integer> leftOut = new HashSet<>();
    for (int i = 0; i < faults.size(); i++) {
      if (faults.get(i).at().compareTo(first.sim().elapsed()) > 0) {
        leftOut.add(i);
      }
    }
    SimulationFailure told = failure;
    Simulation least = first.sim();
    int all = faults.size() - leftOut.size();
    for (int piece = Math.max(1, all / 2); piece >= 1; piece = piece == 1 ? 0 : piece / 2) {
      List<Integer> left = new ArrayList<>();
      for (int i = 0; i < faults.size(); i++) {
        if (!leftOut.contains(i)) {
          left.add(i);
        }
      }
      for (int from = 0; from < left.size(); from += piece) {
        if (runs >= MOST_RUNS || System.nanoTime() - end > 0) {
          return Telling.of(told, least, leftOut, runs);
        }
        Set<Integer> tried = new HashSet<>(leftOut);
        tried.addAll(left.subList(from, Math.min(left.size(), from + piece)));
        Outcome fewer = once(tried);
        if (fewer.failure() != null && fewer.isLike(failure)) {
          leftOut = tried;
          told = fewer.failure();
          least = fewer.sim();
        }
      }
    }
    return Telling.of(told, least, leftOut, runs);
  }
}
