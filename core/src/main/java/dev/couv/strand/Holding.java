// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

/// Something a coroutine holds and has to give back.
public interface Holding {
  /// The coroutine has ended and still holds it. Must not run user code.
  void holderEnded();
}
