// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.nio.ByteBuffer;

/// A body that is all here.
final class HeldBody implements HttpBody {
  /// So many bytes can be held: one fewer than the largest array has, behind which the end is seen.
  static final int MOST = Integer.MAX_VALUE - 9;

  private final ByteBuffer left;

  HeldBody(byte... bytes) {
    this.left = ByteBuffer.wrap(bytes);
  }

  @Override
  public int read(ByteBuffer into) {
    if (!left.hasRemaining()) {
      return -1;
    }
    int count = Math.min(into.remaining(), left.remaining());
    into.put(left.slice(left.position(), count));
    left.position(left.position() + count);
    return count;
  }

  @Override
  public long length() {
    return left.capacity();
  }

  @Override
  public Headers trailers() {
    return Headers.EMPTY;
  }

  /// The size of the next array for a body that fills one of that size, but has no more than `most` bytes; its length is -1 if nobody knows it.
  static int larger(int size, long length, int most) {
    long all = length >= size ? length : most;
    return (int) Math.min(2L * size, all + 1);
  }
}
