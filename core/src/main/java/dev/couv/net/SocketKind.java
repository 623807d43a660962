// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.world.Resolver.Transport;

/// What a service is asked for.
public enum SocketKind {
  /// Streams or datagrams, whatever it has.
  ANY(Transport.ANY),
  /// Streams: TCP.
  STREAM(Transport.STREAM),
  /// Datagrams: UDP.
  DATAGRAM(Transport.DATAGRAM);

  private final Transport transport;

  SocketKind(Transport transport) {
    this.transport = transport;
  }

  Transport transport() {
    return transport;
  }
}
