// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.OtherCalls;
import dev.couv.uv.UvHandle;

/// A coroutine handle: fires once in each turn of the loop.
final class IdleOperation extends HandleOperation {
  private final String name;

  IdleOperation(String name) {
    this.name = name;
  }

  @Override
  protected int handleType() {
    return UvHandle.UV_IDLE;
  }

  @Override
  protected int init(long loop, long handle) {
    return OtherCalls.uv_idle_init(loop, handle);
  }

  @Override
  protected int arm(long handle) {
    return OtherCalls.uv_idle_start(handle, Callbacks.TIMER_CB);
  }

  @Override
  protected int disarm(long handle) {
    return OtherCalls.uv_idle_stop(handle);
  }

  @Override
  protected boolean continues(HandleOperation before) {
    return true;
  }

  @Override
  public String toString() {
    return name;
  }
}
