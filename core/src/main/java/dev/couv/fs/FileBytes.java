// SPDX-License-Identifier: Apache-2.0
package dev.couv.fs;

import dev.couv.coro.Cancelled;
import dev.couv.coro.Resumed;
import dev.couv.fs.Transfer.Direction;
import dev.couv.loop.Failures;
import dev.couv.loop.Operation;
import dev.couv.loop.Turns;
import dev.couv.loop.UserBuffers;
import dev.couv.strand.Suspension;
import dev.couv.uv.PosixDescriptor;
import dev.couv.uv.UvErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
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
  /// Stands for the system's own place.
  private static final long IN_THE_SYSTEM = -1;

  /// Held by whoever is in the middle of a call: the file must not be collected, and closed, under it.
  private final OpenFile file;

  private final Descriptor descriptor;
  private final boolean appends;
  private final Turns turns = new Turns(this);

  /// Where the next call without an offset begins, in a regular file, unless it is shared.
  private long position;

  /// Whether another process has the same place.
  private boolean shared;

  /// What was read and not taken.
  private @Nullable ByteBuffer left;

  /// What somebody left while a thread was inside; of each direction one at most, because the next one
  /// waits for it.
  private @Nullable Transfer leftRead;

  private @Nullable Transfer leftWrite;

  FileBytes(OpenFile file, Descriptor descriptor, boolean appends) {
    this.file = file;
    this.descriptor = descriptor;
    this.appends = appends;
  }

  Descriptor descriptor() {
    return descriptor;
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

  int readNow(ByteBuffer into) throws IOException {
    checkIdle("readNow");
    UserBuffers.checkTarget(into);
    return readOn(Way.NOW, into);
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

  void writeNow(ByteBuffer... from) throws IOException {
    checkIdle("writeNow");
    writeOn(Way.NOW, from);
  }

  private int readOn(Way way, ByteBuffer into) throws IOException {
    ByteBuffer kept = left;
    if (kept != null && into.hasRemaining()) {
      if (way == Way.AWAITED) {
        Suspension.pass("read");
      }
      int count = Math.min(kept.remaining(), into.remaining());
      into.put(into.position(), kept, kept.position(), count).position(into.position() + count);
      kept.position(kept.position() + count);
      if (!kept.hasRemaining()) {
        left = null;
      }
      return count;
    }
    int count = read(way, into, hasOwnPlace() ? position : IN_THE_SYSTEM);
    if (count > 0) {
      position += count;
    }
    return count;
  }

  private void writeOn(Way way, ByteBuffer... from) throws IOException {
    if (appends || !hasOwnPlace()) {
      write(way, IN_THE_SYSTEM, from);
      return;
    }
    long before = Transfer.remaining(from);
    try {
      write(way, position, from);
    } finally {
      position += before - Transfer.remaining(from);
    }
  }

  private boolean hasOwnPlace() {
    return descriptor.isRegular() && !shared;
  }

  /// Lets the system have the place, where another process will find it. What was read and not taken is
  /// read again, by whoever comes first.
  void share() throws IOException {
    if (!descriptor.isRegular() || (shared && left == null)) {
      return;
    }
    if (!appends && !turns.isFree()) {
      throw new IllegalStateException(
          "a coroutine is in the middle of using "
              + this
              + ": nobody knows where a child would begin");
    }
    int number = descriptor.number();
    long last = shared ? seek(number, 0, PosixDescriptor.SEEK_CUR) : position;
    long place = Math.max(0, last - (left == null ? 0 : left.remaining()));
    seek(number, place, PosixDescriptor.SEEK_SET);
    left = null;
    shared = true;
  }

  private long seek(int number, long offset, int whence) throws IOException {
    long answer = PosixDescriptor.lseek(number, offset, whence);
    if (answer < 0) {
      throw Failures.ofFile((int) answer, "lseek", toString());
    }
    return answer;
  }

  // ---- from or to an offset, or the system's own place if that is -1

  int read(Way way, ByteBuffer into, long offset) throws IOException {
    UserBuffers.checkTarget(into);
    if (!into.hasRemaining()) {
      passIfAwaited(way);
      return 0;
    }
    Transfer transfer = new Transfer(this, Direction.READ, offset, into);
    try {
      Long count = descriptor.make(way, transfer);
      try {
        transfer.deliver(count);
      } catch (IllegalStateException freedMeanwhile) {
        transfer.release(count);
        throw freedMeanwhile;
      }
      return count == 0 ? -1 : count.intValue();
    } finally {
      if (offset < 0) {
        leftRead = transfer.isInFlight() ? transfer : null;
      }
    }
  }

  void write(Way way, long offset, ByteBuffer... from) throws IOException {
    UserBuffers.checkSources(from);
    if (Transfer.remaining(from) == 0) {
      passIfAwaited(way);
    }
    long at = offset;
    while (Transfer.remaining(from) > 0) {
      Transfer transfer = new Transfer(this, Direction.WRITE, at, from);
      long count;
      try {
        count = writeOnce(way, transfer);
      } finally {
        if (offset < 0) {
          leftWrite = transfer.isInFlight() ? transfer : null;
        }
      }
      at = at < 0 ? at : at + count;
    }
  }

  private long writeOnce(Way way, Transfer transfer) throws IOException {
    long count;
    try {
      count = descriptor.make(way, transfer);
    } catch (Cancelled | Resumed | AsynchronousCloseException leaving) {
      transfer.deliver(transfer.landedCount()); // it has landed, if it is one that does
      throw leaving;
    }
    if (count == 0) {
      throw transfer.failure(UvErrors.code("EIO")); // else this would be tried for ever
    }
    transfer.deliver(count);
    return count;
  }

  private static void passIfAwaited(Way way) {
    if (way == Way.AWAITED) {
      Suspension.pass("an empty buffer");
    }
  }

  // ---- taking turns

  @FunctionalInterface
  private interface Work {
    int run() throws IOException;
  }

  private int inTurn(String purpose, Work work) throws IOException {
    descriptor.checkUsable();
    Operation turn = turns.take(purpose);
    if (turn != null) {
      Suspension.await(turn);
    }
    try {
      file.checkStillOpen();
      return work.run();
    } finally {
      turns.pass();
    }
  }

  private void awaitLeft(@Nullable Transfer transfer) throws IOException {
    if (transfer != null && transfer.isInFlight()) {
      Suspension.await(transfer.landing());
      file.checkStillOpen();
    }
  }

  /// Throws if somebody awaits the end of what this call would get in the way of.
  void checkIdle(String call) throws IOException {
    descriptor.checkNow();
    if (!turns.isFree() || isInFlight(leftRead) || isInFlight(leftWrite)) {
      throw new IllegalStateException(call + ": a coroutine is in the middle of using " + this);
    }
  }

  private static boolean isInFlight(@Nullable Transfer transfer) {
    return transfer != null && transfer.isInFlight();
  }

  /// Bytes for the next read, before those that are there.
  void leave(ByteBuffer bytes) {
    ByteBuffer behind = left;
    left =
        behind == null
            ? bytes
            : ByteBuffer.allocate(bytes.remaining() + behind.remaining())
                .put(bytes)
                .put(behind)
                .flip();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
