// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Layouts;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvRequest;
import java.nio.ByteBuffer;

/// A write request with a piece of the caller's bytes behind it, so that libuv never sees the caller's
/// memory after the call.
final class WriteMemory {
  static final int PIECE = 1 << 16;

  private static final int REQUEST_SIZE = align(UvRequest.uv_req_size(UvRequest.UV_WRITE));
  private static final int BYTES_OFFSET = align(REQUEST_SIZE + Layouts.UV_BUF_SIZE);

  private final ByteBuffer[] from;
  private final int length;

  WriteMemory(ByteBuffer... from) {
    this.from = from;
    this.length = Gather.length(from, PIECE);
  }

  int size() {
    return BYTES_OFFSET + length;
  }

  /// Copies the piece behind the request. Where its descriptor is.
  long fill(long request) {
    long buffer = request + REQUEST_SIZE;
    long bytes = request + BYTES_OFFSET;
    Gather.copy(from, bytes, length);
    UvBuf.set(buffer, bytes, length);
    return buffer;
  }

  /// libuv has it: the positions are behind it.
  void taken() {
    Gather.advance(from, length);
  }

  private static int align(long size) {
    return Math.toIntExact((size + 15) & ~15L);
  }
}
