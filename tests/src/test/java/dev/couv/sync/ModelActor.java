// SPDX-License-Identifier: Apache-2.0
package dev.couv.sync;

import dev.couv.coro.Body;
import dev.couv.coro.Cancelled;
import dev.couv.coro.Coroutine;
import dev.couv.coro.Resumed;
import java.util.List;

/// A coroutine that does what the stage tells it, and beside it what the model believes of it.
final class ModelActor {
  /// What the model believes.
  enum State {
    /// Waits for the stage.
    IDLE,
    /// In an await.
    BLOCKED,
    /// Its await is over, but it has not run yet.
    WOKEN,
    /// Cancelled in an await, and has not run yet.
    LEAVING,
    DEAD
  }

  /// What ends an await, as the model sees it.
  interface Wait {
    /// The actor leaves before it got anything.
    void left();

    /// The actor leaves although it got that, without having run.
    void putBack(Object granted);
  }

  static final String PENDING = "pending";

  final int index;

  // The real one.
  private final Coroutine<?> coroutine;
  private Object outcome = PENDING;

  // The model's.
  State state = State.IDLE;
  Object expected = PENDING;
  Wait wait;
  boolean cancelled;

  ModelActor(int index, List<ModelSubject> subjects) {
    this.index = index;
    coroutine =
        Coroutine.spawn(
            () -> {
              try {
                while (true) {
                  obey(Coroutine.halt());
                }
              } catch (Cancelled end) {
                // It was told to.
              } finally {
                subjects.forEach(subject -> subject.release(this));
              }
            });
    try {
      coroutine.resume(); // to where it waits for the stage
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void obey(Object told) {
    Body<?> operation = (Body<?>) told;
    try {
      outcome = String.valueOf(operation.run());
    } catch (Resumed resumed) {
      outcome = "resumed " + resumed.values();
    } catch (Cancelled cancelledNow) {
      outcome = "cancelled";
      throw cancelledNow;
    } catch (Exception thrown) {
      outcome = thrown.getClass().getSimpleName();
    }
  }

  // ---- what the stage does with the real one

  void perform(Body<?> operation) throws Exception {
    outcome = PENDING;
    coroutine.resume(operation);
  }

  void resume(Object value) throws Exception {
    coroutine.resume(value);
  }

  void cancel() {
    coroutine.cancel();
  }

  Object outcome() {
    return outcome;
  }

  // ---- what the models do with the believed one

  /// It has what it waits for.
  void grant(ModelStage stage, Object value) {
    expected = String.valueOf(value);
    state = State.WOKEN;
    stage.woken(this);
  }

  /// It has to wait.
  Object block(Wait newWait) {
    state = State.BLOCKED;
    wait = newWait;
    return PENDING;
  }

  @Override
  public String toString() {
    return "actor " + index;
  }
}
