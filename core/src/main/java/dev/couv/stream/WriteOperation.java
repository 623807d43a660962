// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.uv.Callbacks;
import dev.couv.uv.Layouts;
import dev.couv.uv.UvBuf;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Queues a piece of what the kernel did not take at once, in memory of the request's own, and waits
/// until it is written.
///
/// Cancelled, the piece still goes out: a queued write cannot be revoked. The buffers' positions are
/// behind it already.
final class WriteOperation extends OutgoingOperation {
  static final int PIECE = 1 << 16;

  private static final int REQUEST_SIZE = align(UvRequest.uv_req_size(UvRequest.UV_WRITE));
  private static final int BYTES_OFFSET = align(REQUEST_SIZE + Layouts.UV_BUF_SIZE);

  private final ByteBuffer[] from;
  private final int length;

  WriteOperation(StreamHandle stream, ByteBuffer[] from) {
    super(stream);
    this.from = from;
    this.length = Gather.length(from, PIECE);
  }

  @Override
  protected int requestSize() {
    return BYTES_OFFSET + length;
  }

  @Override
  int send(long request) {
    long buffer = request + REQUEST_SIZE;
    long bytes = request + BYTES_OFFSET;
    Gather.copy(from, bytes, length);
    UvBuf.set(buffer, bytes, length);
    int code = UvStream.uv_write(request, stream.address(), buffer, 1, Callbacks.WRITE_CB);
    if (code >= 0) {
      Gather.advance(from, length);
    }
    return code;
  }

  void finish() throws IOException {
    finish("write", "written");
  }

  private static int align(long size) {
    return Math.toIntExact((size + 15) & ~15L);
  }

  @Override
  public String toString() {
    return "write to " + stream;
  }
}
