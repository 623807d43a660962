// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

/// What a coroutine runs, when it has no result.
@FunctionalInterface
public interface Action {
  /// Does it, in a coroutine.
  void run() throws Exception;
}
