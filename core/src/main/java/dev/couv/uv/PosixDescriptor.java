// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;
import static dev.couv.uv.Call.POINTER;

/// What libuv does not tell or set of descriptors, asked of the system itself. A failed call answers
/// the negated `errno`, as libuv's do. Any thread.
public final class PosixDescriptor {
  public static final int RLIMIT_NOFILE = Platform.choose(7, 8, -1);
  public static final int SO_LINGER = Platform.choose(13, 0x80, 0x80);
  public static final int SO_REUSEPORT = Platform.choose(15, 0x200, -1);

  /// Names the peer also of a connection that was reset.
  public static final int SO_PEERNAME = Platform.choose(28, -1, -1);

  /// Two words: the limit in force, and how far it may be raised.
  public static final long RLIMIT_SIZE = 16;

  /// Two `int`: whether, and how many seconds.
  public static final long LINGER_SIZE = 8;

  private static final Call GETRLIMIT = Call.errno("getrlimit", INT, INT, POINTER);
  private static final Call SETSOCKOPT = Call.errno("setsockopt", INT, INT, INT, INT, POINTER, INT);

  private static final Call LSEEK = Call.errno("lseek", LONG, INT, LONG, INT);

  private static final Call IOCTL = Call.errnoVariadic("ioctl", 2, INT, INT, LONG, LONG);

  /// From the start of the file.
  public static final int SEEK_SET = 0;

  /// From where the place is.
  public static final int SEEK_CUR = 1;

  /// From the start of the file to the next byte that is no hole, to the next hole.
  public static final int SEEK_DATA = Platform.choose(3, 4, -1);

  public static final int SEEK_HOLE = Platform.choose(4, 3, -1);

  /// How many bytes there are to read, as an `int` at the argument.
  public static final long FIONREAD = Platform.choose(0x541B, 0x4004_667F, 0);

  /// Has the file share all blocks of another, whose descriptor is the argument; 0 where there is no such request.
  public static final long FICLONE = Platform.choose(0x4004_9409, 0, 0);

  private PosixDescriptor() {}

  /// Moves the system's own place in the file, which all who share the open file have in common.
  public static long lseek(int fd, long offset, int whence) {
    return LSEEK.call(fd, offset, whence);
  }

  public static int ioctl(int fd, long request, long argument) {
    return (int) IOCTL.call(fd, request, argument);
  }

  public static int getrlimit(int resource, long rlim) {
    return (int) GETRLIMIT.call(resource, rlim);
  }

  public static int setsockopt(int sockfd, int level, int optname, long optval, int optlen) {
    return (int) SETSOCKOPT.call(sockfd, level, optname, optval, optlen);
  }
}
