// SPDX-License-Identifier: Apache-2.0
package dev.couv.strand;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How public types that can be awaited show what they are to wakers, and not to users. Any thread.
public final class Sources {
  private static final Map<Class<?>, Function<Object, Selectable<?>>> SHOWN =
      new ConcurrentHashMap<>();

  private Sources() {}

  /// Objects of that final class are awaited by way of what `source` makes of them. By the class itself, before there
  /// are any.
  public static <A> void show(Class<A> type, Function<? super A, Selectable<?>> source) {
    SHOWN.put(type, object -> source.apply(type.cast(object)));
  }

  /// That of the object, or null if its class shows none.
  public static @Nullable Selectable<?> of(Object awaitable) {
    Function<Object, Selectable<?>> source = SHOWN.get(awaitable.getClass());
    return source == null ? null : source.apply(awaitable);
  }
}
