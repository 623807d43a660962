// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;

/// What libuv says about itself and the machine. Any thread.
public final class UvInfo {
  private static final Call HRTIME = Call.of("uv_hrtime", LONG);
  private static final Call AVAILABLE_PARALLELISM = Call.of("uv_available_parallelism", INT);

  private UvInfo() {}

  /// Nanoseconds of a clock that only goes forward.
  public static long uv_hrtime() {
    return HRTIME.call();
  }

  public static int uv_available_parallelism() {
    return (int) AVAILABLE_PARALLELISM.call();
  }
}
