// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// Where a strand that becomes ready is put.
enum Placement {
  /// At the back of the ready queue.
  BACK,
  /// Before everything else: it was resumed explicitly, or waited for one that was.
  NEXT
}
