// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.uv.Callbacks;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvStream;
import java.io.IOException;

/// Waits until everything queued is written, and ends the stream for the other side. Cancelled, it
/// happens all the same.
final class ShutdownOperation extends OutgoingOperation {
  ShutdownOperation(StreamHandle stream) {
    super(stream);
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_SHUTDOWN);
  }

  @Override
  int send(long request) {
    return UvStream.uv_shutdown(request, stream.address(), Callbacks.SHUTDOWN_CB);
  }

  /// Whether all is written, but only a socket can be shut down.
  boolean isOfAPipe() {
    return status() == UvErrors.code("ENOTSOCK") && stream.isOpen();
  }

  void finish() throws IOException {
    finish("shutdown", "shut down");
  }

  @Override
  public String toString() {
    return "shutdown of " + stream;
  }
}
