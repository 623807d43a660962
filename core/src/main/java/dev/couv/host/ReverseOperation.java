// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Memory;
import dev.couv.uv.UvDns;
import dev.couv.uv.UvRequest;
import dev.couv.world.AddressText;
import dev.couv.world.Request;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.BiFunction;

/// Waiting for the names of an address, on one of libuv's threads. The strings are part of the request,
/// which stays this coroutine's until it awaits something else.
final class ReverseOperation<T> extends RequestOperation implements Request<T> {
  private final EventLoop loop;
  private final InetSocketAddress address;
  private final int flags;
  private final BiFunction<String, String, T> as;

  ReverseOperation(
      EventLoop loop, InetSocketAddress address, int flags, BiFunction<String, String, T> as) {
    this.loop = loop;
    this.address = address;
    this.flags = flags;
    this.as = as;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_GETNAMEINFO);
  }

  @Override
  protected boolean isRevocable() {
    return true;
  }

  @Override
  protected int begin(long loopAddress, long request) {
    long at = NativeAddresses.write(loop.scratch(), address);
    return UvDns.uv_getnameinfo(loopAddress, request, Callbacks.GETNAMEINFO_CB, at, flags);
  }

  @Override
  public T finish() throws IOException {
    if (status() < 0) {
      throw Failures.ofSocket(status(), "getnameinfo", AddressText.of(address));
    }
    return as.apply(Memory.getString(result()), Memory.getString(secondResult()));
  }

  @Override
  public String toString() {
    return "the name of " + AddressText.of(address);
  }
}
