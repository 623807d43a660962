// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.strand.Suspension;
import dev.couv.world.FileCall;
import dev.couv.world.FileHandle;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An open file as this package holds it: whose it is, and its closing, when it is closed or when nobody holds this any
/// more. Whoever is in the middle of a call holds it.
final class HeldFile {
  private static final Cleaner CLEANER = Cleaner.create();

  private final FileHandle handle;
  private final Cleaner.Cleanable cleanable;

  /// Who awaits something else on its behalf. Loop thread.
  private final Set<UntilClosed> elsewhere = new HashSet<>(2);

  private volatile @Nullable EventLoop home;

  HeldFile(FileHandle handle, @Nullable EventLoop home) {
    this.handle = handle;
    this.home = home;
    this.cleanable = CLEANER.register(this, handle::collected);
  }

  FileHandle handle() {
    return handle;
  }

  boolean isOpen() {
    return handle.isOpen();
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

  void checkOpen() throws IOException {
    if (!isOpen()) {
      throw Failures.closed(this);
    }
  }

  /// After a wait: somebody may have closed it.
  void checkStillOpen() throws IOException {
    if (!isOpen()) {
      throw Failures.closedWhile(this, "used");
    }
  }

  // ---- using it

  <T extends @Nullable Object> T make(Way way, FileCall<T> call) throws IOException {
    try {
      return way.make(call);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /// Awaits something else on the file's behalf: closing the file ends that, too.
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

  // ---- closing

  /// Ends what is awaited. Does nothing if it is closed already.
  void close() {
    if (isOpen()) {
      checkThread();
      handle.close();
      List.copyOf(elsewhere).forEach(UntilClosed::end);
    }
    cleanable.clean(); // nothing more to do, so it is forgotten
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
