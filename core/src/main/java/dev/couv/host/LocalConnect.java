// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvPipe;
import dev.couv.world.LocalName;
import dev.couv.world.LocalSockets;
import java.io.IOException;

/// Waiting for a connection to a local socket.
final class LocalConnect extends ConnectOperation<HostLocal> implements LocalSockets.Connecting {
  private final EventLoop loop;
  private final LocalName to;

  LocalConnect(EventLoop loop, LocalName to) {
    this.loop = loop;
    this.to = to;
  }

  @Override
  HostLocal open() throws IOException {
    HostLocal opened = new HostLocal(loop);
    Failures.checkSocket(opened.init(), "connect", to);
    return opened;
  }

  @Override
  int connect(long request, HostLocal opened) {
    if (to.isAbstract()) {
      return connectAbstract(opened);
    }
    long path = LocalAddresses.writePath(loop.scratch(), to);
    UvPipe.uv_pipe_connect(request, opened.address(), path, Callbacks.CONNECT_CB);
    return 0; // it tells of failures in the callback only
  }

  /// libuv before 1.46 knows no abstract names. Connecting does not wait, here as there.
  private int connectAbstract(HostLocal opened) {
    int code =
        LocalAddresses.open(
            socket -> LocalAddresses.connect(socket, loop.scratch(), to), opened::open);
    return code < 0 ? code : AT_ONCE;
  }

  @Override
  IOException failure(int code) {
    boolean isAboutTheFile = code == UvErrors.code("ENOENT") || code == UvErrors.code("EACCES");
    return isAboutTheFile
        ? Failures.ofFile(code, "connect", to.toString())
        : Failures.ofSocket(code, "connect", to.toString());
  }

  @Override
  public boolean mustWait() {
    return status() == UvErrors.UV_EAGAIN;
  }

  @Override
  public HostLocal finish() throws IOException {
    HostLocal connected = super.finish();
    connected.connectedTo(to);
    return connected;
  }

  @Override
  public String toString() {
    return "connect to " + to;
  }
}
