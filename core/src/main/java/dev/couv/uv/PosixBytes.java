// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Bytes from and to descriptors whose mode other programs depend on, so that libuv, which would set it,
/// must not have them. A failed call answers the negated `errno`, as libuv's do. Any thread.
public final class PosixBytes {
  /// Does not wait, whatever the mode of the socket is.
  public static final int MSG_DONTWAIT = Platform.choose(0x40, 0x80, 0);

  /// The failure is told by the answer only, and not by a signal.
  public static final int MSG_NOSIGNAL = Platform.choose(0x4000, 0x80000, 0);

  public static final int POLLIN = 1;
  public static final int POLLOUT = 4;

  private static final long POLLFD_SIZE = 8;

  /// The part of the flags of a descriptor that says whether it can be read and written.
  public static final int O_ACCMODE = 3;

  public static final int O_NONBLOCK = Platform.choose(0x800, 0x4, 0);

  /// Whether [#sendfile] is what Linux has under that name: others have another function.
  public static final boolean HAS_SENDFILE = Platform.isLinux();

  private static final MethodHandle READ =
      Binder.bindErrno("read", FunctionDescriptor.of(SIZE_T, JAVA_INT, POINTER, SIZE_T));
  private static final MethodHandle WRITE =
      Binder.bindErrno("write", FunctionDescriptor.of(SIZE_T, JAVA_INT, POINTER, SIZE_T));
  private static final MethodHandle RECV =
      Binder.bindErrno("recv", FunctionDescriptor.of(SIZE_T, JAVA_INT, POINTER, SIZE_T, JAVA_INT));
  private static final MethodHandle SEND =
      Binder.bindErrno("send", FunctionDescriptor.of(SIZE_T, JAVA_INT, POINTER, SIZE_T, JAVA_INT));

  private static final MethodHandle SENDFILE =
      Binder.bindErrno(
          "sendfile", FunctionDescriptor.of(SIZE_T, JAVA_INT, JAVA_INT, POINTER, SIZE_T));

  private static final MethodHandle POLL =
      Binder.bindErrno("poll", FunctionDescriptor.of(JAVA_INT, POINTER, SIZE_T, JAVA_INT));

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
      return (int) POLL.invokeExact(at, 1L, 0) > 0;
    } catch (Throwable t) {
      throw Native.unexpected(t);
    } finally {
      Memory.free(at);
    }
  }

  /// 0 at the end.
  public static long read(int fd, long buf, long count) {
    try {
      return (long) READ.invokeExact(fd, buf, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static long write(int fd, long buf, long count) {
    try {
      return (long) WRITE.invokeExact(fd, buf, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// 0 at the end.
  public static long recv(int sockfd, long buf, long len, int flags) {
    try {
      return (long) RECV.invokeExact(sockfd, buf, len, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static long send(int sockfd, long buf, long len, int flags) {
    try {
      return (long) SEND.invokeExact(sockfd, buf, len, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Moves bytes of a file to a socket inside the kernel, from the `off_t` at `offset` on. See
  /// [#HAS_SENDFILE].
  public static long sendfile(int out_fd, int in_fd, long offset, long count) {
    try {
      return (long) SENDFILE.invokeExact(out_fd, in_fd, offset, count);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
