// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// Whether [Resources] hand anything out.
public enum BreakerState {
  /// Everything works.
  ACTIVE,
  /// Too many failures, or switched off: whoever asks is refused.
  INACTIVE,
  /// One at a time may try; success makes it active again.
  RECOVERING
}
