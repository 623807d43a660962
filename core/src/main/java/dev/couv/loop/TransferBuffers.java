// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Native buffers for bytes on their way from one stream to another. One is taken when bytes have
/// come, not while they are waited for, and given back when they have been passed on: streams that
/// are idle hold none, and those that are not share a few.
///
/// Ownership: whoever took a buffer gives it back, on the loop's thread; then it must not be touched.
public final class TransferBuffers {
  public static final int BUFFER_SIZE = 1 << 16;

  /// How many free ones are kept: as many as streams may have bytes before the first of their readers runs. To make one anew is many pages that
  /// the system has to find and clear; one that is kept takes no more of its memory than what ever came.
  private static final int KEPT = 64;

  /// With room for all of them: giving one back needs no memory.
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>(KEPT);

  private boolean closed;
  private long bytes;

  public ByteBuffer take() {
    ByteBuffer buffer = free.pollLast();
    if (buffer == null) {
      buffer = Memory.view(NativeMemory.allocateUnset(BUFFER_SIZE), BUFFER_SIZE);
      bytes += BUFFER_SIZE;
    }
    return buffer.clear();
  }

  public void give(ByteBuffer buffer) {
    if (closed || free.size() == KEPT) {
      release(buffer);
    } else {
      free.addLast(buffer);
    }
  }

  long bytes() {
    return bytes;
  }

  void close() {
    closed = true;
    free.forEach(this::release);
    free.clear();
  }

  private void release(ByteBuffer buffer) {
    bytes -= BUFFER_SIZE;
    NativeMemory.free(Memory.address(buffer), BUFFER_SIZE);
  }
}
