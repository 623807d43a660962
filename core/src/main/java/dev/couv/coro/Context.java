// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Strand;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Values of a scope that the coroutines in it see, and those of the scopes inside. A scope inside may
/// have its own value for a key, which hides the outer one from its coroutines and from nobody else.
///
/// Keys are compared by `equals`; the type of a value is what the caller says it is.
public final class Context {
  private final Block scope;
  private final Map<Object, Object> values = new HashMap<>(0);

  Context(Block scope) {
    this.scope = scope;
  }

  /// The context of the calling coroutine's scope.
  public static Context current() {
    return Block.of(Strand.current("Context.current")).context();
  }

  /// The scope's own value.
  ///
  /// @throws NoSuchElementException if it has none, though a scope around it may
  @SuppressWarnings("TypeParameterUnusedInFormals") // as in a map of values of many types
  public <T> T get(Object key) {
    T value = own(key);
    if (value == null) {
      throw new NoSuchElementException(
          scope + " has no value of its own for " + key + ": find looks through its parents");
    }
    return value;
  }

  /// The value of the innermost scope around that has one, this one first; null if none has.
  @SuppressWarnings("TypeParameterUnusedInFormals") // as in a map of values of many types
  public <T> @Nullable T find(Object key) {
    Objects.requireNonNull(key, "key");
    for (Block looked = scope; looked != null; looked = looked.nesting.parent()) {
      Context context = looked.contextOrNull();
      T value = context == null ? null : context.own(key);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /// Gives the scope a value of its own. Returns the context.
  ///
  /// @throws IllegalStateException if it has one: [#replace] is for that
  public Context set(Object key, Object value) {
    scope.checkInside();
    Objects.requireNonNull(value, "value");
    if (values.putIfAbsent(Objects.requireNonNull(key, "key"), value) != null) {
      throw new IllegalStateException(scope + " has a value for " + key + " already");
    }
    return this;
  }

  /// Gives the scope a value of its own, whether it has one or not. Returns the context.
  public Context replace(Object key, Object value) {
    scope.checkInside();
    values.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    return this;
  }

  /// Takes the scope's own value away; that of a scope around it is found again. False if there was
  /// none.
  public boolean remove(Object key) {
    scope.checkInside();
    return values.remove(Objects.requireNonNull(key, "key")) != null;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private <T> @Nullable T own(Object key) {
    scope.checkInside();
    return (T) values.get(Objects.requireNonNull(key, "key"));
  }
}
