// SPDX-License-Identifier: Apache-2.0
package dev.couv.uv;

/// Has the kernel take nothing at once of what is written to sockets, so that a request is needed.
public final class RefusedWrites implements AutoCloseable {
  private final NativeCalls.Replacement one = refusing("send");
  private final NativeCalls.Replacement several = refusing("uv_try_write");

  private static NativeCalls.Replacement refusing(String call) {
    return NativeCalls.replace(call, NativeCalls.failing(call, UvErrors.UV_EAGAIN));
  }

  @Override
  public void close() {
    several.close();
    one.close();
  }
}
