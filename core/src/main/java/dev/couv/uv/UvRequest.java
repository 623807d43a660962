// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;

/// What all requests have in common: `uv_req_t`, allocated by [#uv_req_size].
///
/// The memory of a request is libuv's from the call that starts it to its callback, cancelled or
/// not.
public final class UvRequest {
  public static final int UV_CONNECT = 2;
  public static final int UV_WRITE = 3;
  public static final int UV_SHUTDOWN = 4;
  public static final int UV_UDP_SEND = 5;
  public static final int UV_FS = 6;
  public static final int UV_GETADDRINFO = 8;
  public static final int UV_GETNAMEINFO = 9;
  public static final int UV_RANDOM = 10;

  private static final Call SIZE = Call.critical("uv_req_size", SIZE_T, INT);
  private static final Call CANCEL = Call.of("uv_cancel", INT, POINTER);

  private UvRequest() {}

  /// -1 for an unknown type.
  public static long uv_req_size(int type) {
    return SIZE.call(type);
  }

  /// For `fs`, `getaddrinfo`, `getnameinfo`, `random` and `work` only; `UV_EBUSY` once a thread of
  /// the pool has taken it up. The callback still comes.
  public static int uv_cancel(long req) {
    return (int) CANCEL.call(req);
  }
}
