// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// What the file system does with paths, and with directories, which are read in pieces.
///
/// Each call works on one of libuv's threads and calls back, or, without a callback, at once on the
/// calling thread, where the loop may be 0; then it returns the result. A path is copied, unless there
/// is no callback. Every request owes [UvFsRequest#uv_fs_req_cleanup].
public final class UvFs {
  public static final int UV_DIRENT_FILE = 1;
  public static final int UV_DIRENT_DIR = 2;
  public static final int UV_DIRENT_LINK = 3;
  public static final int UV_DIRENT_FIFO = 4;
  public static final int UV_DIRENT_SOCKET = 5;
  public static final int UV_DIRENT_CHAR = 6;
  public static final int UV_DIRENT_BLOCK = 7;

  private static final Call OPEN = Call.fs("uv_fs_open", POINTER, INT, INT);
  private static final Call UNLINK = Call.fs("uv_fs_unlink", POINTER);
  private static final Call MKDIR = Call.fs("uv_fs_mkdir", POINTER, INT);
  private static final Call MKDTEMP = Call.fs("uv_fs_mkdtemp", POINTER);
  private static final Call MKSTEMP = Call.fs("uv_fs_mkstemp", POINTER);
  private static final Call RMDIR = Call.fs("uv_fs_rmdir", POINTER);
  private static final Call STAT = Call.fs("uv_fs_stat", POINTER);
  private static final Call LSTAT = Call.fs("uv_fs_lstat", POINTER);
  private static final Call STATFS = Call.fs("uv_fs_statfs", POINTER);
  private static final Call RENAME = Call.fs("uv_fs_rename", POINTER, POINTER);
  private static final Call ACCESS = Call.fs("uv_fs_access", POINTER, INT);
  private static final Call CHMOD = Call.fs("uv_fs_chmod", POINTER, INT);
  private static final Call LINK = Call.fs("uv_fs_link", POINTER, POINTER);
  private static final Call SYMLINK = Call.fs("uv_fs_symlink", POINTER, POINTER, INT);
  private static final Call READLINK = Call.fs("uv_fs_readlink", POINTER);
  private static final Call REALPATH = Call.fs("uv_fs_realpath", POINTER);
  private static final Call CHOWN = Call.fs("uv_fs_chown", POINTER, INT, INT);
  private static final Call LCHOWN = Call.fs("uv_fs_lchown", POINTER, INT, INT);
  private static final Call OPENDIR = Call.fs("uv_fs_opendir", POINTER);
  private static final Call READDIR = Call.fs("uv_fs_readdir", POINTER);
  private static final Call CLOSEDIR = Call.fs("uv_fs_closedir", POINTER);
  private static final Call POLL_INIT = Call.of("uv_fs_poll_init", INT, POINTER, POINTER);
  private static final Call POLL_START =
      Call.of("uv_fs_poll_start", INT, POINTER, POINTER, POINTER, INT);

  private UvFs() {}

  /// The result is a descriptor, the caller's to close. `flags` are the `O_` numbers of [SystemLayouts].
  public static int uv_fs_open(long loop, long req, long path, int flags, int mode, long cb) {
    return (int) OPEN.call(loop, req, path, flags, mode, cb);
  }

  public static int uv_fs_unlink(long loop, long req, long path, long cb) {
    return (int) UNLINK.call(loop, req, path, cb);
  }

  public static int uv_fs_mkdir(long loop, long req, long path, int mode, long cb) {
    return (int) MKDIR.call(loop, req, path, mode, cb);
  }

  /// The path made is the request's, [UvFsRequest#uv_fs_get_path].
  public static int uv_fs_mkdtemp(long loop, long req, long tpl, long cb) {
    return (int) MKDTEMP.call(loop, req, tpl, cb);
  }

  /// As [#uv_fs_mkdtemp]; the result is a descriptor.
  public static int uv_fs_mkstemp(long loop, long req, long tpl, long cb) {
    return (int) MKSTEMP.call(loop, req, tpl, cb);
  }

  public static int uv_fs_rmdir(long loop, long req, long path, long cb) {
    return (int) RMDIR.call(loop, req, path, cb);
  }

  public static int uv_fs_stat(long loop, long req, long path, long cb) {
    return (int) STAT.call(loop, req, path, cb);
  }

  public static int uv_fs_lstat(long loop, long req, long path, long cb) {
    return (int) LSTAT.call(loop, req, path, cb);
  }

  /// A `uv_statfs_t` is at [UvFsRequest#uv_fs_get_ptr].
  public static int uv_fs_statfs(long loop, long req, long path, long cb) {
    return (int) STATFS.call(loop, req, path, cb);
  }

  public static int uv_fs_rename(long loop, long req, long path, long new_path, long cb) {
    return (int) RENAME.call(loop, req, path, new_path, cb);
  }

  public static int uv_fs_access(long loop, long req, long path, int mode, long cb) {
    return (int) ACCESS.call(loop, req, path, mode, cb);
  }

  public static int uv_fs_chmod(long loop, long req, long path, int mode, long cb) {
    return (int) CHMOD.call(loop, req, path, mode, cb);
  }

  public static int uv_fs_link(long loop, long req, long path, long new_path, long cb) {
    return (int) LINK.call(loop, req, path, new_path, cb);
  }

  public static int uv_fs_symlink(
      long loop, long req, long path, long new_path, int flags, long cb) {
    return (int) SYMLINK.call(loop, req, path, new_path, flags, cb);
  }

  /// The target, a C string, is at [UvFsRequest#uv_fs_get_ptr].
  public static int uv_fs_readlink(long loop, long req, long path, long cb) {
    return (int) READLINK.call(loop, req, path, cb);
  }

  /// As [#uv_fs_readlink].
  public static int uv_fs_realpath(long loop, long req, long path, long cb) {
    return (int) REALPATH.call(loop, req, path, cb);
  }

  /// -1 leaves one as it is.
  public static int uv_fs_chown(long loop, long req, long path, int uid, int gid, long cb) {
    return (int) CHOWN.call(loop, req, path, uid, gid, cb);
  }

  public static int uv_fs_lchown(long loop, long req, long path, int uid, int gid, long cb) {
    return (int) LCHOWN.call(loop, req, path, uid, gid, cb);
  }

  /// A `uv_dir_t` is at [UvFsRequest#uv_fs_get_ptr], until [#uv_fs_closedir]. Cleaning the request up does
  /// not free it.
  public static int uv_fs_opendir(long loop, long req, long path, long cb) {
    return (int) OPENDIR.call(loop, req, path, cb);
  }

  /// Fills the entries that the `uv_dir_t` names; their names live until the request is cleaned up. The
  /// result is their number, 0 at the end.
  public static int uv_fs_readdir(long loop, long req, long dir, long cb) {
    return (int) READDIR.call(loop, req, dir, cb);
  }

  public static int uv_fs_closedir(long loop, long req, long dir, long cb) {
    return (int) CLOSEDIR.call(loop, req, dir, cb);
  }

  /// Of a `uv_fs_poll_t`, which asks for the facts of a path again and again. Closing it stops it; the close callback
  /// waits for the question that is on its way.
  public static int uv_fs_poll_init(long loop, long handle) {
    return (int) POLL_INIT.call(loop, handle);
  }

  /// Copies the path. The interval is in milliseconds. The first answer is only what later ones are
  /// compared with; a failure is told once.
  public static int uv_fs_poll_start(long handle, long poll_cb, long path, int interval) {
    return (int) POLL_START.call(handle, poll_cb, path, interval);
  }
}
