// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import dev.couv.loop.Conditions;
import java.util.function.BooleanSupplier;

/// Coroutines that wait until something is so: [Conditions], and the way to wait for one.
public final class Until extends Conditions {
  /// Waits until it is so.
  public void await(BooleanSupplier met, String what) {
    do {
      Suspension.await(until(met, what));
    } while (!met.getAsBoolean());
  }
}
