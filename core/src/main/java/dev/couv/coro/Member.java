// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Selectable;
import dev.couv.strand.Sources;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What users await, as wakers know it.
final class Member {
  private Member() {}

  static Selectable<?> of(@Nullable Awaitable<?> awaitable) {
    Objects.requireNonNull(awaitable, "a member is null");
    return switch (awaitable) {
      case Selectable<?> itself -> itself;
      case Coroutine<?> coroutine -> coroutine.end();
      case Event<?> event -> event.source();
      default -> {
        Selectable<?> shown = Sources.of(awaitable);
        yield shown == null ? new Proxy<>(awaitable) : shown;
      }
    };
  }

  /// One after the other, when it is asked for.
  static Iterator<Selectable<?>> of(Iterator<? extends Awaitable<?>> awaitables) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return awaitables.hasNext();
      }

      @Override
      public Selectable<?> next() {
        return of(awaitables.next());
      }
    };
  }
}
