// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.Scratch;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Heap buffers of a size, used again by whatever TLS stream needs one next. Any thread, and without
/// a lock: a coroutine that took one could be parked on it in the middle of something.
///
/// Who takes a buffer owns it until it gives it back. One that is not given back is only garbage.
final class BufferPool {
  /// One record, whatever its cipher: as large as the JDK's packets get.
  static final int RECORD = 17 << 10;

  private static final BufferPool RECORDS = new BufferPool(RECORD, 64);

  /// What one read brings, behind the beginning of a record. Or five records, which one write takes.
  static final BufferPool BULK = new BufferPool(Scratch.WRITE_SIZE, 32);

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

  /// A buffer with position 0 and that much room at least: one of a pool's if they are large enough.
  static ByteBuffer take(int room) {
    BufferPool pool = room <= RECORD ? RECORDS : BULK;
    return room <= pool.size ? pool.take() : ByteBuffer.allocate(room);
  }

  /// The buffer is not used any more. One that is not of a pool is left to the collector.
  static void give(ByteBuffer buffer) {
    if (RECORDS.has(buffer)) {
      RECORDS.keep(buffer);
    } else if (BULK.has(buffer)) {
      BULK.keep(buffer);
    }
  }

  private boolean has(ByteBuffer buffer) {
    return buffer.capacity() == size;
  }

  /// One with position 0.
  ByteBuffer take() {
    ByteBuffer buffer = free.poll();
    if (buffer == null) {
      return ByteBuffer.allocate(size);
    }
    kept.decrementAndGet();
    return buffer.clear();
  }

  private void keep(ByteBuffer buffer) {
    boolean keeps = false;
    try {
      keeps = kept.incrementAndGet() <= most && free.add(buffer);
    } finally {
      if (!keeps) {
        kept.decrementAndGet();
      }
    }
  }
}
