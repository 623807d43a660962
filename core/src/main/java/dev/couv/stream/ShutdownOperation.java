// SPDX-License-Identifier: Apache-2.0
package dev.couv.stream;

import dev.couv.error.ClosedException;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvStream;
import java.io.IOException;

/// Waits until everything queued is written, and ends the stream for the other side. Cancelled, it
/// happens all the same.
final class ShutdownOperation extends RequestOperation {
  private final StreamHandle stream;

  ShutdownOperation(StreamHandle stream) {
    this.stream = stream;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_SHUTDOWN);
  }

  @Override
  protected int begin(long loop, long request) {
    int code = UvStream.uv_shutdown(request, stream.address(), Callbacks.SHUTDOWN_CB);
    if (code >= 0) {
      stream.outgoing(this);
    }
    return code;
  }

  @Override
  protected void received() {
    stream.outgoing(null);
  }

  @Override
  public void cancel() {
    stream.outgoing(null);
    super.cancel();
  }

  void finish() throws IOException {
    if (status() < 0 && !stream.isOpen()) {
      throw new ClosedException(stream + " was closed while it was shut down");
    }
    Failures.check(status(), "shutdown", stream);
  }

  @Override
  public String toString() {
    return "shutdown of " + stream;
  }
}
