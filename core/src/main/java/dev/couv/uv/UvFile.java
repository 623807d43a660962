// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;

/// What the file system does with open files.
///
/// Each call works on one of libuv's threads and calls back, or, without a callback, at once on the
/// calling thread, where the loop may be 0; then it returns the result. A path is copied, unless there
/// is no callback. Every request owes [UvFsRequest#uv_fs_req_cleanup].
public final class UvFile {
  private static final Call CLOSE = Call.fs("uv_fs_close", INT);
  private static final Call READ = Call.fs("uv_fs_read", INT, POINTER, INT, LONG);
  private static final Call WRITE = Call.fs("uv_fs_write", INT, POINTER, INT, LONG);
  private static final Call FSTAT = Call.fs("uv_fs_fstat", INT);
  private static final Call FSYNC = Call.fs("uv_fs_fsync", INT);
  private static final Call FDATASYNC = Call.fs("uv_fs_fdatasync", INT);
  private static final Call FTRUNCATE = Call.fs("uv_fs_ftruncate", INT, LONG);
  private static final Call SENDFILE = Call.fs("uv_fs_sendfile", INT, INT, LONG, SIZE_T);
  private static final Call FCHMOD = Call.fs("uv_fs_fchmod", INT, INT);
  private static final Call FCHOWN = Call.fs("uv_fs_fchown", INT, INT, INT);

  private UvFile() {}

  public static int uv_fs_close(long loop, long req, int file, long cb) {
    return (int) CLOSE.call(loop, req, file, cb);
  }

  /// Copies the descriptors, not the bytes. From the file's position if the offset is -1. The result 0 is
  /// the end of the file.
  public static int uv_fs_read(
      long loop, long req, int file, long bufs, int nbufs, long offset, long cb) {
    return (int) READ.call(loop, req, file, bufs, nbufs, offset, cb);
  }

  /// As [#uv_fs_read].
  public static int uv_fs_write(
      long loop, long req, int file, long bufs, int nbufs, long offset, long cb) {
    return (int) WRITE.call(loop, req, file, bufs, nbufs, offset, cb);
  }

  public static int uv_fs_fstat(long loop, long req, int file, long cb) {
    return (int) FSTAT.call(loop, req, file, cb);
  }

  public static int uv_fs_fsync(long loop, long req, int file, long cb) {
    return (int) FSYNC.call(loop, req, file, cb);
  }

  public static int uv_fs_fdatasync(long loop, long req, int file, long cb) {
    return (int) FDATASYNC.call(loop, req, file, cb);
  }

  public static int uv_fs_ftruncate(long loop, long req, int file, long offset, long cb) {
    return (int) FTRUNCATE.call(loop, req, file, offset, cb);
  }

  /// Sends part, or `UV_EAGAIN`, where the target does not take all.
  public static int uv_fs_sendfile(
      long loop, long req, int out_fd, int in_fd, long in_offset, long length, long cb) {
    return (int) SENDFILE.call(loop, req, out_fd, in_fd, in_offset, length, cb);
  }

  public static int uv_fs_fchmod(long loop, long req, int file, int mode, long cb) {
    return (int) FCHMOD.call(loop, req, file, mode, cb);
  }

  public static int uv_fs_fchown(long loop, long req, int file, int uid, int gid, long cb) {
    return (int) FCHOWN.call(loop, req, file, uid, gid, cb);
  }
}
