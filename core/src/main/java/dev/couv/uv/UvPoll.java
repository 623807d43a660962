// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Descriptors that belong to somebody else: `uv_poll_t`.
///
/// The descriptor must stay open until the handle is stopped, and cannot be in two handles of a loop.
/// It may be reported ready when it is not.
public final class UvPoll {
  public static final int UV_READABLE = 1;
  public static final int UV_WRITABLE = 2;
  public static final int UV_DISCONNECT = 4;
  public static final int UV_PRIORITIZED = 8;

  private static final MethodHandle INIT =
      Binder.bind("uv_poll_init", FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, JAVA_INT));
  private static final MethodHandle START =
      Binder.bind("uv_poll_start", FunctionDescriptor.of(JAVA_INT, POINTER, JAVA_INT, POINTER));
  private static final MethodHandle STOP =
      Binder.bind("uv_poll_stop", FunctionDescriptor.of(JAVA_INT, POINTER));

  private UvPoll() {}

  public static int uv_poll_init(long loop, long poll, int fd) {
    try {
      return (int) INIT.invokeExact(loop, poll, fd);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_poll_start(long poll, int events, long cb) {
    try {
      return (int) START.invokeExact(poll, events, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }

  public static int uv_poll_stop(long poll) {
    try {
      return (int) STOP.invokeExact(poll);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
