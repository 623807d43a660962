// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

/// What the load saw of one server in one round. Times are in nanoseconds.
record EchoSample(EchoPeer peer, long messages, long cpu, long time, long p50, long p99) {
  static EchoSample parse(EchoPeer peer, String line) {
    String[] fields = line.split(" ", -1);
    return new EchoSample(
        peer,
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]));
  }

  double cpuPerMessage() {
    return (double) cpu / messages;
  }

  /// How much of the time the server had its core.
  double share() {
    return (double) cpu / time;
  }

  double messagesPerSecond() {
    return messages * 1e9 / time;
  }
}
