// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Layouts;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvRequest;
import java.nio.ByteBuffer;

/// The request of a write with a piece of the caller's bytes behind it, so that libuv never sees the caller's
/// memory after the call.
final class WriteMemory {
  static final int PIECE = 1 << 16;

  private final int requestSize;
  private final ByteBuffer[] from;
  private final int length;

  /// Behind a request of that [#size(int)].
  WriteMemory(int requestSize, ByteBuffer... from) {
    this.requestSize = requestSize;
    this.from = from;
    this.length = Gather.length(from, PIECE);
  }

  int size() {
    return bytesOffset() + length;
  }

  /// Copies the piece behind the request. Where its descriptor is.
  long fill(long request) {
    long buffer = request + requestSize;
    long bytes = request + bytesOffset();
    Gather.copy(from, bytes, length);
    UvBuf.set(buffer, bytes, length);
    return buffer;
  }

  /// libuv has it: the positions are behind it.
  void taken() {
    Gather.advance(from, length);
  }

  private int bytesOffset() {
    return align(requestSize + Layouts.UV_BUF_SIZE);
  }

  /// The room that a request of that type takes.
  static int size(int requestType) {
    return align(UvRequest.uv_req_size(requestType));
  }

  private static int align(long size) {
    return Math.toIntExact((size + 15) & ~15L);
  }
}
