// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Bytes on their way to a stream: those that were accepted and are not gone. A small array stays while there are none.
///
/// What was given [#out] stays as it is while more is accepted: in the same array behind it, or in another one.
final class PendingBytes {
  private static final int KEPT = 1 << 10;
  private static final int FIRST = 1 << 8;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /// From `start` to its position: what is not gone.
  private ByteBuffer held = NOTHING;

  /// The same array, as it is given away: to one at a time.
  private ByteBuffer out = NOTHING;

  private int start;
  private long sent;
  private ByteOrder order = ByteOrder.BIG_ENDIAN;

  void order(ByteOrder newOrder) {
    order = newOrder;
    held = held.order(newOrder);
  }

  ByteOrder order() {
    return order;
  }

  int size() {
    return held.position() - start;
  }

  /// How many there have been in all.
  long accepted() {
    return sent + size();
  }

  /// Where so many more can be put.
  ByteBuffer room(int count) {
    if (held.remaining() < count) {
      grow(count);
    }
    return held;
  }

  private void grow(int count) {
    int size = size();
    long wanted = Math.max(size + (long) count, Math.max(FIRST, 2L * size));
    ByteBuffer larger = ByteBuffer.allocate((int) Math.min(wanted, HeldBytes.LONGEST)).order(order);
    larger.put(held.array(), held.arrayOffset() + start, size);
    held = larger;
    out = larger.duplicate();
    start = 0;
  }

  /// A buffer of all that is here. Who has written of it says so by [#gone], before anybody asks again.
  ByteBuffer out() {
    return out.limit(held.position()).position(start);
  }

  void gone(int count) {
    start += count;
    sent += count;
    if (size() == 0) {
      clear();
    }
  }

  /// Only the first so many are left.
  void reset(int size) {
    held.position(start + size);
    if (size == 0) {
      clear();
    }
  }

  /// All of it is lost.
  void drop() {
    sent += size();
    held.position(start);
    clear();
  }

  private void clear() {
    start = 0;
    if (held.capacity() > KEPT) {
      held = NOTHING;
      out = NOTHING;
    } else {
      held.clear();
    }
  }
}
