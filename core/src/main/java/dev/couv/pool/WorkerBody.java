// SPDX-License-Identifier: Apache-2.0
package dev.couv.pool;

import org.jspecify.annotations.Nullable;

/// What a [Worker] runs: takes the input of the first step, gets the others from [Worker#yield], and
/// returns the output of the last.
@FunctionalInterface
public interface WorkerBody<I extends @Nullable Object, O extends @Nullable Object> {
  /// Runs from the first step to the last.
  O run(I first) throws Exception;
}
