// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import dev.couv.uv.UvRequest;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalName;
import dev.couv.world.LocalSockets;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Waiting for a connection to a path. The stream is this one's own until it is connected and taken; every other way out
/// closes it, and libuv then ends the request.
final class LocalConnect extends RequestOperation implements LocalSockets.Connecting {
  private final EventLoop loop;
  private final LocalName to;
  private @Nullable HostLocal stream;

  /// Why it was not even begun.
  private @Nullable IOException refusal;

  LocalConnect(EventLoop loop, LocalName to) {
    this.loop = loop;
    this.to = to;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_CONNECT);
  }

  @Override
  protected int begin(long loopAddress, long request) {
    HostLocal opened = new HostLocal(loop);
    int code = opened.init();
    if (code < 0) {
      refusal = Failures.ofSocket(code, "connect", to.toString());
      return code;
    }
    stream = opened;
    UvPipe.uv_pipe_connect(
        request,
        opened.address(),
        LocalAddresses.writePath(loop.scratch(), to),
        Callbacks.CONNECT_CB);
    return 0; // it tells of failures in the callback only
  }

  @Override
  protected void received() {
    if (status() < 0) {
      closeStream();
    }
  }

  @Override
  public void cancel() {
    super.cancel();
    closeStream();
  }

  @Override
  public void surrender() {
    closeStream();
  }

  private void closeStream() {
    HostLocal left = stream;
    stream = null;
    if (left != null) {
      left.close();
    }
  }

  @Override
  public boolean mustWait() {
    return refusal == null && status() == UvErrors.UV_EAGAIN;
  }

  @Override
  public LocalHandle finish() throws IOException {
    if (refusal != null) {
      throw refusal;
    }
    HostLocal connected = stream;
    if (connected == null) {
      throw LocalFailures.ofConnect(status(), to);
    }
    stream = null;
    connected.connectedTo(to);
    return connected;
  }

  @Override
  public String toString() {
    return "connect to " + to;
  }
}
