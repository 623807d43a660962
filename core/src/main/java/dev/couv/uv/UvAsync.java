// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

import static dev.couv.uv.Call.INT;
import static dev.couv.uv.Call.POINTER;

/// Wake-up from other threads: `uv_async_t`.
public final class UvAsync {
  private static final Call INIT = Call.of("uv_async_init", INT, POINTER, POINTER, POINTER);
  private static final Call SEND = Call.of("uv_async_send", INT, POINTER);

  private UvAsync() {}

  /// The handle is active at once, and keeps the loop alive unless it is unref'd.
  public static int uv_async_init(long loop, long async, long cb) {
    return (int) INIT.call(loop, async, cb);
  }

  /// Any thread, until the handle is being closed: from then on it is undefined. Sends before the
  /// callback runs are one callback.
  public static int uv_async_send(long async) {
    return (int) SEND.call(async);
  }
}
