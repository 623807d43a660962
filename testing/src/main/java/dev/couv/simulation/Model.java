// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What an object does when only one uses it: what each call answers, and what it leaves behind. States are values, and
/// compared by `equals`.
///
/// @param <S> its states
/// @param <I> what is called
/// @param <O> what is answered
public interface Model<S extends @Nullable Object, I, O extends @Nullable Object> {
  /// What a call leaves, and what it answers.
  record Step<S extends @Nullable Object, O extends @Nullable Object>(S state, O answer) {}

  /// Before the first call.
  S initial();

  /// What that call does in that state.
  Step<S, O> apply(S state, I call);

  // ---- those that are often wanted

  /// A call on a register.
  sealed interface RegisterCall {
    /// Answers the value.
    record Read() implements RegisterCall {}

    /// Answers null.
    record Write(String value) implements RegisterCall {}

    /// Answers `true` if it was expected, and is changed, else `false`.
    record CompareAndSet(@Nullable String expected, String value) implements RegisterCall {}
  }

  /// One value, which is null at first.
  @SuppressWarnings("NullAway") // states and answers may be null here
  static Model<@Nullable String, RegisterCall, @Nullable String> register() {
    return new Model<>() {
      @Override
      public @Nullable String initial() {
        return null;
      }

      @Override
      public Step<@Nullable String, @Nullable String> apply(
          @Nullable String state, RegisterCall call) {
        return switch (call) {
          case RegisterCall.Read() -> new Step<>(state, state);
          case RegisterCall.Write(String value) -> new Step<>(value, null);
          case RegisterCall.CompareAndSet(String expected, String value) ->
              Objects.equals(state, expected)
                  ? new Step<>(value, "true")
                  : new Step<>(state, "false");
        };
      }
    };
  }

  /// A number, 0 at first: a call adds to it, perhaps nothing, and is answered the sum.
  static Model<Long, Long, Long> counter() {
    return new Model<>() {
      @Override
      public Long initial() {
        return 0L;
      }

      @Override
      public Step<Long, Long> apply(Long state, Long added) {
        return new Step<>(state + added, state + added);
      }
    };
  }

  /// A call on a queue.
  sealed interface QueueCall {
    /// To the end; answers null.
    record Offer(String value) implements QueueCall {}

    /// Takes the first; answers null if there is none.
    record Poll() implements QueueCall {}
  }

  /// First in, first out; empty at first.
  @SuppressWarnings("NullAway") // answers may be null here
  static Model<List<String>, QueueCall, @Nullable String> queue() {
    return new Model<>() {
      @Override
      public List<String> initial() {
        return List.of();
      }

      @Override
      public Step<List<String>, @Nullable String> apply(List<String> state, QueueCall call) {
        return switch (call) {
          case QueueCall.Offer(String value) -> {
            List<String> longer = new ArrayList<>(state);
            longer.add(value);
            yield new Step<>(List.copyOf(longer), null);
          }
          case QueueCall.Poll() ->
              state.isEmpty()
                  ? new Step<>(state, null)
                  : new Step<>(List.copyOf(state.subList(1, state.size())), state.getFirst());
        };
      }
    };
  }
}
