// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.uv.Layouts;
import dev.couv.world.Request;
import dev.couv.world.Resolver;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BiFunction;

/// The system's resolver, on libuv's threads.
final class HostResolver implements Resolver {
  @Override
  public Request<List<InetSocketAddress>> addresses(EventLoop loop, Sought sought) {
    return new LookupOperation<>(loop, sought, 0, LookupOperation::readAddresses, "EAI_NODATA");
  }

  @Override
  public Request<String> canonical(EventLoop loop, String host) {
    Sought sought = new Sought(host, null, null, Transport.ANY, false, host);
    return new LookupOperation<>(
        loop, sought, Layouts.AI_CANONNAME, LookupOperation::readCanonical, "EAI_NONAME");
  }

  @Override
  public <T> Request<T> names(
      EventLoop loop,
      InetSocketAddress address,
      Transport transport,
      boolean serviceOnly,
      BiFunction<String, String, T> as) {
    int flags =
        (serviceOnly ? Layouts.NI_NUMERICHOST : Layouts.NI_NAMEREQD)
            | (transport == Transport.DATAGRAM ? Layouts.NI_DGRAM : 0);
    return new ReverseOperation<>(loop, address, flags, as);
  }
}
