// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.EventLoop;
import dev.couv.uv.Layouts;
import dev.couv.world.Request;
import dev.couv.world.Resolver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.function.BiFunction;

/// The system's resolver, on libuv's threads.
final class HostResolver implements Resolver {
  /// Asked once, when somebody first wants to know.
  private static final class Ipv6 {
    static final boolean IS_THERE = isThere();

    private Ipv6() {}

    private static boolean isThere() {
      try {
        return NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null;
      } catch (SocketException e) {
        return false;
      }
    }
  }

  @Override
  public boolean hasIpv6() {
    return Ipv6.IS_THERE;
  }

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
