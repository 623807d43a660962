// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.VOID;

/// Name lookup on libuv's thread pool.
public final class UvDns {
  private static final Call GETADDRINFO =
      Call.of("uv_getaddrinfo", INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER);
  private static final Call FREEADDRINFO = Call.of("uv_freeaddrinfo", VOID, POINTER);

  private static final Call GETNAMEINFO =
      Call.of("uv_getnameinfo", INT, POINTER, POINTER, POINTER, POINTER, INT);

  private UvDns() {}

  /// Copies its arguments. The list given to the callback is the caller's to free, also when nobody
  /// waits for it any more. Cancelled, the status is `UV_EAI_CANCELED`, not `UV_ECANCELED`.
  public static int uv_getaddrinfo(
      long loop, long req, long cb, long node, long service, long hints) {
    return (int) GETADDRINFO.call(loop, req, cb, node, service, hints);
  }

  /// Any thread. Does nothing with 0.
  public static void uv_freeaddrinfo(long ai) {
    FREEADDRINFO.call(ai);
  }

  /// Copies the address. `flags` are the `NI_` numbers of [Layouts]. The strings given to the callback
  /// are part of the request. Cancelled, the status is `UV_EAI_CANCELED`.
  public static int uv_getnameinfo(long loop, long req, long cb, long addr, int flags) {
    return (int) GETNAMEINFO.call(loop, req, cb, addr, flags);
  }
}
