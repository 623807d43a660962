// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.serve;

import java.time.Duration;

/// What a client may still send after the last answer.
public final class Lingering {
  /// For so long.
  public static final Duration TIME = Duration.ofSeconds(2);

  /// And so much.
  public static final long BYTES = 1 << 20;

  private Lingering() {}
}
