// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Thrown by an await function whose coroutine was resumed explicitly: the wait is over, the
/// operation cancelled, and nothing that it produced is lost.
public final class Resumed extends Error {
  private static final long serialVersionUID = 1L;

  private final transient List<@Nullable Object> values;

  Resumed(String awaited, List<@Nullable Object> values) {
    super("resumed while awaiting " + awaited);
    this.values = values;
  }

  /// What the resumer passed; immutable, may hold nulls.
  public List<@Nullable Object> values() {
    return values;
  }
}
