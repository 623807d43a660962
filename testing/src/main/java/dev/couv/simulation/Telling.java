// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.List;
import java.util.Set;

/// What is told of a simulation that failed: the seed, the faults that it took, and what happened last.
final class Telling {
  private static final int LAST = 30;

  private Telling() {}

  static SimulationFailure of(
      SimulationFailure failure, Simulation sim, Set<Integer> leftOut, int runs) {
    StringBuilder words = new StringBuilder(String.valueOf(failure.getMessage()));
    List<Fault> faults = sim.faults();
    if (!faults.isEmpty()) {
      boolean isByItself = leftOut.size() == faults.size();
      words.append(isByItself ? "\n\nIt takes no fault" : "\n\nFaults that it takes");
      words.append(", of ").append(faults.size()).append(", found in ").append(runs);
      words.append(isByItself ? " runs" : " runs:");
      for (int i = 0; i < faults.size(); i++) {
        if (!leftOut.contains(i)) {
          words.append("\n  ").append(faults.get(i));
        }
      }
    }
    return told(failure, sim, words);
  }

  /// One that says itself why it cannot be repeated.
  static SimulationFailure ofOneThatEscaped(SimulationFailure failure, Simulation sim) {
    return told(failure, sim, new StringBuilder(String.valueOf(failure.getMessage())));
  }

  /// One that went otherwise when it was run again: no fault is to blame, but what the seed does not decide.
  static SimulationFailure ofOneThatDoesNotRepeat(
      SimulationFailure failure, Simulation sim, String second, List<String> suspects) {
    StringBuilder words = new StringBuilder(String.valueOf(failure.getMessage()));
    words.append("\n\nIt did not fail again in that way: something outside of the simulated world");
    words.append(" decides, and the faults are not looked at. With the same seed, another time:");
    words.append("\n  ").append(second);
    words.append("\n\n").append(OutsideCalls.told(suspects));
    return told(failure, sim, words);
  }

  private static SimulationFailure told(
      SimulationFailure failure, Simulation sim, StringBuilder words) {
    words.append("\n\nWhat happened last:");
    List<History.Entry> entries = List.copyOf(sim.stage().history().entries());
    List<String> names = sim.stage().network().nodes().stream().map(Object::toString).toList();
    for (History.Entry entry :
        entries.subList(Math.max(0, entries.size() - LAST), entries.size())) {
      words.append("\n  ").append(line(entry, names));
    }
    words.append("\n\n").append(Page.write(failure.seed(), words.toString(), names, entries));
    SimulationFailure told =
        failure.getCause() == null
            ? new SimulationFailure(failure.seed(), words.toString())
            : new SimulationFailure(failure.seed(), words.toString(), failure.getCause());
    told.setStackTrace(failure.getStackTrace());
    return told;
  }

  private static String line(History.Entry entry, List<String> names) {
    return Moments.text(entry.moment())
        + "  "
        + (entry.from() < 0 ? "" : names.get(entry.from()) + " -> ")
        + (entry.host() < 0 ? "" : names.get(entry.host()) + "  ")
        + entry.what()
        + (entry.detail().isEmpty() ? "" : " " + entry.detail());
  }
}
