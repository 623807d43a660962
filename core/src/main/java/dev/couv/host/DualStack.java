// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.uv.Layouts;
import dev.couv.uv.Posix;
import dev.couv.uv.PosixSocket;
import dev.couv.uv.UvErrors;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Where to listen for "any address". The JDK writes that as `0.0.0.0`, and its own sockets then take
/// IPv6, too. So do ours, unless there is no IPv6 in the system, or `java.net.preferIPv4Stack` says not to.
final class DualStack {
  private DualStack() {}

  static InetSocketAddress widened(InetSocketAddress at) {
    boolean any = at.getAddress() instanceof Inet4Address v4 && v4.isAnyLocalAddress();
    if (!any || Boolean.getBoolean("java.net.preferIPv4Stack") || !isThere()) {
      return at;
    }
    return new InetSocketAddress(InetAddress.ofLiteral("::"), at.getPort());
  }

  /// Asked each time: who is short of descriptors would get the wrong answer for good.
  private static boolean isThere() {
    int socket =
        PosixSocket.socket(Layouts.AF_INET6, Layouts.SOCK_STREAM | Layouts.SOCK_CLOEXEC, 0);
    if (socket >= 0) {
      Posix.close(socket);
    }
    return socket != UvErrors.code("EAFNOSUPPORT");
  }
}
