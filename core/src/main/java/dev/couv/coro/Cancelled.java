// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.CancelRegion;

/// Thrown by every await of a coroutine that was cancelled, so that it unwinds and ends. It is an
/// `Error` so that `catch (Exception e)` cannot eat it. Catch it only to clean up, and rethrow it.
public final class Cancelled extends Error {
  private static final long serialVersionUID = 1L;

  private final transient CancelRegion region;

  Cancelled(CancelRegion region, String message) {
    super(message);
    this.region = region;
  }

  /// The region whose end this unwinds to.
  CancelRegion region() {
    return region;
  }
}
