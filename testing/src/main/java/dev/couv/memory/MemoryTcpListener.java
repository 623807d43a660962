// SPDX-License-Identifier: Apache-2.0
package dev.couv.memory;

import dev.couv.loop.EventLoop;
import dev.couv.world.AddressText;
import dev.couv.world.TcpHandle;
import dev.couv.world.TcpListenHandle;
import dev.couv.world.TcpSockets.ListenSettings;
import java.net.InetSocketAddress;

/// A TCP socket in memory that listens.
final class MemoryTcpListener extends MemoryListener<TcpHandle>
    implements TcpListenHandle, Ports.Bound {
  private final InetSocketAddress local;
  private final ListenSettings settings;

  MemoryTcpListener(
      MemoryProcess process, EventLoop loop, InetSocketAddress local, ListenSettings settings) {
    super(process, loop, TcpHandle.class, settings.backlog());
    this.local = local;
    this.settings = settings;
  }

  @Override
  public InetSocketAddress bound() {
    return local;
  }

  @Override
  public boolean isV6Only() {
    return settings.ipv6Only();
  }

  @Override
  public boolean shares() {
    return settings.reusePort();
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  void leave() {
    if (!isCutOff()) {
      node().listeners().remove(this);
    }
  }

  @Override
  public String toString() {
    return "tcp listener " + AddressText.of(local);
  }
}
