// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.ObjectHandle;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Queues a piece of what the kernel did not take at once, in memory of the request's own, and waits
/// until it is written.
///
/// Cancelled, the piece still goes out: a queued write cannot be revoked. The buffers' positions are
/// behind it already.
class WriteOperation extends OutgoingOperation {
  private static final int REQUEST_SIZE = WriteMemory.size(UvRequest.UV_WRITE);

  private final WriteMemory memory;

  WriteOperation(ObjectHandle stream, Outgoing direction, ByteBuffer... from) {
    super(stream, direction);
    this.memory = new WriteMemory(REQUEST_SIZE, from);
  }

  @Override
  protected final int requestSize() {
    return memory.size();
  }

  @Override
  final int send(long request) {
    int code = write(request, memory.fill(request));
    if (code >= 0) {
      memory.taken();
    }
    return code;
  }

  /// Calls libuv, with what that descriptor names.
  int write(long request, long buffer) {
    return UvStream.uv_write(request, stream.address(), buffer, 1, Callbacks.WRITE_CB);
  }

  @Override
  public void finish() throws IOException {
    check("write", "written");
  }

  @Override
  public String toString() {
    return "write to " + stream;
  }
}
