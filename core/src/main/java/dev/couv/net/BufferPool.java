// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Heap buffers of one size, used again by whatever TLS stream needs one next. Any thread, and without
/// a lock: a coroutine that took one could be parked on it in the middle of something.
///
/// Who takes a buffer owns it until it gives it back. One that is not given back is only garbage.
final class BufferPool {
  /// One record, whatever its cipher: as large as the JDK's packets get.
  static final BufferPool RECORDS = new BufferPool(17 << 10, 64);

  /// Three records, and less than what a stream passes on in one piece: a write that is cancelled has
  /// then passed on whole records.
  static final BufferPool FLIGHTS = new BufferPool(60 << 10, 32);

  /// Stands for no buffer, so that none is null.
  static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final int size;
  private final int most;
  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger kept = new AtomicInteger();

  private BufferPool(int size, int most) {
    this.size = size;
    this.most = most;
  }

  /// A buffer with position 0 and that much room at least: one of the pool's if they are large enough.
  ByteBuffer take(int room) {
    if (room > size) {
      return ByteBuffer.allocate(room);
    }
    ByteBuffer buffer = free.poll();
    if (buffer == null) {
      return ByteBuffer.allocate(size);
    }
    kept.decrementAndGet();
    return buffer.clear();
  }

  /// The buffer is not used any more. One that is not of the pool is left to the collector.
  void give(ByteBuffer buffer) {
    if (buffer.capacity() != size || buffer.isReadOnly()) {
      return;
    }
    if (kept.incrementAndGet() <= most) {
      free.add(buffer);
    } else {
      kept.decrementAndGet();
    }
  }
}
