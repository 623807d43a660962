// SPDX-License-Identifier: Apache-2.0
package dev.couv.loop;

import dev.couv.uv.Memory;
import dev.couv.uv.UvDns;
import dev.couv.uv.UvRequest;
import java.util.ArrayList;
import java.util.List;

/// A coroutine request: the lookup of a numeric address. Its result is a list that somebody must
/// free. It is not revoked when its waiter leaves, so that there is a list then, too.
final class LookupOperation extends RequestOperation {
  private final String name;
  private final List<String> history = new ArrayList<>();
  private long addresses;

  LookupOperation(String name) {
    this.name = name;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_GETADDRINFO);
  }

  @Override
  protected int begin(long loop, long request) {
    long node = Memory.newString("127.0.0.1");
    try {
      return UvDns.uv_getaddrinfo(loop, request, Callbacks.GETADDRINFO_CB, node, 0, 0);
    } finally {
      Memory.free(node);
    }
  }

  @Override
  protected void received() {
    history.add("received");
    addresses = result();
  }

  @Override
  protected void unclaimed() {
    history.add("unclaimed");
    free();
  }

  @Override
  protected void late(int status) {
    history.add("late " + status);
    addresses = result();
    free();
  }

  /// Whether a list is there that nobody has freed.
  boolean holdsAddresses() {
    return addresses != 0;
  }

  void free() {
    UvDns.uv_freeaddrinfo(addresses);
    addresses = 0;
  }

  List<String> history() {
    return history;
  }

  @Override
  public String toString() {
    return name;
  }
}
