// SPDX-License-Identifier: Apache-2.0
package dev.couv.bench;

import java.util.EnumMap;
import java.util.Map;

/// One sample of each server, taken one right after the other.
final class EchoRound {
  private final Map<EchoPeer, EchoSample> samples = new EnumMap<>(EchoPeer.class);

  void add(EchoSample sample) {
    samples.put(sample.peer(), sample);
  }

  EchoSample of(EchoPeer peer) {
    EchoSample sample = samples.get(peer);
    if (sample == null) {
      throw new IllegalArgumentException(peer + " was not measured");
    }
    return sample;
  }

  /// Whether another process took a core for a good part of the time. A server of this load is never
  /// idle, so it has its core for itself or it is kept from it.
  boolean isDisturbed() {
    return samples.values().stream().anyMatch(sample -> sample.share() < 0.8);
  }

  /// The server's CPU time per message, by that of the first.
  double ratio(EchoPeer peer, EchoPeer base) {
    return of(peer).cpuPerMessage() / of(base).cpuPerMessage();
  }
}
