// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Name lookup on libuv's thread pool.
public final class UvDns {
  private static final MethodHandle GETADDRINFO =
      Binder.bind(
          "uv_getaddrinfo",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle FREEADDRINFO =
      Binder.bind("uv_freeaddrinfo", FunctionDescriptor.ofVoid(POINTER));

  private static final MethodHandle GETNAMEINFO =
      Binder.bind(
          "uv_getnameinfo",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, POINTER, JAVA_INT));

  private UvDns() {}

  /// Copies its arguments. The list given to the callback is the caller's to free, also when nobody
  /// waits for it any more. Cancelled, the status is `UV_EAI_CANCELED`, not `UV_ECANCELED`.
  public static int uv_getaddrinfo(
      long loop, long req, long cb, long node, long service, long hints) {
    try {
      return (int) GETADDRINFO.invokeExact(loop, req, cb, node, service, hints);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Any thread. Does nothing with 0.
  public static void uv_freeaddrinfo(long ai) {
    try {
      FREEADDRINFO.invokeExact(ai);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Copies the address. `flags` are the `NI_` numbers of [Layouts]. The strings given to the callback
  /// are part of the request. Cancelled, the status is `UV_EAI_CANCELED`.
  public static int uv_getnameinfo(long loop, long req, long cb, long addr, int flags) {
    try {
      return (int) GETNAMEINFO.invokeExact(loop, req, cb, addr, flags);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
