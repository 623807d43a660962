// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// One direction of a connection: bytes that were written and not read, and how it ends.
final class MemoryPipe {
  /// What is taken at once. A piece that is awaited may be beyond it.
  static final int CAPACITY = 1 << 16;

  /// How far it has come.
  enum State {
    OPEN,
    /// The writer has said its last; what is there can be read.
    ENDED,
    /// The writer has dropped it, with what was there.
    RESET,
    /// Nobody reads any more.
    DEAF
  }

  private final ArrayDeque<ByteBuffer> bytes = new ArrayDeque<>();
  private int size;
  private State state = State.OPEN;

  State state() {
    return state;
  }

  void become(State newState) {
    if (state == State.OPEN || newState == State.DEAF) {
      state = newState;
    }
    if (newState == State.RESET || newState == State.DEAF) {
      bytes.clear();
      size = 0;
    }
  }

  boolean isReadable() {
    return size > 0 || state != State.OPEN;
  }

  int size() {
    return size;
  }

  int room() {
    return Math.max(0, CAPACITY - size);
  }

  /// Bytes beyond what is taken at once.
  int excess() {
    return Math.max(0, size - CAPACITY);
  }

  void put(ByteBuffer from, int count) {
    ByteBuffer copy = ByteBuffer.allocate(count);
    copy.put(0, from, from.position(), count);
    from.position(from.position() + count);
    bytes.add(copy);
    size += count;
  }

  void putBack(ByteBuffer before) {
    bytes.addFirst(before);
    size += before.remaining();
  }

  int take(ByteBuffer into) {
    int start = into.position();
    for (ByteBuffer next; into.hasRemaining() && (next = bytes.peek()) != null; ) {
      int count = Math.min(into.remaining(), next.remaining());
      into.put(into.position(), next, next.position(), count);
      into.position(into.position() + count);
      next.position(next.position() + count);
      if (!next.hasRemaining()) {
        bytes.remove();
      }
    }
    size -= into.position() - start;
    return into.position() - start;
  }
}
