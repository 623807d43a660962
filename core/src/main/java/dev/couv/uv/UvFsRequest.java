// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.VOID;

/// What a finished request to the file system carries.
public final class UvFsRequest {
  private static final Call GET_RESULT = Call.of("uv_fs_get_result", POINTER, POINTER);
  private static final Call GET_PTR = Call.of("uv_fs_get_ptr", POINTER, POINTER);
  private static final Call GET_PATH = Call.of("uv_fs_get_path", POINTER, POINTER);
  private static final Call GET_STATBUF = Call.of("uv_fs_get_statbuf", POINTER, POINTER);
  private static final Call REQ_CLEANUP = Call.of("uv_fs_req_cleanup", VOID, POINTER);

  private UvFsRequest() {}

  /// Negative for a failure.
  public static long uv_fs_get_result(long req) {
    return GET_RESULT.call(req);
  }

  public static long uv_fs_get_ptr(long req) {
    return GET_PTR.call(req);
  }

  public static long uv_fs_get_path(long req) {
    return GET_PATH.call(req);
  }

  /// A `uv_stat_t` that is part of the request.
  public static long uv_fs_get_statbuf(long req) {
    return GET_STATBUF.call(req);
  }

  /// Frees what the request holds, but not its memory. May be called again.
  public static void uv_fs_req_cleanup(long req) {
    REQ_CLEANUP.call(req);
  }
}
