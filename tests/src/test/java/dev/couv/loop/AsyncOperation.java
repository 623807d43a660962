// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvAsync;
import dev.couv.uv.UvHandle;

/// A coroutine handle that somebody else rings, as the other end of a channel does: once it is rung,
/// the callback is on its way and cannot be called off.
class AsyncOperation extends HandleOperation {
  private final String name;
  private long address;
  private boolean rung;
  private int unclaimed;

  AsyncOperation(String name) {
    this.name = name;
  }

  /// It carries something from now on, which arrives with the callback.
  void ring() {
    rung = true;
    UvAsync.uv_async_send(address);
  }

  @Override
  protected int handleType() {
    return UvHandle.UV_ASYNC;
  }

  @Override
  protected int init(long loop, long handle) {
    return UvAsync.uv_async_init(loop, handle, Callbacks.ASYNC_CB);
  }

  @Override
  protected int arm(long handle) {
    address = handle;
    return 0;
  }

  @Override
  protected int disarm(long handle) {
    return 0;
  }

  /// Each wait has its own address to be rung at.
  @Override
  protected boolean continues(HandleOperation before) {
    return false;
  }

  @Override
  protected boolean mustFire() {
    return rung;
  }

  @Override
  protected void unclaimed() {
    unclaimed++;
  }

  long address() {
    return address;
  }

  /// How often what it carried was released because nobody took it.
  int unclaimedCount() {
    return unclaimed;
  }

  @Override
  public String toString() {
    return name;
  }
}
