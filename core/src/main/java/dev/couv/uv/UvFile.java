// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// What the file system does with open files.
///
/// Each call works on one of libuv's threads and calls back, or, without a callback, at once on the
/// calling thread, where the loop may be 0; then it returns the result. A path is copied, unless there
/// is no callback. Every request owes [UvFsRequest#uv_fs_req_cleanup].
public final class UvFile {
  private static final MethodHandle CLOSE =
      Binder.bind(
          "uv_fs_close", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle READ =
      Binder.bind(
          "uv_fs_read",
          FunctionDescriptor.of(
              JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER, JAVA_INT, JAVA_LONG, POINTER));
  private static final MethodHandle WRITE =
      Binder.bind(
          "uv_fs_write",
          FunctionDescriptor.of(
              JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER, JAVA_INT, JAVA_LONG, POINTER));
  private static final MethodHandle FSTAT =
      Binder.bind(
          "uv_fs_fstat", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle FSYNC =
      Binder.bind(
          "uv_fs_fsync", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle FDATASYNC =
      Binder.bind(
          "uv_fs_fdatasync", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle FTRUNCATE =
      Binder.bind(
          "uv_fs_ftruncate",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, JAVA_LONG, POINTER));
  private static final MethodHandle SENDFILE =
      Binder.bind(
          "uv_fs_sendfile",
          FunctionDescriptor.of(
              JAVA_INT, POINTER, POINTER, JAVA_INT, JAVA_INT, JAVA_LONG, SIZE_T, POINTER));
  private static final MethodHandle FCHMOD =
      Binder.bind(
          "uv_fs_fchmod",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, JAVA_INT, POINTER));
  private static final MethodHandle FCHOWN =
      Binder.bind(
          "uv_fs_fchown",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT, JAVA_INT, JAVA_INT, POINTER));

  private UvFile() {}

  public static int uv_fs_close(long loop, long req, int file, long cb) {
    try {
      return (int) CLOSE.invokeExact(loop, req, file, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Copies the descriptors, not the bytes. From the file's position if the offset is -1. The result 0 is
  /// the end of the file.
  public static int uv_fs_read(
      long loop, long req, int file, long bufs, int nbufs, long offset, long cb) {
    try {
      return (int) READ.invokeExact(loop, req, file, bufs, nbufs, offset, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_fs_read].
  public static int uv_fs_write(
      long loop, long req, int file, long bufs, int nbufs, long offset, long cb) {
    try {
      return (int) WRITE.invokeExact(loop, req, file, bufs, nbufs, offset, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_fstat(long loop, long req, int file, long cb) {
    try {
      return (int) FSTAT.invokeExact(loop, req, file, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_fsync(long loop, long req, int file, long cb) {
    try {
      return (int) FSYNC.invokeExact(loop, req, file, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_fdatasync(long loop, long req, int file, long cb) {
    try {
      return (int) FDATASYNC.invokeExact(loop, req, file, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_ftruncate(long loop, long req, int file, long offset, long cb) {
    try {
      return (int) FTRUNCATE.invokeExact(loop, req, file, offset, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Sends part, or `UV_EAGAIN`, where the target does not take all.
  public static int uv_fs_sendfile(
      long loop, long req, int out_fd, int in_fd, long in_offset, long length, long cb) {
    try {
      return (int) SENDFILE.invokeExact(loop, req, out_fd, in_fd, in_offset, length, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_fchmod(long loop, long req, int file, int mode, long cb) {
    try {
      return (int) FCHMOD.invokeExact(loop, req, file, mode, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_fs_fchown(long loop, long req, int file, int uid, int gid, long cb) {
    try {
      return (int) FCHOWN.invokeExact(loop, req, file, uid, gid, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
