// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvRequest;
import java.io.IOException;

/// Waiting for a connection to a path. Its stream is the caller's from the start: whoever leaves closes
/// it, and libuv then ends the request.
final class LocalConnectOperation extends RequestOperation {
  private final LocalStream stream;
  private final LocalName to;

  LocalConnectOperation(LocalStream stream, LocalName to) {
    this.stream = stream;
    this.to = to;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_CONNECT);
  }

  @Override
  protected int begin(long loop, long request) {
    UvPipe.uv_pipe_connect(
        request,
        stream.nativeHandle(),
        to.writePath(stream.eventLoop().scratch()),
        Callbacks.CONNECT_CB);
    return 0; // it tells of failures in the callback only
  }

  /// Whether as many connections wait there as its backlog takes.
  boolean mustWait() {
    return status() == UvErrors.UV_EAGAIN;
  }

  void finish() throws IOException {
    if (status() < 0) {
      throw LocalFailures.ofConnect(status(), to);
    }
  }

  @Override
  public String toString() {
    return "connect to " + to;
  }
}
