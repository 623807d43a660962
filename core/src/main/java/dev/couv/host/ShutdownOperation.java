// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.ObjectHandle;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvRequest;
import dev.couv.uv.UvStream;
import java.io.IOException;

/// Waits until everything queued is written, and ends the stream for the other side. Cancelled, it
/// happens all the same.
final class ShutdownOperation extends OutgoingOperation {
  ShutdownOperation(ObjectHandle stream, Outgoing direction) {
    super(stream, direction);
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_SHUTDOWN);
  }

  @Override
  int send(long request) {
    return UvStream.uv_shutdown(request, stream.address(), Callbacks.SHUTDOWN_CB);
  }

  @Override
  public void finish() throws IOException {
    if (status() == UvErrors.code("ENOTSOCK") && stream.isOpen()) {
      stream.close(); // all is written to a pipe, whose one direction ends when it is closed
    } else {
      check("shutdown", "shut down");
    }
  }

  @Override
  public String toString() {
    return "shutdown of " + stream;
  }
}
