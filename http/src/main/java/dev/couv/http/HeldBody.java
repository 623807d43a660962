// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.nio.ByteBuffer;

/// A body that is all here.
final class HeldBody implements HttpBody {
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
}
