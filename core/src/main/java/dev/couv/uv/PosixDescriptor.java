// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

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

  private static final MethodHandle GETRLIMIT =
      Binder.bindErrno("getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, POINTER));
  private static final MethodHandle SETSOCKOPT =
      Binder.bindErrno(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, POINTER, JAVA_INT));

  private static final MethodHandle LSEEK =
      Binder.bindErrno("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));

  private static final MethodHandle IOCTL =
      Binder.bindErrno(
          "ioctl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
          Linker.Option.firstVariadicArg(2));

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
    try {
      return (long) LSEEK.invokeExact(fd, offset, whence);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int ioctl(int fd, long request, long argument) {
    try {
      return (int) IOCTL.invokeExact(fd, request, argument);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int getrlimit(int resource, long rlim) {
    try {
      return (int) GETRLIMIT.invokeExact(resource, rlim);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int setsockopt(int sockfd, int level, int optname, long optval, int optlen) {
    try {
      return (int) SETSOCKOPT.invokeExact(sockfd, level, optname, optval, optlen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
