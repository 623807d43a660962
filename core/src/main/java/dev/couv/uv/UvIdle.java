// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Idle handles: `uv_idle_t`. An active one is called once a turn and keeps the poll from blocking.
public final class UvIdle {
  // All three are critical: they move entries of a queue in memory.
  private static final Call INIT = Call.critical("uv_idle_init", INT, POINTER, POINTER);
  private static final Call START = Call.critical("uv_idle_start", INT, POINTER, POINTER);
  private static final Call STOP = Call.critical("uv_idle_stop", INT, POINTER);

  private UvIdle() {}

  public static int uv_idle_init(long loop, long idle) {
    return (int) INIT.call(loop, idle);
  }

  public static int uv_idle_start(long idle, long cb) {
    return (int) START.call(idle, cb);
  }

  public static int uv_idle_stop(long idle) {
    return (int) STOP.call(idle);
  }
}
