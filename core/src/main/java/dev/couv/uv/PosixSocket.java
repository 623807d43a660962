// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// What libuv's sockets do not do, asked of the system itself: abstract names, and whether a socket
/// listens. A failed call answers the negated `errno`, as libuv's do. Any thread.
public final class PosixSocket {
  private static final Call SOCKET = Call.errno("socket", INT, INT, INT, INT);
  private static final Call BIND = Call.errno("bind", INT, INT, POINTER, INT);
  private static final Call CONNECT = Call.errno("connect", INT, INT, POINTER, INT);
  private static final Call GETSOCKOPT =
      Call.errno("getsockopt", INT, INT, INT, INT, POINTER, POINTER);

  private PosixSocket() {}

  /// A descriptor.
  public static int socket(int domain, int type, int protocol) {
    return (int) SOCKET.call(domain, type, protocol);
  }

  public static int bind(int sockfd, long addr, int addrlen) {
    return (int) BIND.call(sockfd, addr, addrlen);
  }

  public static int connect(int sockfd, long addr, int addrlen) {
    return (int) CONNECT.call(sockfd, addr, addrlen);
  }

  /// `optlen` is an `int`, in and out: the room at `optval`, then the bytes used.
  public static int getsockopt(int sockfd, int level, int optname, long optval, long optlen) {
    return (int) GETSOCKOPT.call(sockfd, level, optname, optval, optlen);
  }
}
