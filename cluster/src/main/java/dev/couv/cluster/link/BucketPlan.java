// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster.link;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How a bucket is made.
///
/// @param lifetime after so long without a change a key is gone; null: never
public record BucketPlan(String name, @Nullable Duration lifetime, int replicas) {
  /// It is there already, and keeps its keys so long.
  void checkLifetime(@Nullable Duration there) {
    if (!Objects.equals(lifetime, there)) {
      throw new IllegalArgumentException(
          name
              + " keeps its keys for "
              + told(there)
              + " already, not for "
              + told(lifetime)
              + ": all who use it must say the same");
    }
  }

  private static String told(@Nullable Duration lifetime) {
    return lifetime == null ? "ever" : lifetime.toString();
  }
}
