// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvHandle;
import dev.couv.uv.UvTimer;

/// A coroutine handle: a timer that fires again and again until it is stopped.
final class TimerOperation extends HandleOperation {
  private final String name;
  private final long millis;
  private long address;

  TimerOperation(String name, long millis) {
    this.name = name;
    this.millis = millis;
  }

  @Override
  protected int handleType() {
    return UvHandle.UV_TIMER;
  }

  @Override
  protected int init(long loop, long handle) {
    return UvTimer.uv_timer_init(loop, handle);
  }

  @Override
  protected int arm(long handle) {
    address = handle;
    return UvTimer.uv_timer_start(handle, Callbacks.TIMER_CB, millis, millis);
  }

  @Override
  protected int disarm(long handle) {
    return UvTimer.uv_timer_stop(handle);
  }

  @Override
  protected boolean continues(HandleOperation before) {
    return before instanceof TimerOperation timer && timer.millis == millis;
  }

  /// Where the handle is, if this operation armed it.
  long address() {
    return address;
  }

  @Override
  public String toString() {
    return name;
  }
}
