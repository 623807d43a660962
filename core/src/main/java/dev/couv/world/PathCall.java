// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A call on paths, which need not be those that its caller knows.
public interface PathCall<T extends @Nullable Object> extends FileCall<T> {
  /// Calls it that in failures, instead of by its path.
  PathCall<T> named(Object subject);

  /// Calls it that in failures, where two paths are concerned.
  PathCall<T> named(Path from, Path to);
}
