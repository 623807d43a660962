// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;
import static dev.couv.uv.Call.POINTER;

/// Linux's `epoll`, which tells which descriptors of a set are ready and is one itself, readable while any of them is; and `eventfd`, a descriptor
/// that one thread makes ready for another. A failed call answers the negated `errno`, as libuv's do. Any thread.
public final class Epoll {
  public static final int EPOLL_CLOEXEC = 0x80000;
  public static final int EPOLL_CTL_ADD = 1;
  public static final int EPOLL_CTL_DEL = 2;
  public static final int EPOLL_CTL_MOD = 3;
  public static final int EPOLLIN = 1;

  /// Urgent bytes, where a read ends.
  public static final int EPOLLPRI = 2;

  public static final int EPOLLOUT = 4;

  /// The other side writes no more.
  public static final int EPOLLRDHUP = 0x2000;

  /// Tells once each time it gets ready, and not for as long as it is.
  public static final int EPOLLET = 1 << 31;

  public static final int EFD_CLOEXEC = 0x80000;
  public static final int EFD_NONBLOCK = 0x800;

  /// A `struct epoll_event`: what is waited for, or has come, and a word of the caller's. Packed on x86-64, and nowhere else.
  public static final long EVENT_SIZE = System.getProperty("os.arch", "").equals("amd64") ? 12 : 16;

  public static final long EVENT_EVENTS = 0;
  public static final long EVENT_DATA = EVENT_SIZE - Long.BYTES;

  private static final Call CREATE1 = Call.errno("epoll_create1", INT, INT);
  private static final Call CTL = Call.errno("epoll_ctl", INT, INT, INT, INT, POINTER);

  private static final Call WAIT =
      Call.numbered(SystemCall.EPOLL_PWAIT, "epoll_wait", INT, INT, POINTER, INT, INT);
  private static final Call EVENTFD = Call.errno("eventfd", INT, INT, INT);
  private static final Call EVENTFD_WRITE = Call.errno("eventfd_write", INT, INT, LONG);

  private Epoll() {}

  /// A descriptor.
  public static int epoll_create1(int flags) {
    return (int) CREATE1.call(flags);
  }

  /// Refuses ordinary files, which are always ready.
  public static int epoll_ctl(int epfd, int op, int fd, long event) {
    return (int) CTL.call(epfd, op, fd, event);
  }

  /// How many events were written there. A signal ends a wait with `EINTR`.
  public static int epoll_wait(int epfd, long events, int maxevents, int timeout) {
    return (int) WAIT.call(epfd, events, maxevents, timeout);
  }

  /// A descriptor.
  public static int eventfd(int initval, int flags) {
    return (int) EVENTFD.call(initval, flags);
  }

  /// Makes it ready. `EAGAIN` if it has been made so for 2⁶⁴ − 2 times, and nobody has read it.
  public static int eventfd_write(int fd, long value) {
    return (int) EVENTFD_WRITE.call(fd, value);
  }
}
