// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.UvAsync;
import dev.couv.uv.UvHandle;

/// A coroutine handle that somebody else rings, as the other end of a channel does: once it is rung,
/// the callback is on its way and cannot be called off.
final class AsyncOperation extends HandleOperation {
  private final String name;
  private final Bell bell;

  AsyncOperation(String name) {
    this(name, new Bell());
  }

  AsyncOperation(String name, Bell bell) {
    this.name = name;
    this.bell = bell;
  }

  /// What is rung. Several waits in a row may be for the same.
  static final class Bell {
    private long address;

    /// Rings may be taken together, so they are counted.
    private int rings;

    void ring() {
      rings++;
      UvAsync.uv_async_send(address);
    }

    /// Where it is, or was last.
    long address() {
      return address;
    }

    /// How many rings the callback has yet to bring.
    int onTheirWay() {
      return rings;
    }
  }

  void ring() {
    bell.ring();
  }

  Bell bell() {
    return bell;
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
    bell.address = handle;
    bell.rings = 0;
    return 0;
  }

  @Override
  protected int disarm(long handle) {
    bell.rings = 0;
    return 0;
  }

  @Override
  protected boolean continues(HandleOperation before) {
    return before instanceof AsyncOperation async && async.bell == bell;
  }

  /// None, if it was another bell's that hung at the same handle.
  @Override
  protected int events() {
    int events = bell.rings;
    bell.rings = 0;
    return events;
  }

  long address() {
    return bell.address;
  }

  @Override
  public String toString() {
    return name;
  }
}
