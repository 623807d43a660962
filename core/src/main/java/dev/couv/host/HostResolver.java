// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.uv.Layouts;
import dev.couv.world.Request;
import dev.couv.world.Resolver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BiFunction;

/// The system's resolver, on libuv's threads.
final class HostResolver implements Resolver {
  private static final InetAddress ANY = InetAddress.ofLiteral("0.0.0.0");

  @Override
  public Request<List<InetSocketAddress>> addresses(EventLoop loop, Sought sought) {
    return LookupOperation.addresses(loop, sought);
  }

  @Override
  public Request<String> canonical(EventLoop loop, String host) {
    return LookupOperation.canonical(
        loop, new Sought(host, null, null, Transport.ANY, false, host));
  }

  @Override
  public <T> Request<T> names(
      EventLoop loop,
      InetSocketAddress address,
      Transport transport,
      BiFunction<String, String, T> as) {
    return new ReverseOperation<>(loop, address, Layouts.NI_NAMEREQD | flags(transport), as);
  }

  @Override
  public Request<String> service(EventLoop loop, int port, Transport transport) {
    return new ReverseOperation<>(
        loop,
        new InetSocketAddress(ANY, port),
        Layouts.NI_NUMERICHOST | flags(transport),
        (host, service) -> service);
  }

  private static int flags(Transport transport) {
    return transport == Transport.DATAGRAM ? Layouts.NI_DGRAM : 0;
  }
}
