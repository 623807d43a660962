// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

/// Whether [Resources] hand anything out.
public enum BreakerState {
  /// Resources are handed out.
  ACTIVE,
  /// Too many failures, or switched off: whoever asks is refused.
  INACTIVE,
  /// One at a time is handed out, to try; success makes it active again.
  RECOVERING
}
