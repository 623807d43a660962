// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.Objects;
import java.util.function.Supplier;

/// One value in each loop, made when a coroutine of the loop first asks for it. For the packages
/// whose functions are static, but mean the caller's loop. One that is `AutoCloseable` is closed when the
/// loop is, after its last coroutine has ended.
public final class LoopLocal<T> {
  private final Supplier<T> made;

  public LoopLocal(Supplier<T> made) {
    this.made = Objects.requireNonNull(made, "made");
  }

  /// The value of the calling coroutine's loop, for a function named `call`.
  @SuppressWarnings("unchecked") // only this puts anything there
  public T get(String call) {
    return (T)
        Strand.current(Objects.requireNonNull(call, "call")).scheduler().locals().get(this, made);
  }
}
