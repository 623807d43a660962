// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

/// A simulation went wrong: a host or client failed, something did not hold, or nothing could happen any more. Its message has
/// the seed, with which it goes wrong again in the same way.
public final class SimulationFailure extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final long seed;

  SimulationFailure(long seed, String message, Throwable cause) {
    super(message, cause);
    this.seed = seed;
  }

  SimulationFailure(long seed, String message) {
    super(message);
    this.seed = seed;
  }

  /// What the run was made from.
  public long seed() {
    return seed;
  }
}
