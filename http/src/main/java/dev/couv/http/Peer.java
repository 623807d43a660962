// SPDX-License-Identifier: Apache-2.0
package dev.couv.http;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The other side of a connection.
///
/// @param remote its address; null if it has none, as on the other side of a local socket
/// @param secure whether TLS is spoken with it
public record Peer(@Nullable SocketAddress remote, boolean secure) {
  /// In tests.
  static final Peer NOBODY = new Peer(null, false);
}
