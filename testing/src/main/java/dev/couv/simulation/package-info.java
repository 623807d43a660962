// SPDX-License-Identifier: Apache-2.0
/// Whole distributed programs in one thread, in virtual time, and repeated exactly by a seed: hosts, a network and its
/// faults. See `docs/manual/simulation.md`.
@org.jspecify.annotations.NullMarked
package dev.couv.simulation;
