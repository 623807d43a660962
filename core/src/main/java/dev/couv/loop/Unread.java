// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What a stream has that no event will bring: bytes that a read took and its coroutine did not, which are first in line
/// for the next read, and how the stream ended.
public final class Unread {
  private @Nullable ByteBuffer left;

  /// For good: libuv's code, or 0.
  private int ending;

  /// What has ended the connection, if a write was told; else 0.
  private int lost;

  public int ending() {
    return ending;
  }

  public void ended(int code) {
    ending = code;
  }

  public int lost() {
    return lost;
  }

  /// A write was told that the connection broke, with that code.
  public void lost(int code) {
    lost = code;
  }

  /// How many bytes.
  public int size() {
    return left == null ? 0 : left.remaining();
  }

  /// Moves bytes into the buffer, which may be that of a reader who waits: its limit may have been moved, and its memory
  /// may be confined to the reader's thread. Their number.
  public int take(ByteBuffer into, int index, int room) {
    ByteBuffer bytes = left;
    if (bytes == null) {
      return 0;
    }
    int count = Math.min(room, bytes.remaining());
    long address = UserBuffers.address(into);
    if (address != 0) {
      Memory.copy(bytes, bytes.position(), address + index, count);
    } else {
      into.duplicate().clear().put(index, bytes, bytes.position(), count);
    }
    bytes.position(bytes.position() + count);
    if (!bytes.hasRemaining()) {
      left = null;
    }
    return count;
  }

  /// All bytes, or null.
  public @Nullable ByteBuffer take() {
    ByteBuffer bytes = left;
    left = null;
    return bytes;
  }

  /// Puts bytes in front of the others.
  public void leave(ByteBuffer bytes) {
    ByteBuffer behind = left;
    left =
        behind == null
            ? bytes
            : ByteBuffer.allocate(bytes.remaining() + behind.remaining())
                .put(bytes)
                .put(behind)
                .flip();
  }

  /// Takes all that another has, which belonged to the same socket.
  public void takeUp(Unread other) {
    left = other.take();
    ending = other.ending;
    lost = other.lost;
  }
}
