// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import dev.couv.uv.UvMachine;
import dev.couv.uv.UvRequest;
import java.util.ArrayList;
import java.util.List;

/// A coroutine request: random bytes, from libuv's threads into the request's own block.
final class RandomOperation extends RequestOperation {
  private static final int REQUEST_SIZE = (int) UvRequest.uv_req_size(UvRequest.UV_RANDOM);

  private final String name;
  private final int length;
  private final List<String> history = new ArrayList<>();
  private Runnable inCallback = () -> {};
  private long address;

  RandomOperation(String name) {
    this(name, 16);
  }

  RandomOperation(String name, int length) {
    this.name = name;
    this.length = length;
  }

  /// Runs in the callback, after what the operation itself does there.
  RandomOperation inCallback(Runnable action) {
    inCallback = action;
    return this;
  }

  @Override
  protected int requestSize() {
    return REQUEST_SIZE + length;
  }

  @Override
  protected int begin(long loop, long request) {
    address = request;
    return UvMachine.uv_random(
        loop, request, request + REQUEST_SIZE, length, 0, Callbacks.RANDOM_CB);
  }

  @Override
  protected boolean isRevocable() {
    return true;
  }

  @Override
  protected void received() {
    history.add("received");
    inCallback.run();
  }

  @Override
  protected void unclaimed() {
    history.add("unclaimed");
  }

  @Override
  protected void late(int status) {
    history.add("late");
    inCallback.run();
  }

  /// What became of its result.
  List<String> history() {
    return history;
  }

  /// Where the request is.
  long address() {
    return address;
  }

  byte[] bytes() {
    byte[] bytes = new byte[length];
    Memory.copy(address + REQUEST_SIZE, bytes, 0, length);
    return bytes;
  }

  @Override
  public String toString() {
    return name;
  }
}
