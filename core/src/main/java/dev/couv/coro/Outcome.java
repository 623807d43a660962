// SPDX-License-Identifier: Apache-2.0
package dev.couv.coro;

import dev.couv.strand.Outcomes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What something that was awaited left behind: a value, or the reason why there is none.
public sealed interface Outcome<T extends @Nullable Object> {
  /// There is a value, which may be null.
  record Value<T extends @Nullable Object>(T value) implements Outcome<T> {}

  /// There is none, for that reason.
  record Failure<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {
    /// Refuses null.
    public Failure {
      Objects.requireNonNull(cause, "cause");
    }
  }

  /// A value, which may be null.
  static <T extends @Nullable Object> Outcome<T> value(T value) {
    return new Value<>(value);
  }

  /// The reason why there is no value.
  static <T extends @Nullable Object> Outcome<T> failure(Throwable cause) {
    return new Failure<>(cause);
  }

  /// The value, or the failure thrown as it is.
  default T get() throws Exception {
    return switch (this) {
      case Value<T>(var value) -> value;
      case Failure<T>(var cause) -> throw Outcomes.rethrow(cause);
    };
  }

  /// The value, or null if there is none.
  default @Nullable T valueOrNull() {
    return this instanceof Value<T>(var value) ? value : null;
  }

  /// The reason why there is no value, or null if there is one.
  default @Nullable Throwable failureOrNull() {
    return this instanceof Failure<T>(var cause) ? cause : null;
  }

  /// Whether it is a value.
  default boolean isValue() {
    return this instanceof Value;
  }
}
