// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import dev.couv.uv.UvMachine;
import dev.couv.uv.UvRequest;
import java.util.ArrayList;
import java.util.List;

/// An object with a request of its own: a source of random bytes.
final class RandomRequest extends ObjectRequest {
  private static final int LENGTH = 16;
  private static final int REQUEST_SIZE = (int) UvRequest.uv_req_size(UvRequest.UV_RANDOM);

  private final List<String> history = new ArrayList<>();
  private Runnable inCallback = () -> {};
  private long address;

  RandomRequest(EventLoop loop) {
    super(loop);
  }

  /// Runs in the callback, after what the object itself does there.
  RandomRequest inCallback(Runnable action) {
    inCallback = action;
    return this;
  }

  @Override
  protected int requestSize() {
    return REQUEST_SIZE + LENGTH;
  }

  @Override
  protected int begin(long loop, long request) {
    address = request;
    return UvMachine.uv_random(
        loop, request, request + REQUEST_SIZE, LENGTH, 0, Callbacks.RANDOM_CB);
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
    inCallback.run();
  }

  List<String> history() {
    return history;
  }

  long address() {
    return address;
  }

  byte[] bytes() {
    byte[] bytes = new byte[LENGTH];
    Memory.copy(address + REQUEST_SIZE, bytes, 0, LENGTH);
    return bytes;
  }

  int lastStatus() {
    return status();
  }

  @Override
  public String toString() {
    return "random source (" + state() + ")";
  }
}
