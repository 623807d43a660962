// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.OwnDescriptors;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.Posix;
import dev.couv.uv.UvPipe;
import dev.couv.world.LocalHandle;
import dev.couv.world.LocalListenHandle;
import dev.couv.world.LocalName;
import dev.couv.world.LocalSockets;
import java.io.IOException;

/// Local sockets, by libuv.
final class HostLocalSockets implements LocalSockets {
  @Override
  public Connecting connect(EventLoop loop, LocalName to) throws IOException {
    LocalAddresses.check(to, "connect");
    return new LocalConnect(loop, to);
  }

  @Override
  public LocalListenHandle listen(EventLoop loop, LocalName at, ListenSettings settings)
      throws IOException {
    LocalAddresses.check(at, "bind");
    return HostLocalListener.open(loop, at, settings);
  }

  @Override
  public Ends pair(EventLoop loop) throws IOException {
    long sockets = loop.scratch().argumentsAddress();
    int flag = UvPipe.UV_NONBLOCK_PIPE;
    Failures.check(
        UvPipe.uv_socketpair(Layouts.SOCK_STREAM, 0, sockets, flag, flag), "socketpair", "a pair");
    int first = Memory.getInt(sockets);
    int second = Memory.getInt(sockets + Layouts.UV_OS_SOCK_SIZE);
    HostLocal one = null;
    try {
      one = HostLocal.adopt(loop, first);
      return new Ends(one, HostLocal.adopt(loop, second));
    } catch (Throwable failed) {
      if (one == null) {
        Posix.close(second);
      } else {
        one.close();
      }
      throw failed;
    }
  }

  @Override
  public LocalHandle adopt(EventLoop loop, int descriptor) throws IOException {
    OwnDescriptors.check(descriptor);
    HostLocal stream = HostLocal.adopt(loop, descriptor);
    stream.has(descriptor); // from now on it is known to be this one's
    return stream;
  }
}
