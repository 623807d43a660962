// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Memory;
import dev.couv.uv.UvMachine;
import dev.couv.uv.UvRequest;
import dev.couv.world.Request;
import java.io.IOException;

/// Waiting for random bytes of the system, on one of libuv's threads. They come into memory of the
/// request's own, so that a waiter who leaves can take the buffer along.
final class RandomOperation extends RequestOperation implements Request<byte[]> {
  private static final int BYTES_OFFSET =
      Math.toIntExact((UvRequest.uv_req_size(UvRequest.UV_RANDOM) + 15) & ~15L);

  private final byte[] bytes;
  private long at;

  RandomOperation(int length) {
    bytes = new byte[length];
  }

  @Override
  protected int requestSize() {
    return BYTES_OFFSET + bytes.length;
  }

  @Override
  protected boolean isRevocable() {
    return true;
  }

  @Override
  protected int begin(long loop, long request) {
    at = request + BYTES_OFFSET;
    return UvMachine.uv_random(loop, request, at, bytes.length, 0, Callbacks.RANDOM_CB);
  }

  @Override
  protected void received() {
    Memory.copy(at, bytes, 0, bytes.length);
  }

  @Override
  public byte[] finish() throws IOException {
    Failures.check(status(), "random", bytes.length + " bytes");
    return bytes;
  }

  @Override
  public String toString() {
    return "Info.random";
  }
}
