// SPDX-License-Identifier: Apache-2.0
package dev.couv.resilience;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An attempt that has ended, as a [Retry] tells it.
///
/// @param number the first is 1
/// @param took how long it lasted
/// @param failure what it threw, or null if it succeeded
/// @param pause how long the next is waited for, or null if there is none
public record Attempt(
    int number, Duration took, @Nullable Exception failure, @Nullable Duration pause) {
  /// Refuses null for the time that it took.
  public Attempt {
    Objects.requireNonNull(took, "took");
  }

  /// Whether it brought a result.
  public boolean succeeded() {
    return failure == null;
  }

  /// Whether it failed, and there is no other.
  public boolean isGivenUp() {
    return failure != null && pause == null;
  }
}
