// SPDX-License-Identifier: Apache-2.0
package dev.couv.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients called, and what they were answered, in the order it happened: for the question whether all of it could have
/// happened one after the other ([#check]).
///
/// ```java
/// var calls = new Calls<Long, Long>();
/// …
/// var call = calls.begin("user", 1L);
/// call.end(counter.add(1));            // or nothing, if nobody knows what became of it
/// …
/// calls.check(Model.counter());
/// ```
///
/// @param <I> what is called
/// @param <O> what is answered
public final class Calls<I, O extends @Nullable Object> {
  /// One call: it takes effect at some moment between its beginning and its end; one without an end, at some moment after
  /// its beginning, or never.
  public final class Call {
    private final String client;
    private final I input;
    private final int begun;
    private int ended = Integer.MAX_VALUE;
    private @Nullable O answer;

    private Call(String client, I input) {
      this.client = client;
      this.input = input;
      begun = moments++;
    }

    /// It was answered that.
    public void end(O newAnswer) {
      if (isEnded()) {
        throw new IllegalStateException(this + " has ended already");
      }
      answer = newAnswer;
      ended = moments++;
    }

    boolean isEnded() {
      return ended != Integer.MAX_VALUE;
    }

    int begun() {
      return begun;
    }

    int ended() {
      return ended;
    }

    I input() {
      return input;
    }

    @Nullable O answer() {
      return answer;
    }

    @Override
    public String toString() {
      return client + ": " + input + (isEnded() ? " -> " + answer : " -> ?");
    }
  }

  private final List<Call> calls = new ArrayList<>();
  private int moments;

  /// Of nobody so far.
  public Calls() {}

  /// A client calls.
  public Call begin(String client, I input) {
    Call call = new Call(client, input);
    calls.add(call);
    return call;
  }

  /// How many there were.
  public int size() {
    return calls.size();
  }

  /// Whether all of it could have happened one after the other, each call at some moment between its beginning and its end.
  public boolean isLinearizable(Model<?, I, O> model) {
    return longest(model).isEmpty();
  }

  private <S extends @Nullable Object> List<Call> longest(Model<S, I, O> model) {
    return new Linearization<>(model, calls).run();
  }

  /// Throws unless it [#isLinearizable].
  ///
  /// @throws AssertionError with the calls that cannot be put in order
  public void check(Model<?, I, O> model) {
    List<Call> stuck = longest(model);
    if (!stuck.isEmpty()) {
      StringBuilder words =
          new StringBuilder(
              "no order explains these calls; in the best, none of these can be next:");
      stuck.forEach(call -> words.append("\n  ").append(call));
      words.append("\n\nall calls, as they began:");
      calls.forEach(call -> words.append("\n  ").append(call));
      throw new AssertionError(words.toString());
    }
  }
}
