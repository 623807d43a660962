// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Wake-up from other threads: `uv_async_t`.
public final class UvAsync {
  private static final MethodHandle INIT =
      Binder.bind("uv_async_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER));
  private static final MethodHandle SEND =
      Binder.bind("uv_async_send", FunctionDescriptor.of(JAVA_INT, POINTER));

  private UvAsync() {}

  /// The handle is active at once, and keeps the loop alive unless it is unref'd.
  public static int uv_async_init(long loop, long async, long cb) {
    try {
      return (int) INIT.invokeExact(loop, async, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  /// Any thread, until the handle is being closed: from then on it is undefined. Sends before the
  /// callback runs are one callback.
  public static int uv_async_send(long async) {
    try {
      return (int) SEND.invokeExact(async);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
