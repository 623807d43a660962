// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.one;

import java.time.Duration;

/// What a client may still send after the last answer.
final class Lingering {
  static final Duration TIME = Duration.ofSeconds(2);
  static final long BYTES = 1 << 20;

  private Lingering() {}
}
