// SPDX-License-Identifier: Apache-2.0
package dev.couv.net;

import dev.couv.loop.EventLoop;
import dev.couv.loop.Failures;
import dev.couv.loop.NativeMemory;
import dev.couv.loop.RequestOperation;
import dev.couv.uv.Callbacks;
import dev.couv.uv.Layouts;
import dev.couv.uv.Memory;
import dev.couv.uv.UvDns;
import dev.couv.uv.UvErrors;
import dev.couv.uv.UvRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Waiting for the system's resolver, on one of libuv's threads. Revocable until a thread has taken it
/// up; the list that comes after all is freed.
final class LookupOperation extends RequestOperation {
  private final EventLoop loop;
  private final Question question;
  private final int flags;

  /// libuv's list, ours to free.
  private long list;

  LookupOperation(EventLoop loop, Question question, boolean canonical) {
    this.loop = loop;
    this.question = question;
    this.flags =
        (canonical ? Layouts.AI_CANONNAME : 0)
            | (question.options().numeric() ? Layouts.AI_NUMERICHOST | Layouts.AI_NUMERICSERV : 0);
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
    long node = text(question.hostToAsk());
    long service = 0;
    try {
      service = text(question.serviceToAsk());
      // It copies all three.
      return UvDns.uv_getaddrinfo(
          loopAddress, request, Callbacks.GETADDRINFO_CB, node, service, hints);
    } finally {
      Memory.free(node);
      Memory.free(service);
    }
  }

  private int family() {
    if (question.hostToAsk() == null) {
      return Layouts.AF_UNSPEC; // only the port is in question
    }
    return question.options().family() == null
        ? Layouts.AF_UNSPEC
        : question.options().family() == StandardProtocolFamily.INET
            ? Layouts.AF_INET
            : Layouts.AF_INET6;
  }

  private int kind() {
    return switch (question.options().kind()) {
      case ANY -> 0;
      case STREAM -> Layouts.SOCK_STREAM;
      case DATAGRAM -> Layouts.SOCK_DGRAM;
    };
  }

  private static long text(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    return NativeMemory.check(Memory.newString(text));
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

  /// The addresses in the system's order, each once.
  List<InetSocketAddress> finish() throws IOException {
    check();
    try {
      Set<InetSocketAddress> found = new LinkedHashSet<>();
      Set<Integer> ports = new LinkedHashSet<>();
      for (long entry = list; entry != 0; entry = Memory.getLong(entry + Layouts.ADDRINFO_NEXT)) {
        int family = Memory.getInt(entry + Layouts.ADDRINFO_FAMILY);
        if (family == Layouts.AF_INET || family == Layouts.AF_INET6) {
          InetSocketAddress address =
              dev.couv.host.SocketAddresses.read(Memory.getLong(entry + Layouts.ADDRINFO_ADDR));
          int port = question.port() < 0 ? address.getPort() : question.port();
          ports.add(port);
          found.add(named(address, port));
        }
      }
      List<InetSocketAddress> known = question.answer(ports);
      if (known == null && found.isEmpty()) {
        throw failure(UvErrors.code("EAI_NODATA"));
      }
      return known == null ? List.copyOf(found) : known;
    } finally {
      free();
    }
  }

  /// With the name it was found by, as the JDK's own.
  private InetSocketAddress named(InetSocketAddress address, int port) {
    try {
      InetAddress bare = address.getAddress();
      InetAddress named =
          bare instanceof java.net.Inet6Address v6 && v6.getScopeId() != 0
              ? bare
              : InetAddress.getByAddress(question.host(), bare.getAddress());
      return new InetSocketAddress(named, port);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address that was one before", e);
    }
  }

  /// The name that the host has in the first place.
  String finishCanonical() throws IOException {
    check();
    try {
      for (long entry = list; entry != 0; entry = Memory.getLong(entry + Layouts.ADDRINFO_NEXT)) {
        long name = Memory.getLong(entry + Layouts.ADDRINFO_CANONNAME);
        if (name != 0) {
          return Memory.getString(name);
        }
      }
      throw failure(UvErrors.code("EAI_NONAME"));
    } finally {
      free();
    }
  }

  private void check() throws IOException {
    if (status() < 0) {
      throw failure(status());
    }
  }

  private IOException failure(int code) {
    if (code == UvErrors.UV_EINVAL || code == UvErrors.code("ENAMETOOLONG")) {
      code = UvErrors.code("EAI_NONAME"); // libuv does not even ask for what can be no name
    }
    return Failures.ofSocket(code, "getaddrinfo", question.toString());
  }

  @Override
  public String toString() {
    return "the addresses of " + question;
  }
}
