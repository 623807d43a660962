// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.POINTER;

/// Directories, read in pieces.
///
/// Each call works on one of libuv's threads and calls back, or, without a callback, at once on the
/// calling thread, where the loop may be 0; then it returns the result. A path is copied, unless there
/// is no callback. Every request owes [UvFsRequest#uv_fs_req_cleanup].
public final class UvDir {
  public static final int UV_DIRENT_FILE = 1;
  public static final int UV_DIRENT_DIR = 2;
  public static final int UV_DIRENT_LINK = 3;
  public static final int UV_DIRENT_FIFO = 4;
  public static final int UV_DIRENT_SOCKET = 5;
  public static final int UV_DIRENT_CHAR = 6;
  public static final int UV_DIRENT_BLOCK = 7;

  private static final Call OPENDIR = Call.fs("uv_fs_opendir", POINTER);
  private static final Call READDIR = Call.fs("uv_fs_readdir", POINTER);
  private static final Call CLOSEDIR = Call.fs("uv_fs_closedir", POINTER);

  private UvDir() {}

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
}
