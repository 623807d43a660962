// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;
import static dev.couv.uv.Call.SIZE_T;

/// Random bytes from the system, on libuv's thread pool.
public final class UvRandom {
  private static final Call RANDOM =
      Call.of("uv_random", INT, POINTER, POINTER, POINTER, SIZE_T, INT, POINTER);

  private UvRandom() {}

  /// `buf` is libuv's until the callback. `flags` is 0.
  public static int uv_random(long loop, long req, long buf, long buflen, int flags, long cb) {
    return (int) RANDOM.call(loop, req, buf, buflen, flags, cb);
  }
}
