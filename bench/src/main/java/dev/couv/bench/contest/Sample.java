// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench.contest;

/// What one server did in one round, and the CPU time it took for it, in nanoseconds.
record Sample(double done, long cpu, long time) {
  double cpuPerUnit() {
    return cpu / done;
  }

  double unitsPerSecond() {
    return done * 1e9 / time;
  }
}
