// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.time.Duration;
import java.util.List;

/// What became of a simulation.
///
/// @param steps how often a host had a turn
/// @param elapsed how much of the simulation's time passed
/// @param hash of everything that happened: equal for equal seeds, in whatever process
/// @param escapes what left the simulated world, and so need not be the same in the next run
public record SimReport(long seed, long steps, Duration elapsed, long hash, List<String> escapes) {}
