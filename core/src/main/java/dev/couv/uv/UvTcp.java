// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// TCP: `uv_tcp_t`.
///
/// A `sockaddr` given is copied. [Layouts] has its form.
public final class UvTcp {
  /// A flag of [#uv_tcp_bind].
  public static final int UV_TCP_IPV6ONLY = 1;

  private static final MethodHandle INIT =
      Binder.bind("uv_tcp_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));
  private static final MethodHandle INIT_EX =
      Binder.bind("uv_tcp_init_ex", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle OPEN =
      MethodHandles.explicitCastArguments(
          Binder.bind(
              "uv_tcp_open", FunctionDescriptor.of(JAVA_INT, POINTER, Layouts.UV_OS_SOCK_T)),
          MethodType.methodType(int.class, long.class, long.class));
  private static final MethodHandle NODELAY =
      Binder.bind("uv_tcp_nodelay", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle KEEPALIVE =
      Binder.bind("uv_tcp_keepalive", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT, JAVA_INT));
  private static final MethodHandle SIMULTANEOUS_ACCEPTS =
      Binder.bind(
          "uv_tcp_simultaneous_accepts", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT));
  private static final MethodHandle BIND =
      Binder.bind("uv_tcp_bind", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle GETSOCKNAME =
      Binder.bind("uv_tcp_getsockname", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle GETPEERNAME =
      Binder.bind("uv_tcp_getpeername", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle CONNECT =
      Binder.bind(
          "uv_tcp_connect", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle CLOSE_RESET =
      Binder.bind("uv_tcp_close_reset", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER));

  private UvTcp() {}

  public static int uv_tcp_init(long loop, long tcp) {
    try {
      return (int) INIT.invokeExact(loop, tcp);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `flags` is an address family, for which the socket is made at once.
  public static int uv_tcp_init_ex(long loop, long tcp, int flags) {
    try {
      return (int) INIT_EX.invokeExact(loop, tcp, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `sock` is a descriptor on Unix and a `SOCKET` on Windows.
  public static int uv_tcp_open(long tcp, long sock) {
    try {
      return (int) OPEN.invokeExact(tcp, sock);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_tcp_nodelay(long tcp, int enable) {
    try {
      return (int) NODELAY.invokeExact(tcp, enable);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `delay` in seconds.
  public static int uv_tcp_keepalive(long tcp, int enable, int delay) {
    try {
      return (int) KEEPALIVE.invokeExact(tcp, enable, delay);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_tcp_simultaneous_accepts(long tcp, int enable) {
    try {
      return (int) SIMULTANEOUS_ACCEPTS.invokeExact(tcp, enable);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// An address in use may be reported only by `uv_listen` or `uv_tcp_connect`.
  public static int uv_tcp_bind(long tcp, long addr, int flags) {
    try {
      return (int) BIND.invokeExact(tcp, addr, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// `namelen` is an `int`, in and out: the room at `name`, then the bytes used.
  public static int uv_tcp_getsockname(long tcp, long name, long namelen) {
    try {
      return (int) GETSOCKNAME.invokeExact(tcp, name, namelen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// As [#uv_tcp_getsockname].
  public static int uv_tcp_getpeername(long tcp, long name, long namelen) {
    try {
      return (int) GETPEERNAME.invokeExact(tcp, name, namelen);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_tcp_connect(long req, long tcp, long addr, long cb) {
    try {
      return (int) CONNECT.invokeExact(req, tcp, addr, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Closes with RST. Not after `uv_shutdown`. On an error the handle is not closed.
  public static int uv_tcp_close_reset(long tcp, long close_cb) {
    try {
      return (int) CLOSE_RESET.invokeExact(tcp, close_cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
