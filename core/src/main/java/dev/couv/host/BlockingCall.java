// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.WaitOperation;
import dev.couv.world.FileCall;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A call of the system that libuv does not have, and that may wait for the disk: awaited, on another thread.
///
/// It is a user of its files until it has ended, also if its caller has left it, so their numbers stay theirs. Left by one
/// who does not wait for its landing, before a thread has begun it, it never begins.
abstract class BlockingCall<T extends @Nullable Object> extends WaitOperation
    implements FileCall<T> {
  private static final Executor THREADS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("couv-file-", 1).factory());

  /// ```
  ///   NEW ──▶ QUEUED ──▶ INSIDE ──▶ OVER
  ///              │          └─────▶ LEFT ──▶ OVER    nobody waits for the thread that is inside
  ///              └─────────────────▶ OVER            nobody wants it any more
  /// ```
  private enum Stage {
    NEW,
    QUEUED,
    INSIDE,
    LEFT,
    OVER
  }

  private final String call;
  private final Object subject;
  private final Executor threads;
  private final @Nullable Descriptor file;
  private final @Nullable Descriptor second;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.NEW);
  private final FileLanding landing = new FileLanding(this);

  /// The loop that stays alive for it.
  private @Nullable EventLoop kept;

  // Written by the other thread before its stage says so, read by the loop after.
  private @Nullable T value;
  private @Nullable Throwable failure;

  /// What a call does, on whatever thread.
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    @Nullable T make() throws IOException;
  }

  /// On open files, if there are some.
  static <T extends @Nullable Object> BlockingCall<T> of(
      String call,
      Object subject,
      @Nullable Descriptor file,
      @Nullable Descriptor second,
      Work<T> work) {
    return new BlockingCall<>(THREADS, call, subject, file, second) {
      @Override
      @Nullable T make() throws IOException {
        return work.make();
      }
    };
  }

  /// On threads of its own.
  BlockingCall(
      Executor threads,
      String call,
      Object subject,
      @Nullable Descriptor file,
      @Nullable Descriptor second) {
    this.threads = threads;
    this.call = call;
    this.subject = subject;
    this.file = file;
    this.second = second;
  }

  /// Makes the call, on whatever thread.
  abstract @Nullable T make() throws IOException;

  /// Nobody takes what it brought. Any thread.
  void release(@SuppressWarnings("unused") T unused) {}

  /// The thread that nobody waited for is outside again.
  void abandoned() {
    unclaimed();
  }

  private void unclaimed() {
    T unused = value;
    if (unused != null) {
      release(unused);
    }
  }

  @Override
  public boolean mustLand() {
    return false;
  }

  // ---- on the loop

  @Override
  protected final boolean enter() {
    if (!Descriptor.use(file, second)) {
      failure = Failures.closedWhile(subject, "used");
      return true;
    }
    stage.set(Stage.QUEUED);
    EventLoop loop = waiter().slot().loop();
    kept = loop;
    loop.liveness()
        .outsideWorkStarted(); // before: the call may be over while this still waits for a lock
    try {
      threads.execute(() -> run(loop));
    } catch (Throwable noThread) {
      revoke();
      throw noThread;
    }
    return false;
  }

  @Override
  protected final void leave() {
    if (!mustLand() && !abandon()) {
      unclaimed(); // if it has ended, and nobody was told yet
    }
  }

  @Override
  public final void surrender() {
    unclaimed();
  }

  /// If no thread has begun it, none will. The loop does not wait for it.
  private void revoke() {
    letGo();
    if (stage.compareAndSet(Stage.QUEUED, Stage.OVER)) {
      Descriptor.release(file, second);
    }
  }

  private void letGo() {
    EventLoop loop = kept;
    kept = null;
    if (loop != null) {
      loop.liveness().outsideWorkEnded();
    }
  }

  private void landed() {
    letGo();
    told();
    landing.told();
  }

  @Override
  public final boolean isInFlight() {
    Stage now = stage.get();
    return now != Stage.NEW && now != Stage.OVER;
  }

  /// Its caller goes, although a thread may be inside: whether one is. Then [#abandoned] is called by that.
  final boolean abandon() {
    revoke();
    return stage.compareAndSet(Stage.INSIDE, Stage.LEFT);
  }

  @Override
  public final Operation landing() {
    return landing;
  }

  // ---- on the other thread

  private void run(EventLoop loop) {
    if (!stage.compareAndSet(Stage.QUEUED, Stage.INSIDE)) {
      return; // there is nobody to make it for
    }
    try {
      value = make();
    } catch (Throwable thrown) {
      failure = thrown;
    }
    Descriptor.release(file, second);
    if (stage.getAndSet(Stage.OVER) == Stage.LEFT) {
      abandoned();
    } else {
      loop.post(this::landed); // a closed loop has told its coroutines already
    }
  }

  // ---- what became of it

  @Override
  @SuppressWarnings("NullAway") // null only where T allows it
  public final T finish() throws IOException {
    Failures.rethrow(failure);
    return value;
  }

  @Override
  @SuppressWarnings("NullAway") // likewise
  public final T now() throws IOException {
    if (!Descriptor.use(file, second)) {
      throw Failures.closed(subject);
    }
    try {
      return make();
    } finally {
      Descriptor.release(file, second);
    }
  }

  /// What it brought, if it has ended, and brought something.
  final @Nullable T valueOrNull() {
    return stage.get() == Stage.OVER ? value : null;
  }

  @Override
  public final String toString() {
    return call + " " + subject;
  }
}
