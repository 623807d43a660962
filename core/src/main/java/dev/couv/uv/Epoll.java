// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Linux's `epoll`: a descriptor that is readable while another one is ready. libuv's own poll handles set
/// the mode of the descriptor they are given; with one of these between, they do not touch the other.
/// A failed call answers the negated `errno`, as libuv's do. Any thread.
public final class Epoll {
  public static final int EPOLL_CLOEXEC = 0x80000;
  public static final int EPOLL_CTL_ADD = 1;
  public static final int EPOLLIN = 1;
  public static final int EPOLLOUT = 4;

  /// At least a `struct epoll_event`, whose first word is what is waited for.
  public static final long EPOLL_EVENT_ROOM = 16;

  private static final MethodHandle CREATE1 =
      Binder.bindErrno("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CTL =
      Binder.bindErrno(
          "epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, POINTER));

  private Epoll() {}

  /// A descriptor.
  public static int epoll_create1(int flags) {
    try {
      return (int) CREATE1.invokeExact(flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Refuses ordinary files, which are always ready.
  public static int epoll_ctl(int epfd, int op, int fd, long event) {
    try {
      return (int) CTL.invokeExact(epfd, op, fd, event);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
