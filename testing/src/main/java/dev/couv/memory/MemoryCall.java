// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.WaitOperation;
import dev.couv.loop.Waiter;
import dev.couv.uv.UvErrors;
import dev.couv.world.PathCall;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A call on the files of a machine in memory. It takes the time that the disk takes, and is then made at once: who leaves
/// before that has not made it.
class MemoryCall<T extends @Nullable Object> extends WaitOperation implements PathCall<T> {
  /// Makes the call.
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    @Nullable T make() throws IOException;
  }

  private enum State {
    NEW,
    UNDER_WAY,
    OVER
  }

  private final MemoryProcess process;
  private final Node node;
  private final String call;
  private final Work<T> work;
  private final @Nullable MemoryFile file;
  private Object subject;
  private @Nullable Object second;
  private State state = State.NEW;
  private @Nullable EventLoop kept;
  private @Nullable T value;
  private boolean hasValue;
  private @Nullable IOException failure;

  /// On an open file, if there is one.
  MemoryCall(
      MemoryProcess process, String call, Object subject, @Nullable MemoryFile file, Work<T> work) {
    this.process = process;
    node = process.node();
    this.call = call;
    this.subject = subject;
    this.file = file;
    this.work = work;
  }

  /// What was made is to be unmade: nobody was told of it.
  void unmake(T made) throws IOException {}

  @Override
  public final PathCall<T> named(Object newSubject) {
    subject = newSubject;
    return this;
  }

  @Override
  public final PathCall<T> named(Path from, Path to) {
    subject = from;
    second = to;
    return this;
  }

  // ---- awaited

  @Override
  protected final boolean enter() {
    EventLoop loop = waiter().slot().loop();
    if (process.isOver()) {
      failure = failed("EIO");
      return true;
    }
    process.enter(loop);
    if (file != null && !file.begun(this)) {
      failure = Failures.closedWhile(subject, "used");
      return true;
    }
    kept = loop;
    loop.liveness().waitStarted();
    process.calls().add(this);
    state = State.UNDER_WAY;
    long latency = node.disk().trouble().latency(call);
    if (latency == 0) {
      node.network().agenda().soon(node, this::happen);
    } else {
      node.network().agenda().later(latency, node, this::happen);
    }
    return false;
  }

  private void happen() {
    if (state == State.UNDER_WAY) {
      try {
        value = make();
        hasValue = true;
      } catch (IOException met) {
        failure = met;
      }
      over();
      told();
    }
  }

  private void over() {
    state = State.OVER;
    process.calls().remove(this);
    EventLoop loop = kept;
    kept = null;
    if (loop != null) {
      loop.liveness().waitEnded();
    }
    if (file != null) {
      file.ended(this);
    }
  }

  /// Its file is closed.
  final void fileCloses() {
    fail(Failures.closedWhile(subject, "used"));
  }

  /// Its machine is no more, and will not make it.
  final void lost() {
    fail(failed("EIO"));
  }

  private void fail(IOException met) {
    if (state == State.UNDER_WAY) {
      failure = met;
      over();
      told();
    }
  }

  @Override
  protected final void leave() {
    if (state == State.UNDER_WAY) {
      over();
    }
  }

  @Override
  public final void surrender() {
    if (hasValue) {
      try {
        release();
      } catch (IOException ignored) {
        // As on any machine: what cannot be unmade stays.
      }
    }
  }

  @SuppressWarnings("NullAway") // null only where T allows it
  private void release() throws IOException {
    hasValue = false;
    unmake(value);
  }

  @Override
  @SuppressWarnings("NullAway") // likewise
  public final T finish() throws IOException {
    if (failure != null) {
      throw failure;
    }
    hasValue = false;
    return handed(value);
  }

  /// What its caller gets.
  T handed(T made) throws IOException {
    return made;
  }

  // ---- at once

  @Override
  public final T now() throws IOException {
    if (file != null && !file.isOpen()) {
      throw Failures.closed(subject);
    }
    return handed(make());
  }

  @SuppressWarnings("NullAway") // likewise
  private T make() throws IOException {
    String trouble = process.isOver() ? "EIO" : node.disk().trouble().error(call);
    try {
      if (trouble != null) {
        throw new Errno(trouble);
      }
      return work.make();
    } catch (Errno met) {
      throw failed(met.code());
    }
  }

  private IOException failed(String error) {
    int code = UvErrors.code(error);
    return second == null
        ? Failures.ofFile(code, call, subject.toString())
        : Failures.ofFiles(code, call, subject.toString(), second.toString());
  }

  @Override
  public final boolean isInFlight() {
    return state == State.UNDER_WAY;
  }

  @Override
  public final boolean mustLand() {
    return false;
  }

  @Override
  public final Operation landing() {
    return new Operation() {
      @Override
      public boolean start(Waiter waiter) {
        return true;
      }

      @Override
      public void cancel() {}

      @Override
      public void surrender() {}
    };
  }

  @Override
  public final String toString() {
    return call + " " + subject;
  }
}
