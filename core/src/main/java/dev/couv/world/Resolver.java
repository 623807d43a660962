// SPDX-License-Identifier: Apache-2.0
package dev.couv.world;

import dev.couv.loop.EventLoop;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Knows the addresses of names, and the names of addresses. What can be known without asking anybody it is not asked.
/// What a host or an address does not have fails with an `UnknownHostException`.
public interface Resolver {
  /// Whether the machine can reach itself by IPv6. Asks nobody: any thread, and without waiting.
  boolean hasIpv6();

  /// What a service is for: its name may stand for another port there.
  enum Transport {
    ANY,
    STREAM,
    DATAGRAM
  }

  /// What to look for.
  ///
  /// @param host null if only the service is in question
  /// @param service null if only the host is in question
  /// @param family of the addresses; null for every
  /// @param numeric whether host and service must be numbers
  /// @param subject what it is called in messages
  record Sought(
      @Nullable String host,
      @Nullable String service,
      @Nullable ProtocolFamily family,
      Transport transport,
      boolean numeric,
      String subject) {}

  /// The addresses, each once, at least one; with port 0 if no service is in question, and any address if no host is.
  Request<List<InetSocketAddress>> addresses(EventLoop loop, Sought sought);

  /// The name that a host has in the first place.
  Request<String> canonical(EventLoop loop, String host);

  /// The name of the address's host, unless only the service is in question, and that of the service at its port, which
  /// is the number if it has none.
  <T> Request<T> names(
      EventLoop loop,
      InetSocketAddress address,
      Transport transport,
      boolean serviceOnly,
      BiFunction<String, String, T> as);
}
