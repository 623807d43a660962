// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Binder.POINTER;
import static dev.couv.uv.Binder.SIZE_T;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/// Random bytes from the system, on libuv's thread pool.
public final class UvRandom {
  private static final MethodHandle RANDOM =
      Binder.bind(
          "uv_random",
          FunctionDescriptor.of(JAVA_INT, POINTER, POINTER, POINTER, SIZE_T, JAVA_INT, POINTER));

  private UvRandom() {}

  /// `buf` is libuv's until the callback. `flags` is 0.
  public static int uv_random(long loop, long req, long buf, long buflen, int flags, long cb) {
    try {
      return (int) RANDOM.invokeExact(loop, req, buf, buflen, flags, cb);
    } catch (Throwable t) {
      throw Native.unexpected(t);
    }
  }
}
