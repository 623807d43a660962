// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import dev.couv.coro.Loop;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Large things in memory.
record LocalVault(Map<String, byte[]> things) implements Vault {
  @Override
  public void put(String name, Source from) throws Exception {
    things.put(
        name,
        Loop.offload(
            () -> {
              try (InputStream stream = from.open()) {
                return stream.readAllBytes();
              }
            }));
  }

  @Override
  public boolean get(String name, Target to) throws Exception {
    byte[] bytes = things.get(name);
    if (bytes == null) {
      return false;
    }
    return Loop.offload(
        () -> {
          to.take(stream -> stream.write(bytes));
          return true;
        });
  }

  @Override
  public @Nullable Thing find(String name) {
    byte[] bytes = things.get(name);
    return bytes == null ? null : new Thing(name, bytes.length);
  }

  @Override
  public boolean delete(String name) {
    return things.remove(name) != null;
  }

  @Override
  public List<Thing> list() {
    return things.entrySet().stream()
        .map(each -> new Thing(each.getKey(), each.getValue().length))
        .sorted((one, other) -> one.name().compareTo(other.name()))
        .toList();
  }
}
