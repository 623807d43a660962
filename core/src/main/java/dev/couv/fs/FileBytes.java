// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.loop.Turns;
import dev.couv.loop.Unread;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.world.FileCall;
import dev.couv.world.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The bytes of an open file: where reading and writing go on, and whose turn it is.
///
/// ## The place in the file
///
/// It is kept here, and each system call is told where: so a read that nobody took can be made again,
/// and has lost nothing. What is no regular file (a named pipe, a terminal) has no places. There a
/// call that was left may last for ever, in memory of its own. What such a read brings is kept for the
/// next one, which waits for it first, and the next write waits until such a write has ended.
///
/// A file that another process was given has its place in the system, where both find it.
final class FileBytes {
  private final HeldFile file;
  private final FileHandle handle;
  private final boolean appends;
  private final Turns turns = new Turns(this);

  /// Where the next call without an offset begins, in a regular file, unless it is shared.
  private long position;

  /// Whether another process has the same place.
  private boolean shared;

  /// What was read and not taken.
  private final Unread left = new Unread();

  private final Consumer<ByteBuffer> unclaimed = left::leave;

  /// What somebody left while a thread was inside; of each direction one at most, because the next one
  /// waits for it.
  private @Nullable FileCall<?> leftRead;

  private @Nullable FileCall<?> leftWrite;

  FileBytes(HeldFile file, boolean appends) {
    this.file = file;
    this.handle = file.handle();
    this.appends = appends;
  }

  // ---- where the last call ended

  int read(ByteBuffer into) throws IOException {
    UserBuffers.checkTarget(into);
    return inTurn(
        "read",
        () -> {
          awaitLeft(leftRead);
          return readOn(Way.AWAITED, into);
        });
  }

  void write(ByteBuffer... from) throws IOException {
    inTurn(
        "write to",
        () -> {
          awaitLeft(leftWrite);
          writeOn(Way.AWAITED, from);
          return 0;
        });
  }

  int readOn(Way way, ByteBuffer into) throws IOException {
    if (left.size() > 0 && into.hasRemaining()) {
      passIfAwaited(way, "read");
    }
    int kept = left.take(into, into.position(), into.remaining());
    if (kept > 0) {
      into.position(into.position() + kept);
      return kept;
    }
    int count = read(way, into, hasOwnPlace() ? position : FileHandle.SHARED_PLACE);
    if (count > 0) {
      position += count;
    }
    return count;
  }

  void writeOn(Way way, ByteBuffer... from) throws IOException {
    if (appends || !hasOwnPlace()) {
      write(way, FileHandle.SHARED_PLACE, from);
      return;
    }
    long before = UserBuffers.remaining(from);
    try {
      write(way, position, from);
    } finally {
      position += before - UserBuffers.remaining(from);
    }
  }

  private boolean hasOwnPlace() {
    return handle.isRegular() && !shared;
  }

  /// Lets the system have the place, where another process will find it. What was read and not taken is
  /// read again, by whoever comes first.
  void share() throws IOException {
    if (!handle.isRegular() || (shared && left.size() == 0)) {
      return;
    }
    if (!appends && !turns.isFree()) {
      throw new IllegalStateException(
          "a coroutine is in the middle of using "
              + this
              + ": nobody knows where a child would begin");
    }
    long last = shared ? handle.place() : position;
    handle.place(Math.max(0, last - left.size()));
    left.take();
    shared = true;
  }

  // ---- from or to an offset, or the shared place

  int read(Way way, ByteBuffer into, long offset) throws IOException {
    UserBuffers.checkTarget(into);
    if (!into.hasRemaining()) {
      passIfAwaited(way, "read");
      return 0;
    }
    FileCall<Integer> call = handle.read(into, offset, unclaimed);
    try {
      return file.make(way, call);
    } finally {
      if (offset == FileHandle.SHARED_PLACE) {
        leftRead = call.isInFlight() ? call : null;
      }
    }
  }

  void write(Way way, long offset, ByteBuffer... from) throws IOException {
    UserBuffers.checkSources(from);
    if (UserBuffers.remaining(from) == 0) {
      passIfAwaited(way, "write");
    }
    long at = offset;
    while (UserBuffers.remaining(from) > 0) {
      FileCall<Integer> call = handle.write(from, at);
      try {
        int count = file.make(way, call);
        at = at == FileHandle.SHARED_PLACE ? at : at + count;
      } finally {
        if (offset == FileHandle.SHARED_PLACE) {
          leftWrite = call.isInFlight() ? call : null;
        }
      }
    }
  }

  private static void passIfAwaited(Way way, String call) {
    if (way == Way.AWAITED) {
      Suspension.pass(call);
    }
  }

  // ---- taking turns

  @FunctionalInterface
  private interface Work {
    int run() throws IOException;
  }

  private int inTurn(String purpose, Work work) throws IOException {
    file.checkUsable();
    Suspension.takeTurn(turns, purpose);
    try {
      file.checkStillOpen();
      return work.run();
    } finally {
      turns.pass();
    }
  }

  private void awaitLeft(@Nullable FileCall<?> call) throws IOException {
    if (call != null && call.isInFlight()) {
      Suspension.await(call.landing());
      file.checkStillOpen();
    }
  }

  /// Throws if somebody awaits the end of what this call would get in the way of.
  void checkIdle(String call) throws IOException {
    file.checkNow();
    if (!turns.isFree() || isInFlight(leftRead) || isInFlight(leftWrite)) {
      throw new IllegalStateException(call + ": a coroutine is in the middle of using " + this);
    }
  }

  private static boolean isInFlight(@Nullable FileCall<?> call) {
    return call != null && call.isInFlight();
  }

  /// Bytes for the next read, before those that are there.
  void leave(ByteBuffer bytes) {
    left.leave(bytes);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
