// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.world.Resolver.Transport;

/// What a service is asked for.
public enum SocketKind {
  /// Streams or datagrams, whatever it has.
  ANY,
  /// Streams: TCP.
  STREAM,
  /// Datagrams: UDP.
  DATAGRAM;

  /// What the resolver is told: the same, by the same name.
  Transport transport() {
    return Transport.valueOf(name());
  }
}
