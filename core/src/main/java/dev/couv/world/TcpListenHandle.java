// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import java.io.IOException;
import java.net.InetSocketAddress;

/// A TCP socket that listens.
public interface TcpListenHandle extends ListenHandle<TcpHandle> {
  /// Where it listens, with its port.
  InetSocketAddress local();

  /// Whether several accepts are queued, where there is such a thing.
  default void simultaneousAccepts(boolean on) throws IOException {
    checkUsable();
  }
}
