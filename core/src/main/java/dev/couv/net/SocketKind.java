// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

/// What a service is asked for: streams, datagrams, or either.
public enum SocketKind {
  ANY,
  STREAM,
  DATAGRAM
}
