// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.NativeMemory;
import dev.couv.loop.UserBuffers;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvFile;
import dev.couv.world.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Bytes between a file and the caller's buffers, in one system call. Brings how many.
///
/// ## Memory
///
/// Direct buffers are used where they are, so the caller must not go on before libuv's thread has
/// left the call: [#landing] is what it awaits after a cancellation. The bytes of heap buffers and of shared arenas, which
/// anybody may close meanwhile ([UserBuffers]), and all bytes if the file is one that a thread may be stuck in, go through native memory of the request's
/// own, which is freed when it lands, however it ended.
final class Transfer extends FileRequest<Integer> {
  private enum Direction {
    READ,
    WRITE
  }

  private static final int VECTOR_LIMIT = 64;

  private final Descriptor file;
  private final Direction direction;
  private final long offset;
  private final Consumer<ByteBuffer> unclaimed;
  private final ByteBuffer[] buffers;

  /// The bytes on their way, if they do not stay where the caller has them.
  private long own;

  private int ownSize;

  /// What was read into memory of our own.
  private @Nullable ByteBuffer arrived;

  private Transfer(
      Descriptor file,
      Direction direction,
      long offset,
      Consumer<ByteBuffer> unclaimed,
      ByteBuffer... buffers) {
    super(direction == Direction.READ ? "read" : "write", file, file, null);
    this.file = file;
    this.direction = direction;
    this.offset = offset;
    this.unclaimed = unclaimed;
    this.buffers = buffers;
    // What is read from the system's own place must be kept if nobody takes it.
    boolean onceOnly = offset == FileHandle.SHARED_PLACE && direction == Direction.READ;
    if (!file.isRegular() || onceOnly || !areFixed(buffers)) {
      ownSize = (int) Math.min(UserBuffers.remaining(buffers), FileHandle.PIECE);
    }
  }

  static Transfer read(
      Descriptor file, long offset, Consumer<ByteBuffer> unclaimed, ByteBuffer into) {
    return new Transfer(file, Direction.READ, offset, unclaimed, into);
  }

  static Transfer write(Descriptor file, long offset, ByteBuffer... from) {
    return new Transfer(file, Direction.WRITE, offset, bytes -> {}, from);
  }

  private static boolean areFixed(ByteBuffer[] buffers) {
    for (ByteBuffer buffer : buffers) {
      if (!UserBuffers.isFixed(buffer)) {
        return false;
      }
    }
    return true;
  }

  @Override
  int make(long loop, long request, long callback) {
    long vector = Memory.malloc(VECTOR_LIMIT * Layouts.UV_BUF_SIZE);
    if (vector == 0) {
      throw new OutOfMemoryError("native memory for the buffers of " + this);
    }
    try {
      int number = file.number;
      int count = ownSize > 0 ? describeOwn(vector) : describe(vector);
      // It copies the descriptions.
      return direction == Direction.READ
          ? UvFile.uv_fs_read(loop, request, number, vector, count, offset, callback)
          : UvFile.uv_fs_write(loop, request, number, vector, count, offset, callback);
    } finally {
      Memory.free(vector);
    }
  }

  private int describeOwn(long vector) {
    own = NativeMemory.allocateUnset(ownSize);
    if (direction == Direction.WRITE) {
      Gather.copy(buffers, own, ownSize);
    }
    UvBuf.set(vector, own, ownSize);
    return 1;
  }

  private int describe(long vector) {
    int count = 0;
    for (ByteBuffer buffer : buffers) {
      if (buffer.hasRemaining() && count < VECTOR_LIMIT) {
        long address = UserBuffers.address(buffer) + buffer.position();
        UvBuf.set(vector + count * Layouts.UV_BUF_SIZE, address, buffer.remaining());
        count++;
      }
    }
    return count;
  }

  @Override
  Integer read(long request, long result) {
    if (own == 0 || direction == Direction.WRITE || result <= 0) {
      return (int) result;
    }
    if (file.isRegular() && offset != FileHandle.SHARED_PLACE) {
      // Its caller waits for this, whatever becomes of him, so the buffer is still the request's.
      ByteBuffer into = buffers[0];
      Memory.copy(own, into, into.position(), (int) result);
    } else {
      ByteBuffer bytes = ByteBuffer.allocate((int) result);
      Memory.copy(own, bytes.array(), 0, (int) result);
      arrived = bytes;
    }
    return (int) result;
  }

  @Override
  Integer hand(Integer count) throws IOException {
    if (count == 0 && direction == Direction.WRITE) {
      throw failure(UvErrors.code("EIO")); // else this would be tried for ever
    }
    try {
      deliver(count);
    } catch (IllegalStateException freedMeanwhile) {
      release(count);
      throw freedMeanwhile;
    }
    return count == 0 ? -1 : count;
  }

  /// What was read is for the next read, where the system would not give it again. What was written, the buffers tell.
  @Override
  void release(Integer count) {
    ByteBuffer bytes = arrived;
    if (direction == Direction.WRITE) {
      deliver(count);
    } else if (bytes != null && offset == FileHandle.SHARED_PLACE) {
      unclaimed.accept(bytes);
    }
  }

  /// The buffers are the request's only where its caller waits for the landing.
  @Override
  void releaseLate(Integer count) {
    if (direction == Direction.READ || file.isRegular()) {
      release(count);
    }
  }

  @Override
  void freed() {
    if (own != 0) {
      NativeMemory.free(own, ownSize);
      own = 0;
    }
  }

  /// Moves the bytes to, and the positions of, the caller's buffers.
  private void deliver(int count) {
    ByteBuffer bytes = arrived;
    int left = count;
    for (ByteBuffer buffer : buffers) {
      int part = Math.min(buffer.remaining(), left);
      if (bytes != null) {
        buffer.put(buffer.position(), bytes, bytes.position(), part);
        bytes.position(bytes.position() + part);
      }
      buffer.position(buffer.position() + part);
      left -= part;
    }
  }
}
