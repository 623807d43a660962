// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import dev.couv.memory.Entropy;
import dev.couv.memory.Node;
import dev.couv.memory.Routes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The ways between the hosts of a simulation: how long they take, what they lose, and which are cut.
final class Links implements Routes {
  private record Way(Node from, Node to) {}

  private static final long WITHIN_A_HOST = 20_000;

  private final Entropy entropy;
  private final Map<Way, Weather> weather = new HashMap<>();

  /// For a while, whatever the weather is else.
  private final Map<Way, Weather> storms = new HashMap<>();

  private final Set<Way> cuts = new HashSet<>();
  private Weather everywhere = Weather.CALM;

  Links(Entropy entropy) {
    this.entropy = entropy;
  }

  void weather(Weather newWeather) {
    everywhere = newWeather;
  }

  void weather(Node from, Node to, Weather newWeather) {
    weather.put(new Way(from, to), newWeather);
  }

  void storm(Node from, Node to, Weather meanwhile) {
    storms.put(new Way(from, to), meanwhile);
  }

  void calm(Node from, Node to) {
    storms.remove(new Way(from, to));
  }

  void cut(Node from, Node to) {
    cuts.add(new Way(from, to));
  }

  void heal(Node from, Node to) {
    cuts.remove(new Way(from, to));
  }

  void heal() {
    cuts.clear();
  }

  private Weather of(Node from, Node to) {
    if (weather.isEmpty() && storms.isEmpty()) {
      return everywhere;
    }
    Way way = new Way(from, to);
    Weather storm = storms.get(way);
    return storm == null ? weather.getOrDefault(way, everywhere) : storm;
  }

  @Override
  public boolean isOpen(Node from, Node to) {
    return cuts.isEmpty() || from == to || !cuts.contains(new Way(from, to));
  }

  @Override
  public long latency(Node from, Node to) {
    return from == to ? WITHIN_A_HOST : of(from, to).latency(entropy);
  }

  @Override
  public boolean loses(Node from, Node to) {
    return from != to && entropy.chance(of(from, to).loss());
  }

  @Override
  public boolean repeats(Node from, Node to) {
    return from != to && entropy.chance(of(from, to).duplication());
  }
}
