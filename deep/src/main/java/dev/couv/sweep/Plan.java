// SPDX-License-Identifier: Apache-2.0
package dev.couv.sweep;

import org.jspecify.annotations.Nullable;

/// A scenario put together of steps.
@SuppressWarnings("try") // its steps throw whatever they like
final class Plan implements Scenario {
  interface Step {
    void run() throws Exception;
  }

  interface Wait {
    @Nullable Object await() throws Exception;
  }

  /// What completes it.
  private enum Completion {
    NOTHING,
    STEP,
    /// Only what comes after the await has begun.
    EDGE,
    /// It completes by itself, sooner or later.
    ITSELF
  }

  private enum Resumability {
    NEVER,
    ONCE_IT_AWAITS,
    ALWAYS
  }

  private final Wait wait;
  private Completion completion = Completion.NOTHING;
  private Step complete = () -> {};
  private @Nullable Step shut;
  private Step end = () -> {};
  private boolean repeatable = true;
  private Resumability resumability = Resumability.ONCE_IT_AWAITS;

  Plan(Wait wait) {
    this.wait = wait;
  }

  Plan complete(Step step) {
    completion = Completion.STEP;
    complete = step;
    return this;
  }

  /// What completes it is lost on whoever does not await it yet.
  Plan edge(Step step) {
    completion = Completion.EDGE;
    complete = step;
    return this;
  }

  Plan itself() {
    completion = Completion.ITSELF;
    return this;
  }

  Plan shut(Step step) {
    shut = step;
    return this;
  }

  Plan end(Step step) {
    end = step;
    return this;
  }

  /// It cannot be awaited again.
  Plan once() {
    repeatable = false;
    return this;
  }

  /// A resume does not end it: it waits for coroutines of its own.
  Plan stubborn() {
    resumability = Resumability.NEVER;
    return this;
  }

  /// It is nothing but a wait for a resume.
  Plan resumable() {
    resumability = Resumability.ALWAYS;
    return this;
  }

  @Override
  public boolean endsWhenResumed() {
    return resumability != Resumability.NEVER;
  }

  @Override
  public boolean isAlwaysResumable() {
    return resumability == Resumability.ALWAYS;
  }

  @Override
  public @Nullable Object await() throws Exception {
    return wait.await();
  }

  @Override
  public void complete() throws Exception {
    complete.run();
  }

  @Override
  public boolean completesItself() {
    return completion == Completion.ITSELF;
  }

  @Override
  public boolean isLostUnlessAwaited() {
    return completion == Completion.EDGE;
  }

  @Override
  public boolean isRepeatable() {
    return repeatable && completion != Completion.NOTHING;
  }

  @Override
  public boolean canComplete() {
    return completion != Completion.NOTHING;
  }

  @Override
  public boolean canShut() {
    return shut != null;
  }

  @Override
  public void shut() throws Exception {
    if (shut != null) {
      shut.run();
    }
  }

  @Override
  public void close() throws Exception {
    end.run();
  }
}
