// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.strand.Suspension;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The system's number of an open file, and who uses it.
///
/// ## Ownership
///
/// Every call that has the number counts as a user, and so does every request that libuv has. Closing
/// refuses new users; the number goes back to the system with the last one, so no call ever meets
/// another file under it. It is closed by the file's owner, or by the cleaner when the [OpenFile] was
/// collected: therefore this must not know that one.
final class Descriptor implements Runnable {
  /// Set in [#users] when it is closed.
  private static final int CLOSED = 1 << 31;

  private final int number;
  private final String name;

  /// Whether a call cannot last for ever: then it is worth waiting for one that is left.
  private final boolean regular;

  /// How many use it, and whether it is closed. Any thread: calls that block come from everywhere, and
  /// the cleaner has a thread of its own.
  private final AtomicInteger users = new AtomicInteger();

  /// What libuv has. Loop thread.
  private final Set<FileRequest<?>> inFlight = new HashSet<>(2);

  /// Who awaits something else on its behalf. Loop thread.
  private final Set<UntilClosed> elsewhere = new HashSet<>(2);

  private volatile @Nullable EventLoop home;

  Descriptor(int number, String name, boolean regular, @Nullable EventLoop home) {
    this.number = number;
    this.name = name;
    this.regular = regular;
    this.home = home;
  }

  int number() throws IOException {
    checkOpen();
    return number;
  }

  /// For one of its users: it may be closed to the others.
  int usedNumber() {
    return number;
  }

  boolean isRegular() {
    return regular;
  }

  boolean isOpen() {
    return users.get() >= 0;
  }

  // ---- who may use it

  /// For those who await: it belongs to the first loop that does.
  void checkUsable() throws IOException {
    checkOpen();
    EventLoop loop = home;
    if (loop == null || loop.isClosed()) {
      home = Suspension.loopOrNull();
    } else {
      loop.checkThread(this);
    }
  }

  /// Blocking calls may come from anywhere, until a loop has it.
  void checkNow() throws IOException {
    checkOpen();
    checkThread();
  }

  private void checkThread() {
    EventLoop loop = home;
    if (loop != null && !loop.isClosed()) {
      loop.checkThread(this);
    }
  }

  private void checkOpen() throws IOException {
    if (!isOpen()) {
      throw Failures.closed(this);
    }
  }

  // ---- using it

  <T extends @Nullable Object> T make(Way way, FileRequest<T> request) throws IOException {
    use();
    try {
      return way == Way.NOW ? way.make(request) : await(request);
    } finally {
      release();
    }
  }

  private <T extends @Nullable Object> T await(FileRequest<T> request) throws IOException {
    try {
      Suspension.await(request.on(this));
    } catch (Cancelled | Resumed leaving) {
      awaitLanding(request);
      throw leaving;
    }
    if (!isOpen() && request.isRevoked()) {
      awaitLanding(request);
      throw Failures.closedWhile(this, "used");
    }
    return request.finish();
  }

  /// While a thread is inside the call, the caller's buffers and descriptors are not its own again.
  private void awaitLanding(FileRequest<?> request) {
    if (regular) {
      request.awaitLanding();
    }
  }

  /// Awaits something else on the file's behalf.
  void awaitElsewhere(Operation operation) throws IOException {
    checkUsable();
    UntilClosed wait = new UntilClosed(operation);
    elsewhere.add(wait);
    try {
      Suspension.await(wait);
    } finally {
      elsewhere.remove(wait);
    }
    if (wait.isEnded()) {
      throw Failures.closedWhile(this, "used");
    }
  }

  /// libuv has that request.
  void began(FileRequest<?> request) {
    users.incrementAndGet(); // by one who is a user, so it is still open to the system
    inFlight.add(request);
  }

  /// And has it no more.
  void ended(FileRequest<?> request) {
    inFlight.remove(request);
    release();
  }

  void use() throws IOException {
    if (users.getAndUpdate(now -> now < 0 ? now : now + 1) < 0) {
      checkOpen();
    }
  }

  void release() {
    if (users.decrementAndGet() == CLOSED) {
      FileCalls.closeNow(number);
    }
  }

  // ---- closing

  /// Ends what is awaited. Does nothing if it is closed already. What the system answered, if it was
  /// asked now.
  int close() {
    int code = 0;
    if (isOpen()) {
      checkThread();
      code = closeUnlessUsed();
      for (FileRequest<?> request : List.copyOf(inFlight)) {
        request.landEarly();
        request.endEarly(UvErrors.UV_ECANCELED);
      }
      List.copyOf(elsewhere).forEach(UntilClosed::end);
    }
    return code;
  }

  /// For the cleaner: nobody can be waiting then. Any thread.
  @Override
  public void run() {
    closeUnlessUsed();
  }

  private int closeUnlessUsed() {
    return users.getAndUpdate(now -> now | CLOSED) == 0 ? FileCalls.closeNow(number) : 0;
  }

  @Override
  public String toString() {
    return name;
  }
}
