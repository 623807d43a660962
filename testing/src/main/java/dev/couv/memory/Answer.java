// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.WaitOperation;
import dev.couv.world.Request;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A question that is answered later, by an event of the world.
abstract class Answer<T extends @Nullable Object> extends WaitOperation implements Request<T> {
  private enum State {
    ASKED,
    ANSWERED,
    LEFT
  }

  private final EventLoop loop;
  private final String what;
  private State state = State.ASKED;
  private boolean counted;
  private @Nullable IOException failure;

  Answer(EventLoop loop, String what) {
    this.loop = loop;
    this.what = what;
  }

  final EventLoop loop() {
    return loop;
  }

  /// Begins. What it throws is the answer; it may be answered when this returns.
  abstract void ask() throws IOException;

  /// The answer, when it is there.
  abstract T answer() throws IOException;

  /// Nobody wants the answer, if there is one.
  void dropped() {}

  @Override
  protected final boolean enter() {
    try {
      ask();
    } catch (IOException refused) {
      failure = refused;
      state = State.ANSWERED;
    }
    if (state == State.ASKED) {
      counted = true;
      loop.liveness().waitStarted();
    }
    return state == State.ANSWERED;
  }

  final boolean isLeft() {
    return state == State.LEFT;
  }

  final void answered() {
    if (state == State.ASKED) {
      state = State.ANSWERED;
      if (counted) { // else it is still being asked, and its waiter sees it
        uncount();
        told();
      }
    }
  }

  final void failed(IOException met) {
    failure = met;
    answered();
  }

  private void uncount() {
    if (counted) {
      counted = false;
      loop.liveness().waitEnded();
    }
  }

  @Override
  protected final void leave() {
    state = State.LEFT;
    uncount();
    dropped();
  }

  @Override
  public final void surrender() {
    state = State.LEFT;
    dropped();
  }

  @Override
  public final T finish() throws IOException {
    if (failure != null) {
      throw failure;
    }
    return answer();
  }

  @Override
  public String toString() {
    return what;
  }
}
