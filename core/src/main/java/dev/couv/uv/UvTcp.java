// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// TCP: `uv_tcp_t`.
///
/// A `sockaddr` given is copied. [Layouts] has its form.
public final class UvTcp {
  /// A flag of [#uv_tcp_bind].
  public static final int UV_TCP_IPV6ONLY = 1;

  private static final Call INIT = Call.of("uv_tcp_init", INT, POINTER, POINTER);
  private static final Call INIT_EX = Call.of("uv_tcp_init_ex", INT, POINTER, POINTER, INT);
  private static final Call OPEN = Call.of("uv_tcp_open", INT, POINTER, Layouts.UV_OS_SOCK_T);
  private static final Call NODELAY = Call.of("uv_tcp_nodelay", INT, POINTER, INT);
  private static final Call KEEPALIVE = Call.of("uv_tcp_keepalive", INT, POINTER, INT, INT);
  private static final Call SIMULTANEOUS_ACCEPTS =
      Call.of("uv_tcp_simultaneous_accepts", INT, POINTER, INT);
  private static final Call BIND = Call.of("uv_tcp_bind", INT, POINTER, POINTER, INT);
  private static final Call GETSOCKNAME =
      Call.of("uv_tcp_getsockname", INT, POINTER, POINTER, POINTER);
  private static final Call GETPEERNAME =
      Call.of("uv_tcp_getpeername", INT, POINTER, POINTER, POINTER);
  private static final Call CONNECT =
      Call.of("uv_tcp_connect", INT, POINTER, POINTER, POINTER, POINTER);
  private static final Call CLOSE_RESET = Call.of("uv_tcp_close_reset", INT, POINTER, POINTER);

  private UvTcp() {}

  public static int uv_tcp_init(long loop, long tcp) {
    return (int) INIT.call(loop, tcp);
  }

  /// `flags` is an address family, for which the socket is made at once.
  public static int uv_tcp_init_ex(long loop, long tcp, int flags) {
    return (int) INIT_EX.call(loop, tcp, flags);
  }

  /// `sock` is a descriptor on Unix and a `SOCKET` on Windows.
  public static int uv_tcp_open(long tcp, long sock) {
    return (int) OPEN.call(tcp, sock);
  }

  public static int uv_tcp_nodelay(long tcp, int enable) {
    return (int) NODELAY.call(tcp, enable);
  }

  /// `delay` in seconds.
  public static int uv_tcp_keepalive(long tcp, int enable, int delay) {
    return (int) KEEPALIVE.call(tcp, enable, delay);
  }

  public static int uv_tcp_simultaneous_accepts(long tcp, int enable) {
    return (int) SIMULTANEOUS_ACCEPTS.call(tcp, enable);
  }

  /// An address in use may be reported only by `uv_listen` or `uv_tcp_connect`.
  public static int uv_tcp_bind(long tcp, long addr, int flags) {
    return (int) BIND.call(tcp, addr, flags);
  }

  /// `namelen` is an `int`, in and out: the room at `name`, then the bytes used.
  public static int uv_tcp_getsockname(long tcp, long name, long namelen) {
    return (int) GETSOCKNAME.call(tcp, name, namelen);
  }

  /// As [#uv_tcp_getsockname].
  public static int uv_tcp_getpeername(long tcp, long name, long namelen) {
    return (int) GETPEERNAME.call(tcp, name, namelen);
  }

  public static int uv_tcp_connect(long req, long tcp, long addr, long cb) {
    return (int) CONNECT.call(req, tcp, addr, cb);
  }

  /// Closes with RST. Not after `uv_shutdown`. On an error the handle is not closed.
  public static int uv_tcp_close_reset(long tcp, long close_cb) {
    return (int) CLOSE_RESET.call(tcp, close_cb);
  }
}
