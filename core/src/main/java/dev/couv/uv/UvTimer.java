// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.LONG;
import static dev.couv.uv.Call.POINTER;

/// Timers: `uv_timer_t`.
public final class UvTimer {
  // All three are critical: they move entries of a heap in memory.
  private static final Call INIT = Call.critical("uv_timer_init", INT, POINTER, POINTER);
  private static final Call START =
      Call.critical("uv_timer_start", INT, POINTER, POINTER, LONG, LONG);
  private static final Call STOP = Call.critical("uv_timer_stop", INT, POINTER);

  private UvTimer() {}

  public static int uv_timer_init(long loop, long timer) {
    return (int) INIT.call(loop, timer);
  }

  /// Milliseconds, counted from the cached time of the loop ([UvLoop#uv_now]).
  public static int uv_timer_start(long timer, long cb, long timeout, long repeat) {
    return (int) START.call(timer, cb, timeout, repeat);
  }

  public static int uv_timer_stop(long timer) {
    return (int) STOP.call(timer);
  }
}
