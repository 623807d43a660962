// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.Failures;
import dev.couv.world.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The variables and the directory of a process in memory.
final class MemoryEnvironment implements Environment {
  private final MemoryProcess process;
  private final Map<String, String> variables = new LinkedHashMap<>();

  MemoryEnvironment(MemoryProcess process, Map<String, String> variables) {
    this.process = process;
    this.variables.putAll(variables);
  }

  @Override
  public @Nullable String get(String name) {
    return variables.get(name);
  }

  @Override
  public void set(String name, String value) throws IOException {
    check(name, "setenv");
    variables.put(name, value);
  }

  @Override
  public void unset(String name) throws IOException {
    check(name, "unsetenv");
    variables.remove(name);
  }

  private static void check(String name, String call) throws IOException {
    if (name.isEmpty() || name.indexOf('=') >= 0) {
      throw Failures.named("EINVAL", call, name);
    }
  }

  @Override
  public Map<String, String> all() {
    return new LinkedHashMap<>(variables);
  }

  @Override
  public Path dir() {
    return process.dir();
  }

  @Override
  public void setDir(Path dir) throws IOException {
    try {
      Tree.Place place = process.node().tree().find(process.absolute(dir), true);
      if (!place.existing().isDirectory()) {
        throw new Errno("ENOTDIR");
      }
      process.dir(place.path());
    } catch (Errno met) {
      throw Failures.ofFile(met.code(), "chdir", dir.toString());
    }
  }
}
