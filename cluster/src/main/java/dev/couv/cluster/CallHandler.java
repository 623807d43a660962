// SPDX-License-Identifier: Apache-2.0
package dev.couv.cluster;

/// Answers calls, or works on tasks. Runs in a coroutine of its own for each, which is cancelled
/// when nobody wants the answer any more.
@FunctionalInterface
public interface CallHandler<I, O> {
  /// Answers one. What it throws is told to the caller, as a [RemoteFailureException].
  O handle(I input) throws Exception;
}
