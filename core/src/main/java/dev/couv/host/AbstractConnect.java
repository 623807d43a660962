// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Waiter;
import dev.couv.uv.Layouts;
import dev.couv.uv.Posix;
import dev.couv.uv.UvErrors;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalName;
import dev.couv.world.LocalSockets;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Connecting to an abstract name, which libuv before 1.46 does not know. It does not wait, here as there.
final class AbstractConnect implements LocalSockets.Connecting {
  private final EventLoop loop;
  private final LocalName to;
  private @Nullable HostLocal stream;
  private @Nullable IOException failure;

  AbstractConnect(EventLoop loop, LocalName to) {
    this.loop = loop;
    this.to = to;
  }

  @Override
  public boolean start(Waiter waiter) {
    try {
      stream = connect();
    } catch (IOException failed) {
      failure = failed;
    }
    return true;
  }

  /// Null if there is no room for another connection now.
  private @Nullable HostLocal connect() throws IOException {
    int socket = LocalAddresses.socket(Layouts.SOCK_STREAM, "connect", to);
    int code = LocalAddresses.connect(socket, loop.scratch(), to);
    if (code >= 0) {
      return HostLocal.adopt(loop, socket);
    }
    Posix.close(socket);
    if (code != UvErrors.UV_EAGAIN) {
      throw LocalFailures.ofConnect(code, to);
    }
    return null;
  }

  @Override
  public void cancel() {}

  @Override
  public void surrender() {
    if (stream != null) {
      stream.close();
    }
  }

  @Override
  public boolean mustWait() {
    return stream == null && failure == null;
  }

  @Override
  public LocalHandle finish() throws IOException {
    HostLocal connected = stream;
    if (connected == null) {
      throw failure == null ? LocalFailures.ofConnect(UvErrors.UV_EAGAIN, to) : failure;
    }
    connected.connectedTo(to);
    return connected;
  }

  @Override
  public String toString() {
    return "connect to " + to;
  }
}
