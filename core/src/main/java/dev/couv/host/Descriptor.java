// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.NativeMemory;
import dev.couv.uv.UvFile;
import dev.couv.uv.UvFsRequest;
import dev.couv.uv.UvRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/// The system's number of an open file, and who uses it.
///
/// ## Ownership
///
/// Every call that has the number counts as a user, until no thread is inside it. Closing
/// refuses new users; the number goes back to the system with the last one, so no call ever meets
/// another file under it.
final class Descriptor {
  private static final long REQUEST_SIZE = UvRequest.uv_req_size(UvRequest.UV_FS);

  /// Set in [#users] when it is closed.
  private static final int CLOSED = 1 << 31;

  final int number;
  private final String name;

  /// Whether a call cannot last for ever: then it is worth waiting for one that is left.
  private final boolean regular;

  /// How many use it, and whether it is closed. Any thread: calls that block come from everywhere, and
  /// the cleaner has a thread of its own.
  private final AtomicInteger users = new AtomicInteger();

  /// What libuv has. Loop thread.
  private final Set<FileRequest<?>> inFlight = new HashSet<>(2);

  Descriptor(int number, String name, boolean regular) {
    this.number = number;
    this.name = name;
    this.regular = regular;
  }

  boolean isRegular() {
    return regular;
  }

  boolean isOpen() {
    return users.get() >= 0;
  }

  // ---- using it

  /// Whether it may be used: then [#release] must follow.
  boolean use() {
    return users.getAndUpdate(now -> now < 0 ? now : now + 1) >= 0;
  }

  void release() {
    if (users.decrementAndGet() == CLOSED) {
      closeNow(number);
    }
  }

  /// Whether all of them may be used that there are: then [#release(Descriptor, Descriptor)] must follow.
  static boolean use(@Nullable Descriptor one, @Nullable Descriptor other) {
    if (one != null && !one.use()) {
      return false;
    }
    if (other != null && !other.use()) {
      release(one, null);
      return false;
    }
    return true;
  }

  static void release(@Nullable Descriptor one, @Nullable Descriptor other) {
    if (one != null) {
      one.release();
    }
    if (other != null) {
      other.release();
    }
  }

  /// libuv has that request.
  void began(FileRequest<?> request) {
    inFlight.add(request);
  }

  /// And has it no more.
  void ended(FileRequest<?> request) {
    inFlight.remove(request);
  }

  // ---- closing

  /// Ends what is awaited. Does nothing if it is closed already. What the system answered, if it was
  /// asked now.
  int close() {
    int code = 0;
    if (isOpen()) {
      code = closeUnlessUsed();
      List.copyOf(inFlight).forEach(FileRequest::fileCloses);
    }
    return code;
  }

  /// Likewise where nobody can be waiting. Any thread.
  int closeUnlessUsed() {
    return users.getAndUpdate(now -> now | CLOSED) == 0 ? closeNow(number) : 0;
  }

  /// Closes it on the calling thread. Whatever the system answers, the descriptor is gone.
  static int closeNow(int number) {
    return atOnce(request -> UvFile.uv_fs_close(0, request, number, 0));
  }

  /// Makes a call that blocks, and whose answer is all that it brings.
  static int atOnce(LongToIntFunction call) {
    long request = NativeMemory.allocate(REQUEST_SIZE);
    try {
      int code = call.applyAsInt(request);
      UvFsRequest.uv_fs_req_cleanup(request);
      return code;
    } finally {
      NativeMemory.free(request, REQUEST_SIZE);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
