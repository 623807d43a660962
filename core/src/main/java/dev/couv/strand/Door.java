// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Operation;

/// One strand's door to suspension.
interface Door {
  /// Starts the operation and suspends the strand, which is the caller, until it is complete.
  void await(Operation operation);
}
