// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What children inherit: variables and a directory. Any thread.
public interface Environment {
  /// The value, or null if there is no such variable.
  @Nullable String get(String name) throws IOException;

  void set(String name, String value) throws IOException;

  void unset(String name) throws IOException;

  /// All variables, in a map that is the caller's.
  Map<String, String> all() throws IOException;

  /// The directory that relative paths start from.
  Path dir() throws IOException;

  void setDir(Path dir) throws IOException;
}
