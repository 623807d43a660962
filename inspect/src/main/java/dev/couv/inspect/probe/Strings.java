// SPDX-License-Identifier: Apache-2.0
package dev.couv.inspect.probe;

import java.util.LinkedHashMap;
import java.util.Map;

/// Strings that are written once and referred to by their places.
public final class Strings {
  private final Map<String, Integer> places = new LinkedHashMap<>();

  public int index(String text) {
    return places.computeIfAbsent(text, _ -> places.size());
  }

  public int size() {
    return places.size();
  }

  /// All of them, in their order.
  public void write(Json json) {
    json.open('[');
    places.keySet().forEach(json::string);
    json.close(']');
  }
}
