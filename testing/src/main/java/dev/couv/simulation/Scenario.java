// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

/// What a simulation is about: its hosts and clients, and what must hold. It may be set up several times, for the shortest
/// way to a failure: whatever it remembers it must make itself.
@FunctionalInterface
public interface Scenario {
  /// Adds everything to an empty simulation, which then runs.
  void set(Simulation sim) throws Exception;
}
