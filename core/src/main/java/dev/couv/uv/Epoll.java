// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

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

  private static final Call CREATE1 = Call.errno("epoll_create1", INT, INT);
  private static final Call CTL = Call.errno("epoll_ctl", INT, INT, INT, INT, POINTER);

  private Epoll() {}

  /// A descriptor.
  public static int epoll_create1(int flags) {
    return (int) CREATE1.call(flags);
  }

  /// Refuses ordinary files, which are always ready.
  public static int epoll_ctl(int epfd, int op, int fd, long event) {
    return (int) CTL.call(epfd, op, fd, event);
  }
}
