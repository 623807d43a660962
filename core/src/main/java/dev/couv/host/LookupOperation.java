// SPDX-License-Identifier: Apache-2.0
package dev.couv.host;

import dev.couv.loop.Callbacks;
import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvDns;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvRequest;
import dev.couv.world.Request;
import dev.couv.world.Resolver.Sought;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Waiting for the system's resolver, on one of libuv's threads. Revocable until a thread has taken it
/// up; the list that comes after all is freed.
final class LookupOperation<T> extends RequestOperation implements Request<T> {
  private final EventLoop loop;
  private final Sought sought;
  private final int flags;

  /// Takes the answer from libuv's list; null if it is not there.
  private final LongFunction<@Nullable T> answer;

  /// The code for that.
  private final String missing;

  /// libuv's list, ours to free.
  private long list;

  LookupOperation(
      EventLoop loop, Sought sought, int flags, LongFunction<@Nullable T> answer, String missing) {
    this.loop = loop;
    this.sought = sought;
    this.flags = flags | (sought.numeric() ? Layouts.AI_NUMERICHOST | Layouts.AI_NUMERICSERV : 0);
    this.answer = answer;
    this.missing = missing;
  }

  @Override
  protected int requestSize() {
    return (int) UvRequest.uv_req_size(UvRequest.UV_GETADDRINFO);
  }

  @Override
  protected boolean isRevocable() {
    return true;
  }

  @Override
  protected int begin(long loopAddress, long request) {
    long hints = loop.scratch().argumentsAddress();
    Memory.zero(hints, Layouts.ADDRINFO_SIZE);
    Memory.putInt(hints + Layouts.ADDRINFO_FLAGS, flags);
    Memory.putInt(hints + Layouts.ADDRINFO_FAMILY, family());
    Memory.putInt(hints + Layouts.ADDRINFO_SOCKTYPE, kind());
    long node = Answers.newText(sought.host());
    long service = 0;
    try {
      service = Answers.newText(sought.service());
      // It copies all three.
      return UvDns.uv_getaddrinfo(
          loopAddress, request, Callbacks.GETADDRINFO_CB, node, service, hints);
    } finally {
      Memory.free(node);
      Memory.free(service);
    }
  }

  private int family() {
    return sought.family() == null
        ? Layouts.AF_UNSPEC
        : sought.family() == StandardProtocolFamily.INET ? Layouts.AF_INET : Layouts.AF_INET6;
  }

  private int kind() {
    return switch (sought.transport()) {
      case ANY -> 0;
      case STREAM -> Layouts.SOCK_STREAM;
      case DATAGRAM -> Layouts.SOCK_DGRAM;
    };
  }

  @Override
  protected void received() {
    list = result();
  }

  @Override
  protected void unclaimed() {
    free();
  }

  @Override
  protected void late(int lateStatus) {
    list = result();
    free();
  }

  private void free() {
    UvDns.uv_freeaddrinfo(list);
    list = 0;
  }

  @Override
  public T finish() throws IOException {
    if (status() < 0) {
      throw failure(status());
    }
    try {
      T found = answer.apply(list);
      if (found == null) {
        throw failure(UvErrors.code(missing));
      }
      return found;
    } finally {
      free();
    }
  }

  /// The addresses of a list in the system's order, each once.
  static @Nullable List<InetSocketAddress> readAddresses(long list) {
    Set<InetSocketAddress> found = new LinkedHashSet<>();
    for (long entry = list; entry != 0; entry = Memory.getLong(entry + Layouts.ADDRINFO_NEXT)) {
      int family = Memory.getInt(entry + Layouts.ADDRINFO_FAMILY);
      if (family == Layouts.AF_INET || family == Layouts.AF_INET6) {
        found.add(NativeAddresses.read(Memory.getLong(entry + Layouts.ADDRINFO_ADDR)));
      }
    }
    return found.isEmpty() ? null : List.copyOf(found);
  }

  /// The name that the host of a list has in the first place.
  static @Nullable String readCanonical(long list) {
    for (long entry = list; entry != 0; entry = Memory.getLong(entry + Layouts.ADDRINFO_NEXT)) {
      long name = Memory.getLong(entry + Layouts.ADDRINFO_CANONNAME);
      if (name != 0) {
        return Memory.getString(name);
      }
    }
    return null;
  }

  private IOException failure(int code) {
    if (code == UvErrors.UV_EINVAL || code == UvErrors.code("ENAMETOOLONG")) {
      code = UvErrors.code("EAI_NONAME"); // libuv does not even ask for what can be no name
    }
    return Failures.ofSocket(code, "getaddrinfo", sought.subject());
  }

  @Override
  public String toString() {
    return "the addresses of " + sought.subject();
  }
}
