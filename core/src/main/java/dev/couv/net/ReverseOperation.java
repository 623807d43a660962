// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Memory;
import dev.couv.uv.UvDns;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Waiting for the names of an address, on one of libuv's threads. The strings are part of the request,
/// which stays this coroutine's until it awaits something else.
final class ReverseOperation extends RequestOperation {
  private final EventLoop loop;
  private final InetSocketAddress address;
  private final int flags;

  ReverseOperation(EventLoop loop, InetSocketAddress address, int flags) {
    this.loop = loop;
    this.address = address;
    this.flags = flags;
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
    long at = dev.couv.host.SocketAddresses.write(loop.scratch(), address);
    return UvDns.uv_getnameinfo(loopAddress, request, Callbacks.GETNAMEINFO_CB, at, flags);
  }

  HostService finish() throws IOException {
    if (status() < 0) {
      throw Failures.ofSocket(status(), "getnameinfo", SocketAddresses.text(address));
    }
    return new HostService(Memory.getString(result()), Memory.getString(secondResult()));
  }

  @Override
  public String toString() {
    return "the name of " + SocketAddresses.text(address);
  }
}
