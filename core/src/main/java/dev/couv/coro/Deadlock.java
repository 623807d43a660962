// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.List;

/// Nothing can ever wake the coroutines that remain. The message lists them, what each awaits and
/// where it was spawned.
public final class Deadlock extends Error {
  private static final long serialVersionUID = 1L;

  private final transient List<Coroutine<?>> coroutines;

  Deadlock(String listing, List<Coroutine<?>> coroutines) {
    super("nothing can wake the remaining coroutines:\n" + listing);
    this.coroutines = coroutines;
  }

  /// The coroutines that waited for ever.
  public List<Coroutine<?>> coroutines() {
    return coroutines;
  }
}
