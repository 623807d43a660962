// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.loop.Conditions;
import java.util.function.BooleanSupplier;

/// Coroutines that wait until something is so: [Conditions], and the way to wait for one.
final class Until extends Conditions {
  void await(BooleanSupplier met, String what) {
    do {
      Suspension.await(until(met, what));
    } while (!met.getAsBoolean());
  }
}
