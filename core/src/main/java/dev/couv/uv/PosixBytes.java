// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;

/// Bytes from and to descriptors whose mode other programs depend on, so that libuv, which would set it,
/// must not have them. A failed call answers the negated `errno`, as libuv's do. Any thread.
public final class PosixBytes {
  /// Does not wait, whatever the mode of the socket is.
  public static final int MSG_DONTWAIT = Platform.choose(0x40, 0x80, 0);

  /// The failure is told by the answer only, and not by a signal.
  public static final int MSG_NOSIGNAL = Platform.choose(0x4000, 0x80000, 0);

  /// More follows at once: what fills no packet waits for it. 0 where there is no such flag.
  public static final int MSG_MORE = Platform.choose(0x8000, 0, 0);

  /// A read fails rather than wait for the device.
  public static final int RWF_NOWAIT = 8;

  public static final int POLLIN = 1;
  public static final int POLLOUT = 4;

  private static final long POLLFD_SIZE = 8;

  /// The part of the flags of a descriptor that says whether it can be read and written.
  public static final int O_ACCMODE = 3;

  public static final int O_NONBLOCK = Platform.choose(0x800, 0x4, 0);

  /// Whether [#sendfile] is what Linux has under that name: others have another function.
  public static final boolean HAS_SENDFILE = Platform.isLinux();

  /// Whether there is [#preadv2]: not in every C library of Linux.
  public static final boolean HAS_PREADV2 = HAS_SENDFILE && Native.systemHas("preadv2");

  private static final Call READ = Call.errno("read", SIZE_T, INT, POINTER, SIZE_T);
  private static final Call WRITE = Call.errno("write", SIZE_T, INT, POINTER, SIZE_T);
  private static final Call RECV =
      Call.numbered(SystemCall.RECVFROM, "recv", SIZE_T, INT, POINTER, SIZE_T, INT);
  private static final Call SEND =
      Call.numbered(SystemCall.SENDTO, "send", SIZE_T, INT, POINTER, SIZE_T, INT);

  private static final Call SENDFILE = Call.errno("sendfile", SIZE_T, INT, INT, POINTER, SIZE_T);

  private static final Call PREADV2 = Call.errno("preadv2", SIZE_T, INT, POINTER, INT, LONG, INT);

  private static final Call POLL = Call.errno("poll", INT, POINTER, SIZE_T, INT);

  private PosixBytes() {}

  /// Whether the descriptor is ready now, for one of the events or because it has ended.
  public static boolean isReady(int fd, int events) {
    long at = Memory.calloc(1, POLLFD_SIZE);
    if (at == 0) {
      throw new OutOfMemoryError("native memory");
    }
    try {
      Memory.putInt(at, fd);
      Memory.putInt(at + Integer.BYTES, events); // a short, before another of which only 0 is known
      return POLL.call(at, 1, 0) > 0;
    } finally {
      Memory.free(at);
    }
  }

  /// 0 at the end.
  public static long read(int fd, long buf, long count) {
    return READ.call(fd, buf, count);
  }

  public static long write(int fd, long buf, long count) {
    return WRITE.call(fd, buf, count);
  }

  /// 0 at the end. See [#HAS_PREADV2].
  public static long preadv2(int fd, long iov, int iovcnt, long offset, int flags) {
    return PREADV2.call(fd, iov, iovcnt, offset, flags);
  }

  /// 0 at the end.
  public static long recv(int sockfd, long buf, long len, int flags) {
    return RECV.call(sockfd, buf, len, flags);
  }

  public static long send(int sockfd, long buf, long len, int flags) {
    return SEND.call(sockfd, buf, len, flags);
  }

  /// Moves bytes of a file to a socket inside the kernel, from the `off_t` at `offset` on. See
  /// [#HAS_SENDFILE].
  public static long sendfile(int out_fd, int in_fd, long offset, long count) {
    return SENDFILE.call(out_fd, in_fd, offset, count);
  }
}
