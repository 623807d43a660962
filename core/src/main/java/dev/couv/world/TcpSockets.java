// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// TCP, as a world has it.
public interface TcpSockets {
  /// What is set on a connection before it is made.
  ///
  /// @param keepAlive null for never
  /// @param sendBuffer 0 to leave it
  /// @param receiveBuffer 0 to leave it
  /// @param from null for any
  record Settings(
      boolean noDelay,
      @Nullable Duration keepAlive,
      int sendBuffer,
      int receiveBuffer,
      @Nullable InetSocketAddress from) {}

  /// How to listen.
  ///
  /// @param backlog how many connections are kept
  /// @param ipv6Only whether IPv4 is left alone
  /// @param reusePort whether others may listen at the same port
  record ListenSettings(int backlog, boolean ipv6Only, boolean reusePort) {}

  /// Connects to an address that is resolved. Nothing begins before it is awaited.
  Request<TcpHandle> connect(EventLoop loop, InetSocketAddress to, Settings settings);

  /// Listens; port 0 is any.
  TcpListenHandle listen(EventLoop loop, InetSocketAddress at, ListenSettings settings)
      throws IOException;
}
