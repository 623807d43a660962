// SPDX-License-Identifier: Apache-2.0
package dev.couv.http.two;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Bytes in the order they came, in one array: so what comes in small pieces holds no more than what comes in large ones.
final class ByteQueue {
  private static final byte[] NOTHING = new byte[0];

  private byte[] array = NOTHING;
  private int start;
  private int end;

  int size() {
    return end - start;
  }

  boolean isEmpty() {
    return start == end;
  }

  /// All that can be read of it.
  void add(ByteBuf bytes) {
    int count = bytes.readableBytes();
    makeRoom(count);
    bytes.readBytes(array, end, count);
    end += count;
  }

  /// The next so many of it.
  void add(ByteBuffer bytes, int count) {
    makeRoom(count);
    bytes.get(array, end, count);
    end += count;
  }

  /// As much as there is and has room: how much that is.
  int take(ByteBuffer into) {
    int count = Math.min(size(), into.remaining());
    into.put(array, start, count);
    start += count;
    if (isEmpty()) {
      clear();
    }
    return count;
  }

  /// Everything, in a buffer that is the caller's.
  ByteBuffer takeAll() {
    ByteBuffer all = ByteBuffer.wrap(array, start, size());
    clear();
    return all;
  }

  void clear() {
    array = NOTHING;
    start = 0;
    end = 0;
  }

  private void makeRoom(int count) {
    if (array.length - end >= count) {
      return;
    }
    int size = size();
    byte[] from = array;
    if (array.length - size < count || size > array.length / 2) {
      array = new byte[Math.max(size + count, Math.min(2 * array.length, 1 << 16))];
    }
    System.arraycopy(from, start, array, 0, size);
    start = 0;
    end = size;
  }

  @Override
  public String toString() {
    return Arrays.toString(Arrays.copyOfRange(array, start, Math.min(end, start + 20)));
  }
}
