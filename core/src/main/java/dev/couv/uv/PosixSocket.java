// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What libuv's sockets do not do, asked of the system itself: abstract names, and whether a socket
/// listens. A failed call answers the negated `errno`, as libuv's do. Any thread.
public final class PosixSocket {
  private static final MethodHandle SOCKET =
      Binder.bindErrno("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle BIND =
      Binder.bindErrno("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle CONNECT =
      Binder.bindErrno("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle GETSOCKOPT =
      Binder.bindErrno(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, POINTER, POINTER));

  private PosixSocket() {}

  /// A descriptor.
  public static int socket(int domain, int type, int protocol) {
    try {
      return (int) SOCKET.invokeExact(domain, type, protocol);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int bind(int sockfd, long addr, int addrlen) {
    try {
      return (int) BIND.invokeExact(sockfd, addr, addrlen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int connect(int sockfd, long addr, int addrlen) {
    try {
      return (int) CONNECT.invokeExact(sockfd, addr, addrlen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `optlen` is an `int`, in and out: the room at `optval`, then the bytes used.
  public static int getsockopt(int sockfd, int level, int optname, long optval, long optlen) {
    try {
      return (int) GETSOCKOPT.invokeExact(sockfd, level, optname, optval, optlen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
